//! How many tiles a second does one core make from a raster, and how many does gdalwarp?

#[path = "../tiles/mod.rs"]
mod tiles;

fn main() -> std::process::ExitCode {
    tiles::main()
}
