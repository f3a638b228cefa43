//! Where is land on the Earth, where is water, how high do lakes stand, and where do countries end? Two files as bytes;
//! `README.md` says where they come from, how they are written and under which licence.
//!
//! ```
//! // A zstd frame.
//! assert_eq!(orogen_water::WATER[..4], [0x28, 0xb5, 0x2f, 0xfd]);
//! ```

/// Outlines of the land and of 1326 lakes in steps of 1/1200 degree, names and levels of the best-known lakes: one zstd
/// frame (Natural Earth at 1:10 000 000, public domain).
pub static WATER: &[u8] = include_bytes!("../water.bin");

/// Borders of countries on land in steps of 1/1200 degree: one zstd frame (Natural Earth at 1:10 000 000, public domain).
pub static BORDERS: &[u8] = include_bytes!("../borders.bin");
