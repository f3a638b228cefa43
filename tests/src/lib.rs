//! Helpers shared by the tests across crates: image comparison, running the program, source data. The tests themselves are in
//! the folder `tests` beside this one.

use std::path::{Path, PathBuf};

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

pub mod image_comparison;
pub mod program;
#[path = "../../elevation/tests/random/mod.rs"]
pub mod random;
pub mod raster;
pub mod reference_data;
pub mod schema;

/// Every file in a folder and below it.
///
/// # Panics
/// If a folder cannot be read.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

// The example of the attributes' README: their own crate cannot depend on the one that re-exports them.
#[cfg(doctest)]
#[doc = include_str!("../../kernels/device/README.md")]
struct DeviceReadme;
