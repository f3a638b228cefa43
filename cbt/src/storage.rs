//! What must a layout provide? The bitfield word by word, and the questions that its sums answer.

use crate::{Error, MAX_DEPTH, Node};

/// The part of a tree that depends on its layout. Everything else is written once, in [`crate::Tree`].
///
/// Word `i` holds bits `64 i ..` of the bitfield, lowest first; in a tree of fewer than 64 bits the rest of word 0 reads as
/// zero and stays as it is. "The sums" are the counts that the last reduction left.
pub trait Storage: Send + Sync + Sized {
    /// Name of the layout.
    const LAYOUT: &'static str;

    /// Memory for a tree of a depth in `1..=MAX_DEPTH`, all zero.
    fn allocate(depth: u32) -> Result<Self, Error>;
    /// Bytes that [`allocate`](Self::allocate) asks for.
    fn bytes(depth: u32) -> u64;
    /// D.
    fn levels(&self) -> u32;

    /// The word as it is now.
    fn load_word(&self, word: usize) -> u64;
    /// Sets the bits of `mask` with one atomic operation; returns the word before.
    fn or_word(&self, word: usize, mask: u64) -> u64;
    /// Clears the bits of `mask` with one atomic operation; returns the word before.
    fn clear_in_word(&self, word: usize, mask: u64) -> u64;
    /// Replaces the word.
    fn store_word(&mut self, word: usize, bits: u64);

    /// Makes the sums those of the bits, with rayon or on this thread.
    fn sum_up(&mut self, parallel: bool);
    /// Set bits under a node that is not below the deepest level.
    fn sum(&self, node: Node) -> u64;
    /// Set bits before `x`, for `x` up to and including the capacity.
    fn rank(&self, x: u64) -> u64;
    /// The bit equal to `value` that has `rank` such bits before it.
    fn select(&self, rank: u64, value: bool) -> Option<u64>;
    /// The leaf with `index` leaves before it.
    fn nth_leaf(&self, index: u64) -> Option<Node>;

    /// The whole memory, as saved.
    fn to_bytes(&self) -> Vec<u8>;
    /// A tree from saved bytes; its sums need not be right yet.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error>;
}

/// Accepts the depths that trees can have.
pub(crate) fn check_depth(depth: u32) -> Result<(), Error> {
    if (1..=MAX_DEPTH).contains(&depth) { Ok(()) } else { Err(Error::Depth { asked: depth, limit: MAX_DEPTH }) }
}

/// 64-bit words of the bitfield of a tree of this depth.
pub(crate) const fn bitfield_words(depth: u32) -> usize {
    if depth <= 6 { 1 } else { 1 << (depth - 6) }
}

/// The bits of word 0 that belong to the bitfield: all of them from depth 6 on.
pub(crate) const fn word_mask(depth: u32) -> u64 {
    if depth >= 6 { u64::MAX } else { (1 << (1 << depth)) - 1 }
}
