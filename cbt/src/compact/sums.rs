//! Where are the sums above the blocks, and how does one descend them? A heap of 32-bit counts, walked three levels at a time.

use std::hint::select_unpredictable;

use rayon::prelude::*;

use super::BLOCK_LOG2;
use crate::lines::Lines;

/// Level at which counts begin to fit into 32 bits, counted from the deepest: a node of 2^31 bits.
const WIDE_LOG2: u32 = 31;
/// Blocks that a parallel task counts, and sums that it adds.
const BLOCKS_PER_TASK: usize = 512;

/// Set bits under each node from the root down to the blocks.
pub(super) struct Sums {
    /// Levels below the root; the deepest has one sum for each block.
    levels: u32,
    /// D.
    depth: u32,
    /// The sum of node k at k; entry 0 is unused. Nodes of more than 2^31 bits have theirs in `wide`.
    heap: Lines<u32>,
    /// The same for nodes of more than 2^31 bits: empty up to depth 31.
    wide: Vec<u64>,
}

/// Which of eight equal parts holds the bit of this rank, and the rank within it, by the counts of the left half, of the left
/// quarter of each half, and of the left eighth of each quarter. Without branches, which nothing could predict.
#[inline(always)]
pub(super) fn descend_three(half: u32, quarters: [u32; 2], eighths: [u32; 4], rank: u32) -> (u64, u32) {
    let right = rank >= half;
    let rank = rank - select_unpredictable(right, half, 0);
    let quarter = select_unpredictable(right, quarters[1], quarters[0]);
    let eighths = [0, 1].map(|i| select_unpredictable(right, eighths[2 + i], eighths[i]));
    let second = rank >= quarter;
    let rank = rank - select_unpredictable(second, quarter, 0);
    let eighth = select_unpredictable(second, eighths[1], eighths[0]);
    let third = rank >= eighth;
    let rank = rank - select_unpredictable(third, eighth, 0);
    (4 * u64::from(right) + 2 * u64::from(second) + u64::from(third), rank)
}

/// Levels between the root and the blocks.
const fn block_levels(depth: u32) -> u32 {
    depth.saturating_sub(BLOCK_LOG2)
}

/// Entries of the heap of wide sums.
const fn wide_len(depth: u32) -> u64 {
    if depth <= WIDE_LOG2 { 0 } else { 1 << (depth - WIDE_LOG2) }
}

impl Sums {
    /// Bytes of [`zeroed`](Self::zeroed).
    pub(super) const fn bytes(depth: u32) -> u64 {
        4 * (2 << block_levels(depth)) + 8 * wide_len(depth)
    }

    /// All sums zero, or `None` if there is no memory for them.
    pub(super) fn zeroed(depth: u32) -> Option<Self> {
        let levels = block_levels(depth);
        let heap = Lines::zeroed(usize::try_from(2_u64 << levels).ok()?)?;
        Some(Self { levels, depth, heap, wide: vec![0; wide_len(depth) as usize] })
    }

    /// A copy, or `None` if there is no memory for it.
    pub(super) fn copy(&self) -> Option<Self> {
        let mut heap = Lines::zeroed(self.heap.len())?;
        heap.copy_from_slice(&self.heap);
        Some(Self { heap, wide: self.wide.clone(), ..*self })
    }

    pub(super) const fn levels(&self) -> u32 {
        self.levels
    }

    /// The sum of a node that is not below the blocks.
    #[inline]
    pub(super) fn get(&self, node: u64) -> u64 {
        let node = node as usize;
        self.wide.get(node).copied().unwrap_or_else(|| u64::from(self.heap[node]))
    }

    /// The sums of nodes of at most 2^31 bits, node k at k.
    #[cfg(feature = "gpu")]
    pub(super) fn heap(&self) -> &[u32] {
        &self.heap
    }

