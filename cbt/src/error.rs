//! What can be wrong with an input, with the numbers that say why.

/// Every way in which a call of this crate can be refused.
///
/// ```
/// use cbt::{Classic, Error, Tree};
/// let refused = Classic::new(99);
/// assert_eq!(refused.unwrap_err(), Error::Depth { asked: 99, limit: cbt::MAX_DEPTH });
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A tree has between 1 and `limit` levels below its root.
    #[error("tree depth {asked} is outside 1..={limit}")]
    Depth {
        /// The depth that was asked for.
        asked: u32,
        /// The largest depth that this tree or this crate holds.
        limit: u32,
    },
    /// The system refused the memory of a tree.
    #[error("no memory for a tree of depth {depth}: {bytes} bytes")]
    OutOfMemory {
        /// Maximum depth of the tree.
        depth: u32,
        /// Bytes that it needs.
        bytes: u64,
    },
    /// The node lies below the deepest level of the tree.
    #[error("node {node} is on level {level}, below a tree of depth {depth}")]
    NodeOutside {
        /// Heap index of the node.
        node: u64,
        /// Level of the node.
        level: u32,
        /// Maximum depth of the tree.
        depth: u32,
    },
    /// The node is on the deepest level, so it can have no children to create or to remove.
    #[error("node {node} is on the deepest level, {depth}, and can have no children")]
    AtMaximumDepth {
        /// Heap index of the node.
        node: u64,
        /// Maximum depth of the tree.
        depth: u32,
    },
    /// There are fewer leaves than that.
    #[error("leaf {index} was asked for, but the tree has {count} leaves")]
    LeafIndex {
        /// The index that was asked for.
        index: u64,
        /// Leaves at the last reduction.
        count: u64,
    },
    /// There are fewer bits than that.
    #[error("bit {bit} is outside a bitfield of {capacity} bits")]
    BitOutside {
        /// The bit that was named.
        bit: u64,
        /// Bits of the bitfield, 2^depth.
        capacity: u64,
    },
    /// Bit 0 is where the first leaf of every tree starts; it cannot be cleared.
    #[error("bit 0 starts the first leaf of every tree and cannot be cleared")]
    FirstBit,
    /// The set bits are not the leaves of a binary tree.
    #[error("the bits are not those of a tree: no leaf of {depth} levels starts at bit {bit} and ends at bit {end}")]
    NotATree {
        /// Start of the first stretch that is not one node.
        bit: u64,
        /// The next set bit, or the capacity.
        end: u64,
        /// Maximum depth of the tree.
        depth: u32,
    },
    /// The bytes do not begin as a saved tree does.
    #[error("not a saved {layout} tree: {because}")]
    Foreign {
        /// Name of the layout that was asked to read the bytes.
        layout: &'static str,
        /// The mark that was missing.
        because: &'static str,
    },
    /// The bytes are no tree that was saved: what they say twice differs.
    #[error(
        "a saved {layout} tree of depth {depth} contradicts itself at byte {byte}: its bits say {expected:#04x}, not {found:#04x}"
    )]
    Contradiction {
        /// Name of the layout that was asked to read the bytes.
        layout: &'static str,
        /// Depth of the tree.
        depth: u32,
        /// The first byte that does not follow from the bits.
        byte: u64,
        /// What follows from the bits.
        expected: u8,
        /// What is there.
        found: u8,
    },
    /// The bytes begin as a saved tree does, but their number is not that of its depth.
    #[error("a saved {layout} tree of depth {depth} has {expected} bytes, not {found}")]
    Length {
        /// Name of the layout that was asked to read the bytes.
        layout: &'static str,
        /// The depth that the bytes announce.
        depth: u32,
        /// Bytes of a tree of that depth.
        expected: u64,
        /// Bytes given.
        found: u64,
    },
}
