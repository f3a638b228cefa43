//! Benchmarks of Orogen: programs in `src/bin`, suites of criterion in `benches`, measured results in `results`.

pub mod arguments;
pub mod canvas;
pub mod flight;
pub mod plot;

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
