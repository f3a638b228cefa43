//! Helpers shared by the tests across crates: image comparison, running the program, source data. The tests themselves are in
//! the folder `tests` beside this one.

/// The folders of the crates whose modules depend one way.
pub const CRATES: [&str; 12] = [
    "foreign",
    "shaders",
    "gpu",
    "kernels",
    "cbt",
    "elevation",
    "analysis",
    "sources",
    "terrain",
    "viewer",
    "benches",
    "python",
];

pub mod picture;
pub mod program;
#[path = "../../elevation/tests/random/mod.rs"]
pub mod random;
pub mod raster;
pub mod source;
