//! How far is the drawn mesh from the surface, in pixels?

#[path = "../fidelity/mod.rs"]
mod fidelity;

fn main() -> std::process::ExitCode {
    fidelity::main()
}
