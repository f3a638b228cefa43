//! Benchmarks of Orogen: programs in `src/bin`, suites of criterion in `benches`, measured results in `results`.

pub mod arguments;
pub mod canvas;
pub mod flight;
pub mod plot;
pub mod report_file;

use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The seconds of `reps` runs that follow each other, which `run` tells of each, by its number; those of the warm-up, at least
/// two, do not count.
///
/// # Errors
/// What a run fails with.
pub fn timed_runs(
    caps: &kernels::gpu::Caps,
    reps: usize,
    mut run: impl FnMut(usize) -> anyhow::Result<Duration>,
) -> anyhow::Result<Vec<f64>> {
    let mut seconds = Vec::with_capacity(reps);
    let start = Instant::now();
    for rep in 0.. {
        if seconds.len() == reps {
            break;
        }
        let elapsed = run(rep)?;
        if rep >= 2 && start.elapsed() >= warm_up(caps) {
            seconds.push(elapsed.as_secs_f64());
        }
    }
    Ok(seconds)
}

/// How long a device works before anything is timed on it: while the host prepared data or checked results hardware was idle, and
/// lowered its clocks, an H200 to a sixth.
pub fn warm_up(caps: &kernels::gpu::Caps) -> Duration {
    if caps.is_software() { Duration::ZERO } else { Duration::from_millis(500) }
}

/// The exit code of a program; a failure goes to stderr after the program's name.
pub fn exit_code(program: &str, result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{program}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
