//! The layout of the papers: one bit-packed heap that holds the sum of every node. Its bytes are those of libcbt.

mod heap;
mod reduce;

use crate::storage::{Storage, bitfield_words, check_depth, word_mask};
use crate::words::Words;
use crate::{Error, Node, Tree};

/// The tree of Dupuy 2020 and Grachev & Ushakov 2023: a heap of 2^(D+2) bits in which every node has its sum.
///
/// Node k of level d takes D-d+1 bits from bit 2^(d+1) + k (D-d+1), lowest first, in little-endian 64-bit words (one word at
/// least, so 8 bytes up to depth 4). The deepest level, one bit a node, is the bitfield. Bit D of the heap is set and names the
/// depth; bits D+1 and D+2 stay clear. [`save`](Tree::save) gives these bytes, interchangeable with libcbt's heap.
///
/// [`leaf`](Tree::leaf) and [`index_of`](Tree::index_of) read sums only, so that they keep naming the leaves of the last
/// reduction while other threads split and merge them: the property that the papers' update loop rests on.
///
/// ```
/// use cbt::{Classic, Node, Tree};
/// let mut tree = Classic::new(4)?;
/// tree.split(Node::ROOT)?;
/// tree.reduce();
/// let heap = u64::from_le_bytes(tree.save().try_into().unwrap());
/// assert_eq!(heap.trailing_zeros(), 4); // the depth
/// assert_eq!(heap >> 7 & 0b11111, 2); // the root: 5 bits from 2 + 5
/// assert_eq!(heap >> 48, 1 | 1 << 8); // the bitfield: 16 bits from 32 + 16
/// # Ok::<(), cbt::Error>(())
/// ```
pub struct Classic {
    depth: u32,
    heap: Words,
}

impl Classic {
    /// Word of the heap and shift in it of bit 64 `word` of the bitfield, which starts at bit 3 2^D.
    fn place(&self, word: usize) -> (usize, u32) {
        let start = 3_u64 << self.depth;
        ((start / 64) as usize + word, (start % 64) as u32)
    }

    /// The sum of the node with this heap index.
    fn read(&self, node: u64) -> u64 {
        let (start, width) = heap::field(self.depth, node);
        heap::read(|word| self.heap.load(word), start, width)
    }
}

impl Storage for Classic {
    const LAYOUT: &'static str = "classic";

    fn allocate(depth: u32) -> Result<Self, Error> {
        let bytes = Self::bytes(depth);
        let mut heap = Words::zeroed(bytes / 8).ok_or(Error::OutOfMemory { depth, bytes })?;
        heap.plain(|words| words[0] = 1 << depth);
        Ok(Self { depth, heap })
    }

    fn bytes(depth: u32) -> u64 {
        8 * heap::words(depth)
    }

    fn levels(&self) -> u32 {
        self.depth
    }

    fn load_word(&self, word: usize) -> u64 {
        let (at, shift) = self.place(word);
        self.heap.load(at) >> shift & word_mask(self.depth)
    }

    fn or_word(&self, word: usize, mask: u64) -> u64 {
        let (at, shift) = self.place(word);
        self.heap.or(at, (mask & word_mask(self.depth)) << shift) >> shift & word_mask(self.depth)
    }

    fn clear_in_word(&self, word: usize, mask: u64) -> u64 {
        let (at, shift) = self.place(word);
        self.heap.and(at, !((mask & word_mask(self.depth)) << shift)) >> shift & word_mask(self.depth)
    }

    fn store_word(&mut self, word: usize, bits: u64) {
        let (at, shift) = self.place(word);
        let mask = word_mask(self.depth);
        self.heap.plain(|words| words[at] = words[at] & !(mask << shift) | (bits & mask) << shift);
    }

    fn sum_up(&mut self, parallel: bool) {
        let depth = self.depth;
        self.heap.plain(|heap| reduce::reduce(heap, depth, parallel));
    }

