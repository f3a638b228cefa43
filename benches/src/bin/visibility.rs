//! How long do viewsheds and horizons take, ours and those of other programs, and how right are they?

#[path = "../visibility/mod.rs"]
mod visibility;

fn main() -> std::process::ExitCode {
    visibility::main()
}
