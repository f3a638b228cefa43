//! Which items pass a test, added behind those already there, in any order?
//!
//! One dispatch: each workgroup asks for room for all the kept items of a tile with one atomic addition. Cheaper than
//! [`compact`](crate::Compaction), which keeps the order; here tiles land in the order of their arrival.
//! Shaders of the caller's own append by a function that they import: [`Kernels::bind_append`].

mod cpu;
#[cfg(feature = "gpu")]
mod library;
#[cfg(feature = "gpu")]
mod plan;

pub use cpu::{AppendCounter, append};
#[cfg(feature = "gpu")]
pub use plan::Append;
