//! The small, fast layout: the bitfield, and aligned sums only above blocks of 512 bits.

mod block;
mod bytes;
mod sums;
#[cfg(target_arch = "x86_64")]
mod x86;

use crate::bits::select_in_word;
use crate::storage::{Storage, bitfield_words, word_mask};
use crate::words::Words;
use crate::{Error, Node, Tree};

use block::Block;
use sums::Sums;

/// log2 of the bits of a block: 512 bits, one cache line of 8 words.
const BLOCK_LOG2: u32 = 9;

/// The same tree in less than a third of the memory, reduced and walked many times faster.
///
/// The bitfield is an array of 64-bit words of its own. Above it a heap of 32-bit sums goes down to blocks of 512 bits and no
/// further: within a block, counting bits is faster than reading sums. With S = max(0, D-9) levels of blocks a tree takes
/// max(8, 2^D / 8) + 4 2^(S+1) bytes: 1.125 bits for each bit of the bitfield, where [`Classic`](crate::Classic) takes 4.
/// (From depth 32 on, the sums of the levels above D-31, which outgrow 32 bits, take 8 bytes each besides.)
///
/// Below a block its answers come from the bits themselves, so [`leaf`](Tree::leaf) is right only while no other thread edits
/// the leaf's block; [`update`](Tree::update) visits every leaf exactly once in spite of edits, in this layout too.
///
/// ```
/// use cbt::{Classic, Compact, Tree};
/// assert!(Classic::memory_bytes(24)? as f64 / Compact::memory_bytes(24)? as f64 > 3.5);
/// # Ok::<(), cbt::Error>(())
/// ```
pub struct Compact {
    depth: u32,
    bits: Words,
    sums: Sums,
    /// Whether the processor has the instructions of the module `x86`.
    #[cfg(target_arch = "x86_64")]
    bit_instructions: bool,
}

impl Compact {
    /// The leaf with `index` leaves before it.
    #[inline(always)]
    fn nth_leaf_portable(&self, index: u64) -> Option<Node> {
        self.leaf_in_block(self.sums.select(index, true)?, select_in_word)
    }

    /// The same with the one instruction that every x86 processor since 2008 has, but that compilers may not assume.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt")]
    fn nth_leaf_popcnt(&self, index: u64) -> Option<Node> {
        self.nth_leaf_portable(index)
    }

    /// The same with those of the module `x86`.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
    fn nth_leaf_x86(&self, index: u64) -> Option<Node> {
        self.leaf_in_block(self.sums.select(index, true)?, |word, rank| x86::select_in_word(word, rank))
    }

    /// The leaf that starts at the set bit of a rank in a block.
    #[inline(always)]
    fn leaf_in_block(
        &self,
        (block, rank): (u64, u64),
        select_in_word: impl FnOnce(u64, u32) -> Option<u32>,
    ) -> Option<Node> {
        let first = (1 << self.sums.levels()) + block;
        if self.sums.get(first) == 1 {
            return Some(Node::from_index(self.sums.largest_with_one(first)));
        }
        self.block(block).leaf(rank, self.depth, block, select_in_word)
    }

    /// Block number `block`, as it is now.
    #[inline(always)]
    fn block(&self, block: u64) -> Block {
        Block::load(&self.bits, block)
    }
}

#[cfg(feature = "gpu")]
impl Compact {
    /// The heap of sums of a tree of depth at most 31, its unused entry 0 holding the depth: the form of the GPU.
    pub(crate) fn sums_with_depth(&self) -> Vec<u32> {
        let mut heap = self.sums.heap().to_vec();
        heap[0] = self.depth;
        heap
    }
}

impl Storage for Compact {
    const LAYOUT: &'static str = "compact";

    fn allocate(depth: u32) -> Result<Self, Error> {
        let refuse = || Error::OutOfMemory { depth, bytes: Self::bytes(depth) };
        let bits = Words::zeroed(bitfield_words(depth) as u64).ok_or_else(refuse)?;
        let sums = Sums::zeroed(depth).ok_or_else(refuse)?;
        Ok(Self {
            #[cfg(target_arch = "x86_64")]
            bit_instructions: x86::is_supported(),
            depth,
            bits,
            sums,
        })
    }

