//! How do a fuzzer's bytes become files of tiles? As recipes, because a fuzzer never finds a checksum. The parts of a file
//! are taken from the bytes, in the layout of `elevation::pack`. They are sealed with checksums and offsets that are right.
//! What a damaged disk does is done after that.
//!
//! The layout is written down here a second time, from its description. What is sound by it has to open.

pub mod laws;
mod memory;
mod pack;
mod recipe;

pub use memory::within;
pub use pack::{Part, Payload, Recipe, checksum, tile_header};
pub use recipe::Bytes;

use std::{fs, path::PathBuf};

/// Writes a file that the next one of the same name replaces; in memory where the system has such a folder.
pub fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder().join(name);
    fs::write(&path, bytes).expect("a temporary folder that can be written");
    path
}

/// A folder of this process.
pub fn folder() -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    let base = if memory.is_dir() { memory } else { std::env::temp_dir() };
    let folder = base.join(format!("orogen-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder that can be written");
    folder
}
