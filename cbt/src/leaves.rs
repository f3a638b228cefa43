//! How are leaves visited in order? By scanning the words of the bitfield, a chunk at a time, past chunks whose sum is zero.
//!
//! A leaf is the largest node that holds its bit and no other set bit, so the bit before and the bit after determine it.
//! That is one subtraction-free step per leaf (`bits::leaf_between`). A descent from the root needs D reads of sums.

use std::ops::Range;

use crate::bits::{leaf_between, separating_height};
use crate::{Node, Tree};

/// log2 of the bits in a chunk, the unit of skipping and of parallel work: 4096 bits, 64 words.
const CHUNK_LOG2: u32 = 12;

/// Number of chunks of a tree of this depth, at least 1.
pub(crate) const fn chunk_count(depth: u32) -> usize {
    if depth <= CHUNK_LOG2 { 1 } else { 1 << (depth - CHUNK_LOG2) }
}

/// The node that spans a chunk.
pub(crate) const fn chunk_node(depth: u32, chunk: usize) -> Node {
    Node::from_index((1 << depth.saturating_sub(CHUNK_LOG2)) + chunk as u64)
}

/// The words of a chunk.
pub(crate) const fn chunk_words(depth: u32, chunk: usize) -> Range<usize> {
    let len = crate::storage::bitfield_words(depth) / chunk_count(depth);
    chunk * len..(chunk + 1) * len
}

/// The bits of a chunk.
pub(crate) const fn chunk_bits(depth: u32, chunk: usize) -> Range<u64> {
    let len = (1_u64 << depth) / chunk_count(depth) as u64;
    chunk as u64 * len..(chunk as u64 + 1) * len
}

/// The set bits of a run of chunks, in order.
pub(crate) struct SetBits<'a, T> {
    tree: &'a T,
    /// Bits of the word at `at` that are still to come.
    word: u64,
    /// The word being read.
    at: usize,
    /// End of the words of the current chunk.
    chunk_end: usize,
    /// Chunks after the current one.
    chunks: Range<usize>,
}

impl<'a, T: Tree> SetBits<'a, T> {
    pub(crate) fn new(tree: &'a T, chunks: Range<usize>) -> Self {
        Self { tree, word: 0, at: 0, chunk_end: 0, chunks }
    }

    /// Moves to the next word that has set bits.
    fn refill(&mut self) -> Option<()> {
        loop {
            self.at += 1;
            if self.at >= self.chunk_end {
                let depth = self.tree.depth();
                let chunk = self.chunks.find(|&chunk| self.tree.sum(chunk_node(depth, chunk)) > 0)?;
                let words = chunk_words(depth, chunk);
                (self.at, self.chunk_end) = (words.start, words.end);
            }
            self.word = self.tree.load_word(self.at);
            if self.word != 0 {
                return Some(());
            }
        }
    }
}

impl<T: Tree> Iterator for SetBits<'_, T> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        if self.word == 0 {
            self.refill()?;
        }
        let bit = self.at as u64 * 64 + u64::from(self.word.trailing_zeros());
        self.word &= self.word - 1;
        Some(bit)
    }
}

/// The last set bit before the chunk.
pub(crate) fn last_bit_before<T: Tree>(tree: &T, chunk: usize) -> Option<u64> {
    let depth = tree.depth();
    let filled = (0..chunk).rev().filter(|&chunk| tree.sum(chunk_node(depth, chunk)) > 0);
    filled.flat_map(|chunk| chunk_words(depth, chunk).rev()).find_map(|at| {
        let word = tree.load_word(at);
        (word != 0).then(|| at as u64 * 64 + u64::from(word.ilog2()))
    })
}

/// The leaves of a tree from left to right, as [`Tree::leaves`] gives them.
///
/// It reads each word of the bitfield once, so it takes a nanosecond or two per leaf. Edits made while it runs may be seen or not.
pub struct Leaves<'a, T> {
    tree: &'a T,
    bits: SetBits<'a, T>,
    /// Start of the leaf to give next.
    next: Option<u64>,
    /// Height at which that leaf parts from the one before it.
    before: u32,
    /// Leaves at or after this bit are not given.
    end: u64,
}

impl<'a, T: Tree> Leaves<'a, T> {
    pub(crate) fn all(tree: &'a T) -> Self {
        Self::of_chunks(tree, 0..chunk_count(tree.depth()))
    }

    /// The leaves that start in these chunks.
    pub(crate) fn of_chunks(tree: &'a T, chunks: Range<usize>) -> Self {
        let depth = tree.depth();
        let end = chunk_bits(depth, chunks.end - 1).end;
        let previous = last_bit_before(tree, chunks.start);
        let mut bits = SetBits::new(tree, chunks.start..chunk_count(depth));
        let next = bits.next();
        let before = previous.zip(next).map_or(depth, |(previous, next)| separating_height(previous, next));
        Self { tree, bits, next, before, end }
    }
}

impl<T: Tree> Iterator for Leaves<'_, T> {
    type Item = Node;

    fn next(&mut self) -> Option<Node> {
        let start = self.next.filter(|&start| start < self.end)?;
        self.next = self.bits.next();
        let depth = self.tree.depth();
        let after = self.next.map_or(depth, |next| separating_height(start, next));
        let leaf = leaf_between(depth, start, self.before, after);
        self.before = after;
        Some(leaf)
    }

    fn fold<B, F: FnMut(B, Node) -> B>(self, init: B, mut f: F) -> B {
        let Self { tree, mut bits, next, mut before, end } = self;
        let depth = tree.depth();
        let mut folded = init;
        let Some(mut start) = next.filter(|&start| start < end) else { return folded };
        loop {
            let base = bits.at as u64 * 64;
            if bits.word == u64::MAX << 1 && start == base && depth >= 6 {
                // A word of ones: both bits of every pair are set, so all its leaves but perhaps the last are on the deepest
                // level, and that one is too, whatever comes next.
                for start in base..base + 63 {
                    folded = f(folded, Node::from_index((1 << depth) | start));
                }
                (start, before, bits.word) = (base + 63, 0, 0);
            }
            while bits.word != 0 {
                let next = base + u64::from(bits.word.trailing_zeros());
                bits.word &= bits.word - 1;
                let after = separating_height(start, next);
                folded = f(folded, leaf_between(depth, start, before, after));
                (start, before) = (next, after);
            }
            let next = bits.next();
            let after = next.map_or(depth, |next| separating_height(start, next));
            folded = f(folded, leaf_between(depth, start, before, after));
            match next {
                Some(next) if next < end => (start, before) = (next, after),
                _ => return folded,
            }
        }
    }
}

impl<T: Tree> std::iter::FusedIterator for Leaves<'_, T> {}

impl<T> std::fmt::Debug for Leaves<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Leaves").field("next_bit", &self.next).field("end", &self.end).finish_non_exhaustive()
    }
}
