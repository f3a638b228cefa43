//! How is a leaf found with the bit instructions of x86 processors, which compilers may not assume?

use std::arch::x86_64::_pdep_u64;

/// Whether this processor has those that are used, and fast ones.
///
/// Of SSE4a and VAES nothing is used: they tell the processors of AMD from others, and those that have `pdep` as a circuit (Zen 3
/// and later) from the earlier ones, where it is slower than arithmetic.
pub(super) fn is_supported() -> bool {
    std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2")
        && std::is_x86_feature_detected!("lzcnt")
        && std::is_x86_feature_detected!("popcnt")
        && (std::is_x86_feature_detected!("vaes") || !std::is_x86_feature_detected!("sse4a"))
}

/// [`select_in_word`](crate::bits::select_in_word): a single bit is deposited at the set bit of that rank.
#[inline]
#[target_feature(enable = "bmi1,bmi2")]
pub(super) fn select_in_word(word: u64, rank: u32) -> Option<u32> {
    let bit = _pdep_u64(1_u64.checked_shl(rank)?, word);
    (bit != 0).then(|| bit.trailing_zeros())
}

#[cfg(test)]
mod tests {
    use super::{is_supported, select_in_word};

    #[test]
    fn the_instruction_agrees_with_arithmetic() {
        if !is_supported() {
            return; // nothing to compare on this processor
        }
        let mut word = 1_u64;
        for round in 0..if cfg!(miri) { 50 } else { 20_000 } {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(round);
            let mixed = word ^ (word >> 29) & (word << 7);
            for rank in [0, 1, 17, 31, 63, 64, 65, round as u32 % 40] {
                // SAFETY: the processor has the instructions.
                let found = unsafe { select_in_word(mixed, rank) };
                assert_eq!(found, crate::bits::select_in_word(mixed, rank), "bit {rank} of {mixed:#x}");
            }
        }
    }
}
