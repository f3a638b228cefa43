//! Which items pass a test, in their order?
//!
//! Stable compaction by reduce-then-scan: count each chunk's kept items, scan the counts, write each chunk from its place.
//! 3 dispatches, or 1 when one tile holds all items; 8 bytes read for each 4-byte item and 4 written for each kept one.
//! Where it is faster: look-back with fallback ([`Form::LookBack`]), 2 dispatches, and each item is read once.
//! No flag array exists: reduce-then-scan evaluates the predicate twice. The order, and so the result, is the same on every run.

mod cpu;
#[cfg(feature = "gpu")]
mod plan;

pub use cpu::{compact, compact_indices};
#[cfg(feature = "gpu")]
pub use plan::Compaction;
