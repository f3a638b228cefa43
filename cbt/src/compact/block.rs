//! How does one find things among 512 bits without sums? By counting the bits of eight words.

use crate::Node;
use crate::bits::{below, leaf_between, select_in_word, separating_height};
use crate::words::Words;

use super::BLOCK_LOG2;
use super::sums::descend_three;

/// A copy of the bits of a block; the words that a small tree does not have are zero.
#[derive(Clone, Copy)]
pub(super) struct Block([u64; 8]);

impl Block {
    /// Copies block `block` of a bitfield.
    #[inline(always)]
    pub(super) fn load(bits: &Words, block: u64) -> Self {
        Self(bits.load_eight(8 * block as usize))
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

    /// The word that holds the set bit of this rank, and the rank in it.
    #[inline(always)]
    fn word_of(&self, rank: u32) -> (usize, u32) {
        let [c0, c1, c2, c3, c4, c5, c6, _] = self.0.map(u64::count_ones);
        let (word, rank) = descend_three(c0 + c1 + c2 + c3, [c0 + c1, c4 + c5], [c0, c2, c4, c6], rank);
        (word as usize, rank)
    }

    /// Position in the block of the set bit of this rank.
    pub(super) fn select(&self, rank: u64) -> Option<u32> {
        let (word, rank) = self.word_of(u32::try_from(rank).ok()?);
        Some(64 * word as u32 + select_in_word(self.0[word], rank)?)
    }

    /// The leaf that starts at the set bit of this rank, in a block that has others too.
    ///
    /// The leaf is the largest node that holds its bit without the set bits before and after. A set bit in the same word is nearer
    /// than any in another, so these matter only to a bit that is alone in its word. Where it is the first or last of its word,
    /// the position beside it wraps or overflows into one that parts from it above all bits of the word.
    /// `select_in_word` is [`crate::bits::select_in_word`] or does the same.
    #[inline(always)]
    pub(super) fn leaf(
        &self,
        rank: u64,
        depth: u32,
        block: u64,
        select_in_word: impl FnOnce(u64, u32) -> Option<u32>,
    ) -> Option<Node> {
        let (i, rank) = self.word_of(u32::try_from(rank).ok()?);
        let word = self.0[i];
        let bit = u64::from(select_in_word(word, rank)?);
        let previous = 63_u64.wrapping_sub(u64::from((word & below(bit)).leading_zeros()));
        let next = u64::from((word & (u64::MAX << 1 << bit)).trailing_zeros());
        let (mut before, mut after) = (separating_height(bit, previous), separating_height(bit, next));
        if before.min(after) >= 6 {
            (before, after) = self.separating_heights_outside(i, bit, depth);
        }
        Some(leaf_between(depth, (block << BLOCK_LOG2) + 64 * i as u64 + bit, before, after))
    }

    /// Heights at which the only set bit of word `i` parts from the set bits of the words before and after; where the block has
    /// none on a side, the other side decides.
    #[cold]
    fn separating_heights_outside(&self, i: usize, bit: u64, depth: u32) -> (u32, u32) {
        let x = 64 * i as u64 + bit;
        let earlier = (0..i).rev().find(|&i| self.0[i] != 0);
        let before = earlier.map_or(depth, |j| separating_height(x, 64 * j as u64 + u64::from(self.0[j].ilog2())));
        let later = (i + 1..8).find(|&i| self.0[i] != 0);
        let after =
            later.map_or(depth, |j| separating_height(x, 64 * j as u64 + u64::from(self.0[j].trailing_zeros())));
        (before, after)
    }
}
