//! How true is a picture to the surface that it shows, as the eye has it?
//!
//! Settled pictures of random cameras ([`benches::views::cameras`]) are compared with a reference of the same views
//! ([`reference`](mod@reference)). A ray for each of 16 samples a pixel meets the surface in f64. What it meets is lit by the same
//! shaders, with the height and the normal that the surface has there. Mesh, tiles, their filters and the samples of the rasteriser
//! are what differs. [`figures`] says by how much.

mod figures;
mod meter;
mod options;
mod reference;
mod report;
#[cfg(test)]
mod tests;

/// Runs the program.
pub fn main() -> std::process::ExitCode {
    benches::exit_code("picture", report::run(&clap::Parser::parse()))
}
