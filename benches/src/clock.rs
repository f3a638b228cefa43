//! How long did the processor work? The time that the system has counted, or that has passed where it does not tell.

use std::time::Instant;

/// A clock that has been started.
pub struct Clock {
    read: fn() -> Option<f64>,
    before: Option<f64>,
    started: Instant,
}

impl Clock {
    /// Counts what this thread works.
    pub fn of_this_thread() -> Self {
        Self::new(|| {
            let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
            Some(text.split_whitespace().next()?.parse::<f64>().ok()? * 1e-9)
        })
    }

    /// Counts what all threads of this program work, to a hundredth of a second.
    pub fn of_all_threads() -> Self {
        Self::new(|| ticks([11, 12]))
    }

    /// Counts what programs work that this one has run and waited for, to a hundredth of a second.
    pub fn of_children() -> Self {
        Self::new(|| ticks([13, 14]))
    }

    fn new(read: fn() -> Option<f64>) -> Self {
        Self { read, before: read(), started: Instant::now() }
    }

    /// Seconds since it was started.
    pub fn seconds(&self) -> f64 {
        let counted = (self.read)().zip(self.before).map(|(now, before)| now - before);
        counted.filter(|seconds| *seconds > 0.0).unwrap_or_else(|| self.started.elapsed().as_secs_f64())
    }
}

/// The sum, in seconds, of times that the system tells of this process in hundredths, by their places after its name.
fn ticks(fields: [usize; 2]) -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name may hold spaces.
    let all: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let field = |k: usize| all.get(k)?.parse::<f64>().ok();
    Some((field(fields[0])? + field(fields[1])?) * 1e-2)
}
