//! Where is land on the Earth, where is water, and how high do lakes stand? One file as bytes; `README.md` says where it
//! comes from, how it is written and under which licence.
//!
//! ```
//! // A zstd frame.
//! assert_eq!(orogen_water::WATER[..4], [0x28, 0xb5, 0x2f, 0xfd]);
//! ```

/// Outlines of the land and of 1326 lakes in steps of 1/1200 degree, names and levels of the best-known lakes: one zstd
/// frame (Natural Earth at 1:10 000 000, public domain).
pub static WATER: &[u8] = include_bytes!("../water.bin");
