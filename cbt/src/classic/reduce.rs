//! How are the sums of the bit-packed heap computed? Six levels at a time from each word of bits, then level by level as streams.
//!
//! Both parts write every word of the heap once, by one owner, without reading it: 64 nodes of width w fill w whole words.

use rayon::prelude::*;

use super::heap;

/// Depth from which a block of 64 words of bits fills whole words on each of the six levels above: 2^12 bits.
const BLOCK_LOG2: u32 = 12;
/// Words that a block of 64 words of bits writes on the levels of widths 7, 6, 5, 4, 3, 2: 2^12 / 2^(w-1) nodes of w bits.
const BLOCK_WORDS: [usize; 6] = [7, 12, 20, 32, 48, 64];
/// Nodes that a parallel task sums on the upper levels.
const NODES_PER_TASK: usize = 1 << 12;

/// Makes the sums of a heap those of its bits.
pub(super) fn reduce(heap: &mut [u64], depth: u32, parallel: bool) {
    if depth < BLOCK_LOG2 {
        let upper = if depth < 6 { depth } else { reduce_small(heap, depth) };
        for level in (0..upper).rev() {
            reduce_fields(heap, depth, level);
        }
        return;
    }
    reduce_words(heap, depth, parallel);
    for level in (6..depth - 6).rev() {
        reduce_level(heap, depth, level, parallel);
    }
    for level in (0..6).rev() {
        reduce_fields(heap, depth, level);
    }
}

/// One level, field by field.
fn reduce_fields(heap: &mut [u64], depth: u32, level: u32) {
    for node in 1_u64 << level..2 << level {
        let [left, right] = [2 * node, 2 * node + 1].map(|child| {
            let (start, width) = heap::field(depth, child);
            heap::read(|word| heap[word], start, width)
        });
        let (start, width) = heap::field(depth, node);
        heap::write(heap, start, width, left + right);
    }
}

/// Word at which a level of at least 64 nodes begins.
const fn level_start(depth: u32, level: u32) -> usize {
    (heap::field(depth, 1 << level).0 / 64) as usize
}

/// One level of at least 64 nodes as a stream: reads two fields, writes their sum.
fn reduce_level(heap: &mut [u64], depth: u32, level: u32, parallel: bool) {
    let width = depth - level + 1;
    let (start, end) = (level_start(depth, level), level_start(depth, level + 1));
    let (parents, children) = heap[start..].split_at_mut(end - start);
    let children = &children[..(2 << level) / 64 * (width as usize - 1)];
    let task = NODES_PER_TASK.min(1 << level) / 64;
    let work = |(to, from): (&mut [u64], &[u64])| {
        let mut from = FieldReader::new(from, width - 1);
        let mut to = FieldWriter::new(to);
        for _ in 0..task * 64 {
            let sum = from.next_field() + from.next_field();
            to.push(sum, width);
        }
    };
    let (to, from) = (task * width as usize, task * 2 * (width as usize - 1));
    if parallel && 1 << level > NODES_PER_TASK {
        parents.par_chunks_mut(to).zip(children.par_chunks(from)).for_each(work);
    } else {
        parents.chunks_mut(to).zip(children.chunks(from)).for_each(work);
    }
}

/// The six levels above the bitfield.
fn reduce_words(heap: &mut [u64], depth: u32, parallel: bool) {
    let starts: [usize; 6] = std::array::from_fn(|i| level_start(depth, depth - 6 + i as u32));
    let bitfield = level_start(depth, depth);
    let (sums, bits) = heap.split_at_mut(bitfield);
    let (_, w7) = sums.split_at_mut(starts[0]);
    let (w7, w6) = w7.split_at_mut(starts[1] - starts[0]);
    let (w6, w5) = w6.split_at_mut(starts[2] - starts[1]);
    let (w5, w4) = w5.split_at_mut(starts[3] - starts[2]);
    let (w4, w3) = w4.split_at_mut(starts[4] - starts[3]);
    let (w3, w2) = w3.split_at_mut(starts[5] - starts[4]);
    let n = BLOCK_WORDS;
    if parallel && depth > BLOCK_LOG2 {
        let upper = w7.par_chunks_mut(n[0]).zip(w6.par_chunks_mut(n[1])).zip(w5.par_chunks_mut(n[2]));
        let lower = w4.par_chunks_mut(n[3]).zip(w3.par_chunks_mut(n[4])).zip(w2.par_chunks_mut(n[5]));
        let blocks = bits.par_chunks(64).zip(upper).zip(lower).with_min_len(8);
        blocks.for_each(|((bits, ((w7, w6), w5)), ((w4, w3), w2))| reduce_block(bits, [w7, w6, w5, w4, w3, w2]));
    } else {
        let upper = w7.chunks_mut(n[0]).zip(w6.chunks_mut(n[1])).zip(w5.chunks_mut(n[2]));
        let lower = w4.chunks_mut(n[3]).zip(w3.chunks_mut(n[4])).zip(w2.chunks_mut(n[5]));
        let blocks = bits.chunks(64).zip(upper).zip(lower);
        blocks.for_each(|((bits, ((w7, w6), w5)), ((w4, w3), w2))| reduce_block(bits, [w7, w6, w5, w4, w3, w2]));
    }
}

