//! How is a time taken? Repetitions until a quarter of a second has passed, the median of them.

use std::time::{Duration, Instant};

use benches::figures::median;

/// Fewest repetitions of anything that takes less than [`LONG`].
const FEWEST: usize = 5;
/// Most repetitions.
const MOST: usize = 200;
/// Time after which enough has been repeated.
const ENOUGH: Duration = Duration::from_millis(250);
/// Something that takes this long is not repeated.
const LONG: Duration = Duration::from_secs(2);

/// Median, minimum and number of repetitions.
#[derive(Clone, Copy, Debug)]
pub struct Timed {
    /// Median in seconds.
    pub median_s: f64,
    /// Minimum in seconds.
    pub min_s: f64,
    /// Repetitions.
    pub runs: usize,
}

impl Timed {
    /// From the times of single repetitions, in seconds; there must be one at least.
    pub fn of(mut seconds: Vec<f64>) -> Self {
        seconds.sort_by(f64::total_cmp);
        Self { min_s: seconds[0], runs: seconds.len(), median_s: median(seconds) }
    }

    /// The same for one of `count` operations that each repetition makes.
    pub fn per(self, count: usize) -> Self {
        Self { median_s: self.median_s / count as f64, min_s: self.min_s / count as f64, ..self }
    }
}

/// Times `work` over and over, after one repetition that does not count unless it is a long one.
pub fn time<R>(mut work: impl FnMut() -> R) -> Timed {
    let mut once = || {
        let start = Instant::now();
        std::hint::black_box(work());
        start.elapsed()
    };
    let first = once();
    if first > LONG {
        return Timed::of(vec![first.as_secs_f64()]);
    }
    let mut seconds = Vec::new();
    let start = Instant::now();
    while seconds.len() < FEWEST || (seconds.len() < MOST && start.elapsed() < ENOUGH) {
        seconds.push(once().as_secs_f64());
    }
    Timed::of(seconds)
}