    fn bytes(depth: u32) -> u64 {
        8 * bitfield_words(depth) as u64 + Sums::bytes(depth)
    }

    fn levels(&self) -> u32 {
        self.depth
    }

    fn load_word(&self, word: usize) -> u64 {
        self.bits.load(word)
    }

    fn or_word(&self, word: usize, mask: u64) -> u64 {
        self.bits.or(word, mask & word_mask(self.depth))
    }

    fn clear_in_word(&self, word: usize, mask: u64) -> u64 {
        self.bits.and(word, !mask)
    }

    fn store_word(&mut self, word: usize, bits: u64) {
        let mask = word_mask(self.depth);
        self.bits.plain(|words| words[word] = bits & mask);
    }

    fn sum_up(&mut self, parallel: bool) {
        let sums = &mut self.sums;
        self.bits.plain(|bits| sums.reduce(bits, parallel));
    }

    fn sum(&self, node: Node) -> u64 {
        let level = node.depth();
        if level <= self.sums.levels() {
            return self.sums.get(node.index());
        }
        let (first, len) = (node.offset() << (self.depth - level), 1 << (self.depth - level));
        let inside = first % (1 << BLOCK_LOG2);
        self.block(first >> BLOCK_LOG2).count(inside, inside + len)
    }

    fn rank(&self, x: u64) -> u64 {
        let (block, inside) = (x >> BLOCK_LOG2, x % (1 << BLOCK_LOG2));
        let before = self.sums.rank(block);
        if inside == 0 { before } else { before + self.block(block).count(0, inside) }
    }

    fn select(&self, rank: u64, value: bool) -> Option<u64> {
        let (block, rank) = self.sums.select(rank, value)?;
        let mut bits = self.block(block);
        if !value {
            bits.invert(self.depth);
        }
        Some((block << BLOCK_LOG2) + u64::from(bits.select(rank)?))
    }

    fn nth_leaf(&self, index: u64) -> Option<Node> {
        #[cfg(target_arch = "x86_64")]
        if self.bit_instructions {
            // SAFETY: the processor has the instructions.
            return unsafe { self.nth_leaf_x86(index) };
        }
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has the instruction.
            return unsafe { self.nth_leaf_popcnt(index) };
        }
        self.nth_leaf_portable(index)
    }

    fn to_bytes(&self) -> Vec<u8> {
        bytes::save(self.depth, &self.bits)
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        bytes::load(bytes)
    }
}

impl Clone for Compact {
    /// # Panics
    /// If there is no memory for the copy.
    fn clone(&self) -> Self {
        fn refused<T>() -> T {
            std::alloc::handle_alloc_error(std::alloc::Layout::new::<u64>())
        }
        let bits = self.bits.copy().unwrap_or_else(refused);
        Self { bits, sums: self.sums.copy().unwrap_or_else(refused), ..*self }
    }
}

/// Equal trees have the same depth and the same bits now; sums do not matter.
impl PartialEq for Compact {
    fn eq(&self, other: &Self) -> bool {
        self.same_bits(other)
    }
}

impl Eq for Compact {}

impl std::fmt::Debug for Compact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = self.bits.len();
        f.debug_struct("Compact")
            .field("depth", &self.depth)
            .field("leaf_count", &self.leaf_count())
            .field("words", &words)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use crate::storage::Storage;
    use crate::{Compact, Edit, Tree};

    /// The processor chooses among several ways to a leaf; whichever this one takes, the portable one agrees.
    #[test]
    fn leaves_do_not_depend_on_the_processor() {
        for depth in [1, 5, 9, 10, 12, 16].into_iter().filter(|depth| !cfg!(miri) || *depth < 10) {
            let mut tree = Compact::new(depth).expect("memory");
            for turn in 0..depth {
                let chosen = |leaf: u64| leaf.wrapping_mul(0x9e37_79b9) >> turn & 3 != 0;
                tree.update(|leaf| if chosen(leaf.index()) { Edit::Split } else { Edit::Keep });
            }
            for index in 0..=tree.leaf_count() {
                assert_eq!(tree.nth_leaf(index), tree.nth_leaf_portable(index), "leaf {index} of depth {depth}");
            }
        }
    }
}
