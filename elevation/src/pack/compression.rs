//! How are bytes compressed? By zstd: with its own library, and in browsers, for which that would need a C compiler, with a decoder
//! in Rust. Packs are written by native programs.

#[cfg(any(target_family = "wasm", test))]
mod in_rust;
#[cfg(not(target_family = "wasm"))]
mod native;

#[cfg(target_family = "wasm")]
pub(crate) use in_rust::{Decoder, compress, decompress};
#[cfg(not(target_family = "wasm"))]
pub(crate) use native::{Decoder, compress, decompress};

/// Largest window that a compressed stream may ask for, by its logarithm: that of the effort with which indices are compressed is
/// smaller.
const MOST_WINDOW_LOG: u32 = 24;
