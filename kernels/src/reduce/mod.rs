//! What is the ordered combination of all items?
//!
//! Even-share reduction (Merrill & Grimshaw 2009; CUB's `DeviceReduce`): at most 1024 workgroups each walk a share of the
//! tiles (a contiguous run, or every 1024th where the operator commutes) and keep one value; one more combines those. 2 dispatches, or 1 when one tile holds all items;
//! each item is read once. One dispatch would not do for more: whoever ends the sum would have to know which values are of this
//! run, so posts would be cleared before, in a dispatch of their own. The combination tree depends only on the count, so floats repeat bit for bit.

mod cpu;
#[cfg(feature = "gpu")]
mod plan;

pub use cpu::reduce;
pub(crate) use cpu::reduce_chunk;
#[cfg(feature = "gpu")]
pub use plan::Reduce;
