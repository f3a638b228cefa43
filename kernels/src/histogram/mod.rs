//! How many items fall into each bin?
//!
//! 2 dispatches: clear, count. Workgroups count in workgroup memory (up to 4096 bins) and add what they found, so the
//! traffic is one read of each item. The result is exact and the same on every run.

mod cpu;
#[cfg(feature = "gpu")]
mod plan;

pub use cpu::histogram;
#[cfg(feature = "gpu")]
pub use plan::Histogram;

use crate::Element;

/// Says to which bin an item belongs. Items of no bin have a number of [`BINS`](Self::BINS) or above and are not counted.
///
/// [`#[device]`](macro@crate::device) before the implementation writes the WGSL. By hand it defines
/// `bin_of(stored: Stored, item: u32) -> u32`.
///
/// ```
/// use kernels::{Binning, device, histogram};
///
/// struct Nibble;
/// #[device]
/// impl Binning for Nibble {
///     type Item = u32;
///     const BINS: u32 = 16;
///     const NAME: &'static str = "lowest 4 bits";
///     fn bin(stored: u32, _item: u32) -> u32 { stored & 15 }
/// }
///
/// assert_eq!(histogram::<Nibble>(&[1, 17, 0x30])[..2], [1, 2]);
/// ```
pub trait Binning: Send + Sync + 'static {
    /// What is counted.
    type Item: Element;
    /// Number of bins.
    const BINS: u32;
    /// What errors and pipelines call it.
    const NAME: &'static str;
    /// The WGSL meaning.
    const WGSL: &'static str;
    /// The Rust meaning; `item` is the index.
    fn bin(stored: Self::Item, item: u32) -> u32;
}
