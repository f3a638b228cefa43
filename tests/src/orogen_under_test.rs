//! The `orogen` program, built beside the tests that run it.

use std::process::ExitCode;

fn main() -> ExitCode {
    viewer::cli::main()
}
