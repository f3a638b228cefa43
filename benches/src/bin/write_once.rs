//! How fast are kernels that are written once, in Rust, on one core, on all, and on a device?

#[path = "../write_once/mod.rs"]
mod write_once;

fn main() -> std::process::ExitCode {
    write_once::main()
}
