//! Benchmarks of Orogen: programs in `src/bin`, criterion suites in `benches`, measured results in `results`. This library is
//! their shared code.

pub mod arguments;
pub mod clock;
pub mod figures;
pub mod flight;
pub mod plot;
pub mod report;
pub mod views;
pub mod warm;

use std::process::ExitCode;
use std::time::Duration;

/// The seconds of `reps` runs that follow each other on a warm device, which `run` tells of each, by its number; two more come first
/// and do not count.
///
/// # Errors
/// What a run fails with, or a device that is lost.
pub fn timed_runs(
    gpu: &gpu::Gpu,
    reps: usize,
    mut run: impl FnMut(usize) -> anyhow::Result<Duration>,
) -> anyhow::Result<Vec<f64>> {
    warm::warm_up(gpu)?;
    let seconds = (0..reps + 2).map(|rep| Ok(run(rep)?.as_secs_f64()));
    Ok(seconds.collect::<anyhow::Result<Vec<f64>>>()?.split_off(2))
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
