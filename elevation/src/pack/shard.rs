//! Which tiles are those of a share of a pack?

use serde::{Deserialize, Serialize};

/// Which share of a pack: of shares of about equal work, as far as that is known before any data are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// From 1.
    pub index: u64,
    /// Number of shares.
    pub count: u64,
}

/// The tiles of a share: consecutive ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// Which one.
    #[serde(flatten)]
    pub shard: Shard,
    /// How many tiles are before its first one in the pack.
    pub first: u64,
    /// Number of its tiles.
    pub tiles: u64,
}

/// Schedulers of array jobs: what says which task a process is, and how many there are.
const JOBS: [(&str, Option<&str>); 3] = [
    ("SLURM_ARRAY_TASK_ID", Some("SLURM_ARRAY_TASK_COUNT")),
    ("AWS_BATCH_JOB_ARRAY_INDEX", Some("AWS_BATCH_JOB_ARRAY_SIZE")),
    // An Indexed Job of Kubernetes.
    ("JOB_COMPLETION_INDEX", None),
];

impl Shard {
    /// The share of a task of an array job, by the environment of the process: of Slurm, AWS Batch, or an Indexed Job of Kubernetes. Where
    /// a `count` is given, tasks of Slurm are numbered from 1 to it, so that a few of them can be run again; without one, from anywhere.
    ///
    /// ```
    /// use elevation::pack::Shard;
    /// let kubernetes = |name: &str| (name == "JOB_COMPLETION_INDEX").then(|| "4".to_owned());
    /// assert_eq!(Shard::of_job(Some(8), kubernetes), Ok(Shard { index: 5, count: 8 }));
    /// assert!(Shard::of_job(None, kubernetes).unwrap_err().contains("auto/N"));
    /// ```
    ///
    /// # Errors
    /// What is missing or does not go together, and what to do.
    pub fn of_job(count: Option<u64>, variable: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let number = |name: &str| match variable(name).map(|text| text.trim().parse::<u64>()) {
            Some(Ok(number)) => Ok(Some(number)),
            Some(Err(_)) => Err(format!("{name} is no whole number")),
            None => Ok(None),
        };
        for (index, size) in JOBS {
            let Some(task) = number(index)? else { continue };
            let told = size.map(number).transpose()?.flatten();
            let is_slurm = index.starts_with("SLURM");
            let Some(all) = count.or(told) else {
                return Err(format!(
                    "{index} says which task this is, and nothing how many there are: give --shard auto/N"
                ));
            };
            let first = match (count, is_slurm) {
                (Some(_), true) => 1,
                // The one task of an array is its first and last.
                (None, true) if all == 1 => task,
                (None, true) => {
                    let way_out = "give --shard auto/N, with tasks numbered from 1 to N";
                    let end = |name| number(name)?.ok_or_else(|| format!("{name} is not set: {way_out}"));
                    let (first, last) = (end("SLURM_ARRAY_TASK_MIN")?, end("SLURM_ARRAY_TASK_MAX")?);
                    if last.checked_sub(first) != all.checked_sub(1) {
                        return Err(format!("tasks from {first} to {last} are not {all} without gaps: {way_out}"));
                    }
                    first
                }
                _ => 0,
            };
            let shard = task.checked_sub(first).map(|before| Self { index: before.saturating_add(1), count: all });
            let refused = || format!("{index} is {task}, which is none of {all} tasks numbered from {first}");
            return shard.filter(|shard| shard.index <= all).ok_or_else(refused);
        }
        let names = JOBS.map(|(index, _)| index).join(", ");
        Err(format!("this is no task of an array job: none of {names} is set; give --shard I/N"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: each task of an array job gets a share of its own, and what does not say which is told in words that help.
    #[test]
    fn tasks_of_jobs_are_shares() {
        let of = |count, words: &str| {
            let words = words.to_owned();
            Shard::of_job(count, move |name: &str| {
                words.split(' ').find_map(|word| word.strip_prefix(name)?.strip_prefix('=').map(str::to_owned))
            })
        };
        let share = |index, count| Ok(Shard { index, count });
        let slurm = |id: u64, first: u64, last: u64, count: u64| {
            format!(
                "SLURM_ARRAY_TASK_ID={id} SLURM_ARRAY_TASK_COUNT={count} SLURM_ARRAY_TASK_MIN={first} SLURM_ARRAY_TASK_MAX={last}"
            )
        };
        assert_eq!(of(None, &slurm(0, 0, 15, 16)), share(1, 16));
        assert_eq!(of(None, &slurm(16, 1, 16, 16)), share(16, 16));
        assert!(of(None, &slurm(7, 3, 7, 2)).unwrap_err().contains("auto/N"));
        assert_eq!(of(Some(16), &slurm(7, 3, 7, 2)), share(7, 16));
        assert!(of(None, &slurm(u64::MAX, 0, u64::MAX, 16)).unwrap_err().contains("without gaps"));
        assert!(of(None, &slurm(3, 7, 3, 0)).unwrap_err().contains("none of 0 tasks"));
        // Some schedulers that call themselves Slurm set less.
        let alone = "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT";
        assert_eq!(of(None, &format!("{alone}=1")), share(1, 1));
        assert!(of(None, &format!("{alone}=9")).unwrap_err().contains("SLURM_ARRAY_TASK_MIN is not set: give"));
        let error = of(None, &format!("{alone}=9 SLURM_ARRAY_TASK_MIN=1")).unwrap_err();
        assert!(error.contains("SLURM_ARRAY_TASK_MAX is not set: give"), "{error}");
        assert!(of(Some(16), &slurm(0, 0, 15, 16)).unwrap_err().contains("numbered from 1"));
        assert_eq!(of(None, "AWS_BATCH_JOB_ARRAY_INDEX=2 AWS_BATCH_JOB_ARRAY_SIZE=3"), share(3, 3));
        assert_eq!(of(Some(4), "JOB_COMPLETION_INDEX=3"), share(4, 4));
        assert!(of(Some(4), "JOB_COMPLETION_INDEX=4").unwrap_err().contains("none of 4 tasks"));
        assert!(of(Some(4), "JOB_COMPLETION_INDEX=x").unwrap_err().contains("no whole number"));
        assert!(of(None, "A=1").unwrap_err().contains("I/N"));
    }
}