    /// Counts the blocks, then adds level by level.
    pub(super) fn reduce(&mut self, bits: &[u64], parallel: bool) {
        let (inner, blocks) = self.heap.split_at_mut(1 << self.levels);
        let count = |(sum, block): (&mut u32, &[u64])| *sum = block.iter().map(|word| word.count_ones()).sum();
        if parallel && blocks.len() > BLOCKS_PER_TASK {
            blocks.par_iter_mut().zip(bits.par_chunks(8)).with_min_len(BLOCKS_PER_TASK).for_each(count);
        } else {
            blocks.iter_mut().zip(bits.chunks(8)).for_each(count);
        }
        let mut children = blocks;
        let mut rest = inner;
        for level in (0..self.levels).rev() {
            let (upper, parents) = rest.split_at_mut(1 << level);
            let add = |(sum, pair): (&mut u32, &[u32])| *sum = pair[0].wrapping_add(pair[1]);
            if parallel && parents.len() > 8 * BLOCKS_PER_TASK {
                parents
                    .par_iter_mut()
                    .zip(children.par_chunks_exact(2))
                    .with_min_len(8 * BLOCKS_PER_TASK)
                    .for_each(add);
            } else {
                parents.iter_mut().zip(children.chunks_exact(2)).for_each(add);
            }
            (children, rest) = (parents, upper);
        }
        for node in (1..self.wide.len()).rev() {
            self.wide[node] = self.get(2 * node as u64) + self.get(2 * node as u64 + 1);
        }
    }

    /// Set bits before block `block`, which may be one past the last.
    pub(super) fn rank(&self, block: u64) -> u64 {
        if block >> self.levels != 0 {
            return self.get(1);
        }
        let mut node = (1 << self.levels) + block;
        let mut before = 0;
        while node > 1 {
            before += if node & 1 == 1 { self.get(node - 1) } else { 0 };
            node >>= 1;
        }
        before
    }

    /// The block that holds the bit equal to `value` of this rank, and the rank within the block; `None` past the last.
    #[inline(always)]
    pub(super) fn select(&self, rank: u64, value: bool) -> Option<(u64, u64)> {
        let size = 1 << self.depth;
        if rank >= self.select_count(1, size, value) {
            return None;
        }
        // Single levels while sums are wide and until the rest is a multiple of three.
        let (mut rank, mut node, mut left) = (rank, 1_u64, self.levels);
        while left % 3 > 0 || (left > 0 && (self.wide.len() as u64) > 2 * node) {
            left -= 1;
            node *= 2;
            let count = self.select_count(node, size >> (self.levels - left), value);
            let right = rank >= count;
            rank -= select_unpredictable(right, count, 0);
            node += u64::from(right);
        }
        // Three levels a step: all the sums that may be asked for are loaded before the first is looked at.
        let mut rank = rank as u32;
        while left > 0 {
            left -= 3;
            let count = |node: u64, left: u32| {
                let sum = self.heap[node as usize];
                if value { sum } else { ((size >> (self.levels - left)) as u32) - sum }
            };
            let eighth = |i: u64| count(8 * node + 2 * i, left);
            let eighths = [eighth(0), eighth(1), eighth(2), eighth(3)];
            let quarters = [count(4 * node, left + 1), count(4 * node + 2, left + 1)];
            let child;
            (child, rank) = descend_three(count(2 * node, left + 2), quarters, eighths, rank);
            node = 8 * node + child;
        }
        Some((node - (1 << self.levels), u64::from(rank)))
    }

    /// Bits equal to `value` under a node of `span` bits.
    fn select_count(&self, node: u64, span: u64, value: bool) -> u64 {
        if value { self.get(node) } else { span - self.get(node) }
    }

    /// The highest ancestor of a node of sum 1 that has sum 1 as well.
    pub(super) fn largest_with_one(&self, mut node: u64) -> u64 {
        while node > 1 && self.get(node / 2) == 1 {
            node /= 2;
        }
        node
    }
}
