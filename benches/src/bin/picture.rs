//! How true is a picture to the surface that it shows?

#[path = "../picture/mod.rs"]
mod picture;

fn main() -> std::process::ExitCode {
    picture::main()
}
