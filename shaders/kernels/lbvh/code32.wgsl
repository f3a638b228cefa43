// What are leaves sorted by? Codes of 32 bits, one word. By hand: an alias, and a prefix that only a device counts;
// numbers of bits are those of kernels/src/lbvh/code.rs, which a test compares.

alias LbvhCode = u32;
const LBVH_CODE_WORDS: u32 = 1u;
// Bits of a Morton code, and of any.
const LBVH_CODE_BITS: u32 = 32u;
const LBVH_CODE_WIDTH: u32 = 32u;

fn lbvh_code(low: u32, high: u32) -> LbvhCode {
    return low;
}

// The length of the prefix that two codes share.
fn lbvh_code_prefix(a: LbvhCode, b: LbvhCode) -> u32 {
    return countLeadingZeros(a ^ b);
}