/// The sums of 2, 4, .. 64 bits of each of 64 words, packed.
///
/// Within a word the sums are formed in lanes of 2, 4, 8, 16, 32 bits, as in counting its bits; the lanes of the level of width w
/// are then squeezed to w bits, pairs of lanes at a time, and appended to the level.
fn reduce_block(bits: &[u64], [w7, w6, w5, w4, w3, w2]: [&mut [u64]; 6]) {
    let (mut w7, mut w6, mut w5) = (FieldWriter::new(w7), FieldWriter::new(w6), FieldWriter::new(w5));
    let (mut w4, mut w3) = (FieldWriter::new(w4), FieldWriter::new(w3));
    for (&x, w2) in bits.iter().zip(w2) {
        let packed = pack(x);
        *w2 = packed[0];
        w3.push(packed[1], 48);
        w4.push(packed[2], 32);
        w5.push(packed[3], 20);
        w6.push(packed[4], 12);
        w7.push(packed[5], 7);
    }
}

/// The six levels above the bitfield of a tree of depth 6 to 11, whose levels do not all fill whole words. Returns the number of
/// levels still to do.
fn reduce_small(heap: &mut [u64], depth: u32) -> u32 {
    for word in 0..1_u64 << (depth - 6) {
        let x = heap[level_start(depth, depth) + word as usize];
        for (i, packed) in (1..=6).zip(pack(x)) {
            let (nodes, width) = (64 >> i, i + 1);
            let (start, _) = heap::field(depth, (1 << (depth - i)) + word * nodes);
            if i == 1 {
                heap[(start / 64) as usize] = packed;
            } else {
                heap::write(heap, start, nodes as u32 * width, packed);
            }
        }
    }
    depth - 6
}

/// The sums of 2, 4, .. 64 bits of a word, packed: 32 of 2 bits, 16 of 3, 8 of 4, 4 of 5, 2 of 6, 1 of 7.
#[inline]
fn pack(x: u64) -> [u64; 6] {
    let x2 = x - (x >> 1 & 0x5555_5555_5555_5555);
    let x4 = (x2 & 0x3333_3333_3333_3333) + (x2 >> 2 & 0x3333_3333_3333_3333);
    let x8 = (x4 + (x4 >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    let x16 = (x8 + (x8 >> 8)) & 0x00ff_00ff_00ff_00ff;
    let x32 = (x16 + (x16 >> 16)) & 0x0000_ffff_0000_ffff;
    let x64 = (x32 + (x32 >> 32)) & 0xffff_ffff;
    let y = x4 & 0x0707_0707_0707_0707 | x4 >> 1 & 0x3838_3838_3838_3838;
    let y = y & 0x003f_003f_003f_003f | y >> 2 & 0x0fc0_0fc0_0fc0_0fc0;
    let y = y & 0x0000_0fff_0000_0fff | y >> 4 & 0x00ff_f000_00ff_f000;
    let w3 = y & 0xff_ffff | y >> 8 & 0xffff_ff00_0000;
    let y = x8 & 0x000f_000f_000f_000f | x8 >> 4 & 0x00f0_00f0_00f0_00f0;
    let y = y & 0x0000_00ff_0000_00ff | y >> 8 & 0x0000_ff00_0000_ff00;
    let w4 = y & 0xffff | y >> 16 & 0xffff_0000;
    let y = x16 & 0x0000_001f_0000_001f | x16 >> 11 & 0x0000_03e0_0000_03e0;
    let w5 = y & 0x3ff | y >> 22 & 0xf_fc00;
    let w6 = x32 & 0x3f | x32 >> 26 & 0xfc0;
    [x2, w3, w4, w5, w6, x64]
}

/// Reads fields of one width one after the other.
struct FieldReader<'a> {
    words: std::slice::Iter<'a, u64>,
    width: u32,
    /// Bits read from memory and not yet given, in the low part.
    bits: u128,
    have: u32,
}

impl<'a> FieldReader<'a> {
    fn new(words: &'a [u64], width: u32) -> Self {
        Self { words: words.iter(), width, bits: 0, have: 0 }
    }

    #[inline]
    fn next_field(&mut self) -> u64 {
        if self.have < self.width {
            self.bits |= u128::from(self.words.next().copied().unwrap_or(0)) << self.have;
            self.have += 64;
        }
        let field = self.bits as u64 & ((1 << self.width) - 1);
        self.bits >>= self.width;
        self.have -= self.width;
        field
    }
}

/// Writes fields one after the other; whole words only, so the fields must fill them.
struct FieldWriter<'a> {
    words: std::slice::IterMut<'a, u64>,
    bits: u64,
    have: u32,
}

impl<'a> FieldWriter<'a> {
    fn new(words: &'a mut [u64]) -> Self {
        Self { words: words.iter_mut(), bits: 0, have: 0 }
    }

    /// Appends the low `width` (below 64) bits of `field`; the others are zero.
    #[inline]
    fn push(&mut self, field: u64, width: u32) {
        self.bits |= field << self.have;
        self.have += width;
        if self.have >= 64 {
            if let Some(word) = self.words.next() {
                *word = self.bits;
            }
            self.have -= 64;
            // What did not fit: the top `have` of the `width` bits.
            self.bits = if self.have == 0 { 0 } else { field >> (width - self.have) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{reduce, reduce_fields};
    use crate::classic::heap;

    #[test]
    fn packing_whole_words_agrees_with_the_definition() {
        let mut seed = 1_u64;
        for depth in (1..=16).filter(|depth| !cfg!(miri) || [1, 5, super::BLOCK_LOG2].contains(depth)) {
            let mut heap = vec![0_u64; heap::words(depth) as usize];
            for bit in 0..1_u64 << depth {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let (start, width) = heap::field(depth, (1 << depth) + bit);
                heap::write(&mut heap, start, width, u64::from(seed >> 33 & 7 < bit % 9));
            }
            let mut expected = heap.clone();
            (0..depth).rev().for_each(|level| reduce_fields(&mut expected, depth, level));
            for parallel in [false, !cfg!(miri)] {
                reduce(&mut heap, depth, parallel);
                assert!(heap == expected, "depth {depth}, parallel {parallel}");
            }
        }
    }
}
