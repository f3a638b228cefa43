//! What are the combinations of all aligned pairs, fours, eights ... of items, every level kept?
//!
//! The sum reduction of a concurrent binary tree, the minima and maxima of a mip chain, the boxes of a hierarchy.
//! The result is a heap: node 1 is the root, the children of node k are 2k and 2k + 1, level d begins at 2^d.
//! A dispatch makes 12 levels of 4-byte items (11 of 8 bytes, 10 of 16 and more), so 2^24 items take two.
//!
//! With [`PopCount`](crate::PopCount) the items are the words of a bitfield and their level need not be stored.

mod cpu;
#[cfg(feature = "gpu")]
mod plan;

pub use cpu::pyramid;
#[cfg(feature = "gpu")]
pub use plan::Pyramid;

/// Size of a pyramid, and whether the items are nodes of its heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PyramidShape {
    /// There are 2^depth items; those beyond the count are the operator's identity.
    pub depth: u32,
    /// Whether level `depth`, the items themselves, is stored.
    pub store_items: bool,
}

impl PyramidShape {
    /// Elements of the heap; element 0 is never written.
    ///
    /// ```
    /// use kernels::PyramidShape;
    /// assert_eq!(PyramidShape { depth: 3, store_items: true }.nodes(), 16);
    /// assert_eq!(PyramidShape { depth: 3, store_items: false }.nodes(), 8);
    /// ```
    pub fn nodes(self) -> u32 {
        1 << (self.depth + u32::from(self.store_items))
    }
}
