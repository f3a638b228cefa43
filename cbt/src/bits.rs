//! Arithmetic inside one 64-bit word: which bit is the r-th, and which node does a bit start?

use crate::Node;

/// Byte by byte, 0x01.
const ONES: u64 = 0x0101_0101_0101_0101;
/// Byte by byte, the top bit.
const TOPS: u64 = 0x8080_8080_8080_8080;
/// Position of the r-th set bit of a byte at `8 byte + r`; 8 where it has not so many.
static SELECT_IN_BYTE: [u8; 2048] = select_table();

const fn select_table() -> [u8; 2048] {
    let mut table = [8; 2048];
    let mut byte = 0;
    while byte < 256 {
        let (mut rank, mut bit) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[8 * byte + rank] = bit as u8;
                rank += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
}

/// Position of the set bit of `word` that has `rank` set bits below it, or `None` if there are not so many.
///
/// Without branches: the counts of all bytes at once, their running sums by one multiplication, the first byte whose running sum
/// exceeds the rank by one subtraction in all bytes, and a table for the rest (Vigna 2008, "Broadword implementation of
/// rank/select queries").
#[inline]
pub(crate) fn select_in_word(word: u64, rank: u32) -> Option<u32> {
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let running = ((fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES);
    if u64::from(rank) >= running >> 56 {
        return None;
    }
    let passed = (((u64::from(rank) * ONES) | TOPS) - running) & TOPS;
    let shift = 8 * ((passed >> 7).wrapping_mul(ONES) >> 56) as u32;
    let before = (running << 8 >> shift & 0xff) as usize;
    let byte = (word >> shift & 0xff) as usize;
    Some(shift + u32::from(SELECT_IN_BYTE[8 * byte + ((rank as usize - before) & 7)]))
}

/// The word of bits below position `bit` (0..=64), all set.
pub(crate) const fn below(bit: u64) -> u64 {
    if bit >= 64 { u64::MAX } else { (1 << bit) - 1 }
}

/// Level up to which two different bits share their ancestors, counted upwards from the bits: the top bit of x xor y.
/// The nodes that hold x without y are those of height at most this.
pub(crate) const fn separating_height(x: u64, y: u64) -> u32 {
    // The 1 changes nothing where a bit differs, and spares the check that one does.
    63 - ((x ^ y) | 1).leading_zeros()
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
        for round in 0..if cfg!(miri) { 20 } else { 2000 } {
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
