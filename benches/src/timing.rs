//! How is a time measured? By repeated runs on the CPU, and by timestamps of a warm device.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use gpu::{Gpu, timing::PassTimer};

use crate::warm::warm_up;

/// Fewest runs on the CPU that count.
const FEWEST: usize = 5;
/// Seconds of all runs on the CPU, about.
const ENOUGH_S: f64 = 0.5;
/// A run of more seconds is not repeated.
const LONG_S: f64 = 2.0;

/// The seconds that a run takes, and its result.
pub fn timed<T>(run: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = black_box(run());
    (start.elapsed().as_secs_f64(), result)
}

/// The seconds of runs on the CPU, as `run` returns them: five to `most` of them in about half a second. One more comes first and
/// does not count, unless it takes two seconds: then it is the only one.
///
/// ```
/// use benches::timing::repeated;
/// assert_eq!(repeated(20, || 0.1).len(), 5);
/// assert_eq!(repeated(20, || 1e-6).len(), 20);
/// assert_eq!(repeated(20, || 3.0), [3.0]);
/// ```
pub fn repeated(most: usize, mut run: impl FnMut() -> f64) -> Vec<f64> {
    let first = run();
    if first > LONG_S {
        return vec![first];
    }
    let times = (ENOUGH_S / first.max(1e-9)) as usize;
    (0..times.max(FEWEST).min(most)).map(|_| run()).collect()
}

/// One thread, and all of them where there are several.
pub fn thread_counts() -> Vec<usize> {
    let all = rayon::current_num_threads();
    if all == 1 { vec![1] } else { vec![1, all] }
}

/// The seconds of `reps` runs on a warm device, as `run` returns them for the number of each. Two more come first and do not count.
///
/// # Errors
/// What a run fails with, or a device that is lost.
pub fn timed_runs(gpu: &Gpu, reps: usize, mut run: impl FnMut(usize) -> Result<Duration>) -> Result<Vec<f64>> {
    warm_up(gpu)?;
    let seconds = (0..reps + 2).map(|rep| Ok(run(rep)?.as_secs_f64()));
    Ok(seconds.collect::<Result<Vec<f64>>>()?.split_off(2))
}

/// The same of compute passes by the device's clock, each in a submission of its own. With `twice` an equal, untimed pass comes
/// before each in the same submission.
///
/// # Errors
/// A device that has no timestamps, or is lost.
pub fn timed_passes(
    gpu: &Gpu,
    reps: usize,
    twice: bool,
    encode: impl Fn(usize, &mut wgpu::ComputePass<'_>),
) -> Result<Vec<f64>> {
    let mut timer = PassTimer::new(gpu, 0).context("the device has no timestamps")?;
    timed_runs(gpu, reps, |rep| {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        if twice {
            encode(rep, &mut encoder.begin_compute_pass(&Default::default()));
        }
        timer.encode_with(&mut encoder, |pass| encode(rep, pass));
        gpu.queue.submit([encoder.finish()]);
        Ok(timer.read(gpu)?.0)
    })
}
