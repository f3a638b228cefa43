//! What is the ordered combination of all items?
//!
//! Even-share reduction (Merrill & Grimshaw 2009; CUB's `DeviceReduce`): at most 1024 workgroups each walk a share of the tiles and store one
//! value. A share is a contiguous run, or every 1024th tile where the operator commutes. One more workgroup combines those values. 2 dispatches,
//! or 1 when one tile holds all items; each item is read once. One dispatch would not do for more: whoever ends the sum would have to know which
//! values are of this run. So posts would be cleared before, in a dispatch of their own. The combination tree depends only on the count, so
//! floats repeat bit for bit.

mod cpu;
#[cfg(feature = "gpu")]
mod plan;

pub use cpu::reduce;
pub(crate) use cpu::reduce_chunk;
#[cfg(feature = "gpu")]
pub use plan::Reduce;
