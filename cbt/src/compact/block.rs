//! How does one find things among 512 bits without sums? By counting the bits of eight words.

use crate::Node;
use crate::bits::{below, leaf_between, parting, select_in_word};

use super::BLOCK_LOG2;

/// A copy of the bits of a block; the words that a small tree does not have are zero.
#[derive(Clone, Copy)]
pub(super) struct Block([u64; 8]);

impl Block {
    /// Copies block `block` of a bitfield of `len` words.
    #[inline(always)]
    pub(super) fn load(word: impl Fn(usize) -> u64, block: usize, len: usize) -> Self {
        Self(std::array::from_fn(|i| if 8 * block + i < len { word(8 * block + i) } else { 0 }))
    }

    /// Turns set bits into clear ones and clear ones, as far as a tree of depth `depth` has them, into set ones.
    pub(super) fn invert(&mut self, depth: u32) {
        let len = if depth < BLOCK_LOG2 { 1 << depth } else { 1 << BLOCK_LOG2 };
        for (i, word) in (0_u64..).zip(&mut self.0) {
            *word = !*word & below(u64::saturating_sub(len, 64 * i));
        }
    }

    /// Set bits among bits `first..end` of the block.
    #[inline]
    pub(super) fn count(&self, first: u64, end: u64) -> u64 {
        let counted = (0_u64..).zip(&self.0).map(|(i, word)| {
            let inside = below(end.saturating_sub(64 * i)) & !below(first.saturating_sub(64 * i));
            (word & inside).count_ones()
        });
        u64::from(counted.sum::<u32>())
    }

    /// The word that holds the set bit of this rank, and the rank in it: without branches, so that a processor can work on
    /// the next query meanwhile.
    #[inline(always)]
    fn word_of(&self, rank: u32) -> (usize, u32) {
        let (mut total, mut passed, mut at) = (0, 0, 0);
        for word in &self.0[..7] {
            total += word.count_ones();
            let beyond = total <= rank;
            passed = if beyond { total } else { passed };
            at += usize::from(beyond);
        }
        (at, rank - passed)
    }

    /// Position in the block of the set bit of this rank.
    pub(super) fn select(&self, rank: u64) -> Option<u32> {
        let (word, rank) = self.word_of(u32::try_from(rank).ok()?);
        Some(64 * word as u32 + select_in_word(self.0[word], rank)?)
    }

    /// The leaf that starts at the set bit of this rank, in a block that has others too.
    ///
    /// The leaf is the largest node that holds its bit without the set bits before and after. One of them is in this block, so
    /// the leaf is too; where the block has none on a side, the other side decides.
    #[inline(always)]
    pub(super) fn leaf(&self, rank: u64, depth: u32, block: u64) -> Option<Node> {
        let (i, rank) = self.word_of(u32::try_from(rank).ok()?);
        let bit = select_in_word(self.0[i], rank)?;
        let x = 64 * i as u64 + u64::from(bit);
        let lower = self.0[i] & below(u64::from(bit));
        let upper = self.0[i] & !below(u64::from(bit) + 1);
        let before = if lower != 0 {
            parting(x, 64 * i as u64 + u64::from(lower.ilog2()))
        } else {
            let earlier = (0..i).rev().find(|&i| self.0[i] != 0);
            earlier.map_or(depth, |j| parting(x, 64 * j as u64 + u64::from(self.0[j].ilog2())))
        };
        let after = if upper != 0 {
            parting(x, 64 * i as u64 + u64::from(upper.trailing_zeros()))
        } else {
            let later = (i + 1..8).find(|&i| self.0[i] != 0);
            later.map_or(depth, |j| parting(x, 64 * j as u64 + u64::from(self.0[j].trailing_zeros())))
        };
        Some(leaf_between(depth, (block << BLOCK_LOG2) + x, before, after))
    }
}
