//! What is the combination of everything before each item (exclusive), or up to and with it (inclusive)?
//!
//! Reduce-then-scan in even shares (Merrill & Grimshaw 2009): reduce each of at most 1024 chunks, scan the chunk sums,
//! scan each chunk from its sum. 3 dispatches, or 1 when one tile holds all items; 12 bytes of traffic for each `u32`.
//! Over integers of one word, where it is faster: look-back with fallback ([`Form::LookBack`]), 2 dispatches and 8 bytes.
//! No workgroup waits for another without end, so both are right on every device. Operators need not commute.

#[cfg(feature = "gpu")]
mod carries;
mod cpu;
#[cfg(feature = "gpu")]
mod plan;

#[cfg(feature = "gpu")]
pub(crate) use carries::{Carries, CarriesParts};
pub use cpu::{ScanKind, scan};
#[cfg(feature = "gpu")]
pub use plan::{Scan, ScanIo};
