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

    /// Counts what programs work that this one has run and waited for, to a hundredth of a second.
    pub fn of_children() -> Self {
        Self::new(|| {
            let text = std::fs::read_to_string("/proc/self/stat").ok()?;
            // After the name, which may hold spaces: fields 16 and 17 are the children's times in hundredths.
            let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
            let ticks = |k: usize| fields.get(k)?.parse::<f64>().ok();
            Some((ticks(13)? + ticks(14)?) * 1e-2)
        })
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
