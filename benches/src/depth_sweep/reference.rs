//! What does the published algorithm cost as it is written? The yardstick: a plain port, nothing clever, nothing wrong.
//!
//! Dupuy 2020; Grachev & Ushakov 2023. The heap is an array of atomic 32-bit words. The reduction goes level by level and adds
//! the sums of two children, each read from the packed heap. A sum is written with one atomic AND and one atomic OR on each
//! word it touches. A leaf is found by descending from the root (Fig. 8), all leaves by doing so for every index. Decoding the
//! bitfield alone reads every bit in order (Fig. 5).

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use cbt::{Edit, Node};
use rayon::prelude::*;

use super::trees::mix;

/// The bit-packed heap of a tree of depth `depth`.
pub struct Reference {
    depth: u32,
    heap: Vec<AtomicU32>,
}

impl Reference {
    /// A tree that has the bitfield of `tree`; not reduced.
    pub fn of(tree: &impl cbt::Tree) -> Self {
        let depth = tree.depth();
        let words = ((4_usize << depth) / 32).max(1);
        let this = Self { depth, heap: (0..words).map(|_| AtomicU32::new(0)).collect() };
        for x in (0..tree.capacity()).filter(|&x| tree.bit(x)) {
            this.write((1 << depth) + x, 1);
        }
        this
    }

    /// Bytes that a tree of depth `depth` takes.
    pub fn bytes(depth: u32) -> u64 {
        (4_u64 << depth) / 8
    }

    /// First bit and width of node k: 2^(d+1) + k (D-d+1), D-d+1.
    fn field(&self, node: u64) -> (u64, u32) {
        let level = node.ilog2();
        let width = self.depth - level + 1;
        ((2 << level) + node * u64::from(width), width)
    }

    fn read(&self, node: u64) -> u32 {
        let (start, width) = self.field(node);
        let (word, shift) = ((start / 32) as usize, (start % 32) as u32);
        let low = (32 - shift).min(width);
        let bits = self.heap[word].load(Relaxed) >> shift & mask(low);
        if low == width { bits } else { bits | (self.heap[word + 1].load(Relaxed) & mask(width - low)) << low }
    }

    fn write(&self, node: u64, sum: u32) {
        let (start, width) = self.field(node);
        let (word, shift) = ((start / 32) as usize, (start % 32) as u32);
        let low = (32 - shift).min(width);
        self.heap[word].fetch_and(!(mask(low) << shift), Relaxed);
        self.heap[word].fetch_or((sum & mask(low)) << shift, Relaxed);
        if low < width {
            self.heap[word + 1].fetch_and(!mask(width - low), Relaxed);
            self.heap[word + 1].fetch_or(sum >> low, Relaxed);
        }
    }

    fn reduce_node(&self, node: u64) {
        self.write(node, self.read(2 * node) + self.read(2 * node + 1));
    }

    /// Level by level, the nodes of a level on rayon's current pool.
    pub fn reduce(&self) {
        for level in (0..self.depth).rev() {
            (1_usize << level..2 << level)
                .into_par_iter()
                .with_min_len(1 << 10)
                .for_each(|node| self.reduce_node(node as u64));
        }
    }

    /// Number of leaves.
    pub fn leaf_count(&self) -> u64 {
        u64::from(self.read(1))
    }

    /// Heap index of the leaf that has `index` leaves before it.
    pub fn leaf(&self, index: u64) -> u64 {
        let mut index = index as u32;
        let mut node = 1;
        let mut leaves = self.read(1);
        while leaves > 1 {
            node *= 2;
            let left = self.read(node);
            if index < left {
                leaves = left;
            } else {
                index -= left;
                node += 1;
                leaves = self.read(node);
            }
        }
        node
    }

    /// Visits every leaf by its index, on rayon's current pool; returns a mix of their heap indices.
    pub fn decode_all(&self) -> u64 {
        let leaves = (0..self.leaf_count() as usize).into_par_iter().with_min_len(1 << 8);
        leaves.fold(|| 0, |sum, index| mix(sum, self.leaf(index as u64))).reduce(|| 0, u64::wrapping_add)
    }

    /// Visits every leaf by looking at each bit in turn (Fig. 5), on the calling thread; returns a mix of their heap indices.
    ///
    /// The leaf that starts at bit x and ends before the next set bit has log2 of their distance levels below it (formula 9).
    pub fn decode_bitfield(&self) -> u64 {
        let capacity = 1_u64 << self.depth;
        let node = |start: u64, end: u64| (capacity + start) >> (end - start).ilog2();
        let (mut sum, mut start) = (0_u64, 0);
        for x in 1..capacity {
            if self.read(capacity + x) == 1 {
                sum = mix(sum, node(start, x));
                start = x;
            }
        }
        mix(sum, node(start, capacity))
    }

    /// Visits every leaf by its index and splits or merges it on the way, then reduces: the cycle of Fig. 10. A right child that
    /// asks to merge clears its bit; its sibling must ask for the same.
    pub fn cycle(&self, wish: impl Fn(Node) -> Edit + Sync) {
        (0..self.leaf_count() as usize).into_par_iter().with_min_len(1 << 8).for_each(|index| {
            let leaf = self.leaf(index as u64);
            let first_bit = |node: u64| node << (self.depth - node.ilog2());
            match Node::new(leaf).map_or(Edit::Keep, &wish) {
                Edit::Split if leaf.ilog2() < self.depth => self.write(first_bit(2 * leaf + 1), 1),
                Edit::Merge if leaf & 1 == 1 && leaf > 1 => self.write(first_bit(leaf), 0),
                _ => {}
            }
        });
        self.reduce();
    }
}

/// The low `width` bits, for a width of 1 to 32.
fn mask(width: u32) -> u32 {
    u32::MAX >> (32 - width)
}