    fn sum(&self, node: Node) -> u64 {
        self.read(node.index())
    }

    /// Climbs from the bit, adding the sums of the left siblings.
    fn rank(&self, x: u64) -> u64 {
        let mut node = (1 << self.depth) + x;
        if x == 1 << self.depth {
            return self.read(1);
        }
        let mut before = 0;
        while node > 1 {
            if node & 1 == 1 {
                before += self.read(node - 1);
            }
            node >>= 1;
        }
        before
    }

    /// Descends to the deepest level; a node of level d has 2^(D-d) less its sum of clear bits.
    fn select(&self, mut rank: u64, value: bool) -> Option<u64> {
        let mut node = 1;
        let mut span = 1_u64 << self.depth;
        let count = |sum: u64, span: u64| if value { sum } else { span.saturating_sub(sum) };
        if rank >= count(self.read(1), span) {
            return None;
        }
        while span > 1 {
            (node, span) = (2 * node, span / 2);
            let left = count(self.read(node), span);
            if rank >= left {
                rank -= left;
                node += 1;
            }
        }
        Some(node - (1 << self.depth))
    }

    /// The descent of Fig. 8: left while the index is below the left sum, until one leaf is left.
    fn nth_leaf(&self, mut index: u64) -> Option<Node> {
        let mut node = 1;
        let mut leaves = self.read(1);
        if index >= leaves {
            return None;
        }
        while leaves > 1 && node >> self.depth == 0 {
            node *= 2;
            let left = self.read(node);
            if index < left {
                leaves = left;
            } else {
                index -= left;
                leaves -= left.min(leaves);
                node += 1;
            }
        }
        Some(Node::from_index(node))
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.heap.to_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let foreign = |because| Error::Foreign { layout: Self::LAYOUT, because };
        let first =
            bytes.first_chunk().copied().map(u64::from_le_bytes).ok_or_else(|| foreign("fewer than 8 bytes"))?;
        // A heap is little-endian, and its lowest set bit is bit D.
        if first == 0 {
            return Err(foreign("no bit names a depth"));
        }
        let depth = first.trailing_zeros();
        check_depth(depth)?;
        if first >> (depth + 1) & 0b11 != 0 {
            return Err(foreign("the two bits after the depth are not clear"));
        }
        let (expected, found) = (Self::bytes(depth), bytes.len() as u64);
        if expected != found {
            return Err(Error::Length { layout: Self::LAYOUT, depth, expected, found });
        }
        let mut tree = Self::allocate(depth)?;
        let words = bytes.chunks_exact(8).map(|word| word.try_into().map_or(0, u64::from_le_bytes));
        tree.heap.plain(|heap| {
            heap.iter_mut().zip(words).for_each(|(to, from)| *to = from);
            // A heap of fewer bits than a word: the others say nothing.
            if depth < 4 {
                heap[0] &= (1 << (4 << depth)) - 1;
            }
        });
        Ok(tree)
    }
}

impl Clone for Classic {
    /// # Panics
    /// If there is no memory for the copy.
    fn clone(&self) -> Self {
        let heap = self.heap.copy().unwrap_or_else(|| std::alloc::handle_alloc_error(layout(self.heap.len())));
        Self { depth: self.depth, heap }
    }
}

/// Layout of a number of words, for the report that there is no memory for them.
fn layout(words: usize) -> std::alloc::Layout {
    std::alloc::Layout::array::<u64>(words).unwrap_or(std::alloc::Layout::new::<u64>())
}

/// Equal trees have the same depth and the same bits now; sums do not matter.
impl PartialEq for Classic {
    fn eq(&self, other: &Self) -> bool {
        self.same_bits(other)
    }
}

impl Eq for Classic {}

impl std::fmt::Debug for Classic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = bitfield_words(self.depth);
        f.debug_struct("Classic")
            .field("depth", &self.depth)
            .field("leaf_count", &self.leaf_count())
            .field("words", &words)
            .finish()
    }
}
