//! Where in the heap is a node's sum? Bit ranges, and reading and writing fields that straddle words.

/// 64-bit words of the heap: 2^(D+2) bits, one word at least.
pub(super) const fn words(depth: u32) -> u64 {
    if depth <= 4 { 1 } else { 1 << (depth - 4) }
}

/// First bit and width of the sum of the node with heap index k: bits 2^(d+1) + k (D-d+1) .. of D-d+1 bits.
///
/// A node of level d covers 2^(D-d) bits, so its sum needs D-d+1 bits. The levels before d take, with the 3 + D bits for the depth
/// and padding before the root, 2^d (D-d+3) bits; then come k - 2^d fields (Grachev & Ushakov 2023, from formulas 24 to 26).
pub(super) const fn field(depth: u32, node: u64) -> (u64, u32) {
    let level = node.ilog2();
    let width = depth - level + 1;
    ((2 << level) + node * width as u64, width)
}

/// The `width` (1..=63) bits from bit `start`, of words that `load` reads.
#[inline]
pub(super) fn read(load: impl Fn(usize) -> u64, start: u64, width: u32) -> u64 {
    let (word, shift) = ((start / 64) as usize, (start % 64) as u32);
    let low = load(word) >> shift;
    let bits = if shift + width > 64 { low | load(word + 1) << (64 - shift) } else { low };
    bits & ((1 << width) - 1)
}

/// Replaces the `width` (1..=63) bits from bit `start`.
pub(super) fn write(words: &mut [u64], start: u64, width: u32, value: u64) {
    let (word, shift) = ((start / 64) as usize, (start % 64) as u32);
    let mask = (1_u64 << width) - 1;
    words[word] = words[word] & !(mask << shift) | value << shift;
    if shift + width > 64 {
        let spill = 64 - shift;
        words[word + 1] = words[word + 1] & !(mask >> spill) | value >> spill;
    }
}

#[cfg(test)]
mod tests {
    use super::{field, read, words, write};

    #[test]
    fn fields_tile_the_heap_from_the_root_to_its_last_bit() {
        for depth in 1..=if cfg!(miri) { 7 } else { 16 } {
            let mut end = u64::from(depth) + 3;
            for node in 1..2_u64 << depth {
                let (start, width) = field(depth, node);
                assert_eq!(start, end, "node {node} of depth {depth}");
                end = start + u64::from(width);
            }
            assert_eq!(end, 4 << depth);
            assert!(words(depth) * 64 >= end && (depth < 4 || words(depth) * 64 == end));
        }
    }

    #[test]
    fn figure_9_of_the_paper() {
        assert_eq!(field(4, 1), (7, 5));
        assert_eq!(field(4, 16), (48, 1));
        assert_eq!(words(20) * 8, 512 << 10);
    }

    #[test]
    fn a_field_that_is_written_is_read_and_its_neighbours_stay() {
        let mut heap = vec![u64::MAX; 4];
        for start in (0..190).step_by(if cfg!(miri) { 9 } else { 1 }) {
            for width in [1, 2, 7, 31, 33, 63] {
                write(&mut heap, start, width, 0);
                assert_eq!(read(|word| heap[word], start, width), 0);
                assert_eq!(heap.iter().map(|word| word.count_zeros()).sum::<u32>(), width);
                write(&mut heap, start, width, (1 << width) - 1);
                assert!(heap.iter().all(|&word| word == u64::MAX));
            }
        }
    }
}
