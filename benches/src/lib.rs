//! Benchmarks of Orogen: programs in `src/bin`, criterion suites in `benches`, measured results in `results`. This library is
//! their shared code.

pub mod arguments;
pub mod clock;
pub mod figures;
pub mod flight;
pub mod plot;
pub mod programs;
pub mod random;
pub mod report;
pub mod timing;
pub mod views;
pub mod warm;

use std::process::ExitCode;

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
