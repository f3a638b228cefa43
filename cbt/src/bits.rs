//! Arithmetic inside one 64-bit word: which bit is the r-th, and which node does a bit start?

use crate::Node;

/// Position of the set bit of `word` that has `rank` set bits below it, or `None` if there are not so many.
pub(crate) fn select_in_word(word: u64, rank: u32) -> Option<u32> {
    if rank >= word.count_ones() {
        return None;
    }
    // Narrow the window to 32, 16, 8 bits by counting its lower half, then drop the lowest set bits one by one.
    let (mut word, mut rank, mut shift) = (word, rank, 0);
    for width in [32, 16, 8] {
        let below = (word & ((1 << width) - 1)).count_ones();
        let upper = below <= rank;
        rank -= if upper { below } else { 0 };
        shift += if upper { width } else { 0 };
        word >>= if upper { width } else { 0 };
    }
    for _ in 0..rank {
        word &= word - 1;
    }
    Some(shift + word.trailing_zeros())
}

/// The word of bits below position `bit` (0..=64), all set.
pub(crate) const fn below(bit: u64) -> u64 {
    if bit >= 64 { u64::MAX } else { (1 << bit) - 1 }
}

/// Level up to which two different bits share their ancestors, counted upwards from the bits: the top bit of x xor y.
/// The nodes that hold x without y are those of height at most this.
pub(crate) const fn parting(x: u64, y: u64) -> u32 {
    (x ^ y).ilog2()
}

/// The leaf that starts at bit `x`, when the set bits around it part from it `before` and `after` levels up:
/// the largest node that holds x and neither of them.
pub(crate) const fn leaf_between(depth: u32, x: u64, before: u32, after: u32) -> Node {
    let height = if before < after { before } else { after };
    Node::from_index(((1 << depth) | x) >> height)
}

#[cfg(test)]
mod tests {
    use super::select_in_word;

    #[test]
    fn select_finds_the_bit_that_counting_finds() {
        let mut word = 0x9e37_79b9_7f4a_7c15_u64;
        for round in 0..2000 {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(round);
            let mixed = if round % 3 == 0 { word & (word >> 9) & (word << 7) } else { word ^ (word >> 29) };
            let positions: Vec<u32> = (0..64).filter(|&bit| mixed >> bit & 1 == 1).collect();
            for (rank, &bit) in positions.iter().enumerate() {
                assert_eq!(select_in_word(mixed, rank as u32), Some(bit));
            }
            assert_eq!(select_in_word(mixed, positions.len() as u32), None);
        }
        assert_eq!(select_in_word(u64::MAX, 63), Some(63));
    }
}
