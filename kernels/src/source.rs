//! Where do a primitive's items come from? From a slice as it is, or through a function of what is stored.

use crate::{Element, device};
use std::marker::PhantomData;

/// Items made from stored elements while they are read, so that no intermediate array is written.
///
/// [`#[device]`](macro@device) before the implementation writes the WGSL. By hand it defines
/// `source_map(stored: Stored, item: u32) -> Elem`.
///
/// ```
/// use kernels::{Source, PopCount};
/// assert_eq!(PopCount::map(0b1011, 0), 3);
/// ```
pub trait Source: Send + Sync + 'static {
    /// What the bound slice holds.
    type Stored: Element;
    /// What the operator combines.
    type Item: Element;
    /// What errors and pipelines call it.
    const NAME: &'static str;
    /// The WGSL meaning.
    const WGSL: &'static str;
    /// The Rust meaning; `item` is the index.
    fn map(stored: Self::Stored, item: u32) -> Self::Item;
}

/// The stored elements themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain<T>(PhantomData<T>);

impl<T: Element> Source for Plain<T> {
    type Stored = T;
    type Item = T;
    const NAME: &'static str = "plain";
    const WGSL: &'static str = "fn source_map(stored: Stored, item: u32) -> Elem { return stored; }";
    #[inline]
    fn map(stored: T, _item: u32) -> T {
        stored
    }
}

/// The number of set bits of each word of a bitfield: the leaves of a concurrent binary tree, 32 at a time.
#[derive(Clone, Copy, Debug, Default)]
pub struct PopCount;

#[device]
impl Source for PopCount {
    type Stored = u32;
    type Item = u32;
    const NAME: &'static str = "popcount";
    #[inline]
    fn map(stored: u32, _item: u32) -> u32 {
        stored.count_ones()
    }
}
