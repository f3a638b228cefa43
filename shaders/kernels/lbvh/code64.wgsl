// What are leaves sorted by? Codes of 64 bits, low word first. By hand: an alias, and a prefix that only a device counts;
// numbers of bits are those of kernels/src/lbvh/code.rs, which a test compares.

alias LbvhCode = vec2u;
const LBVH_CODE_WORDS: u32 = 2u;
// Bits of a Morton code, 21 an axis in a cube, and of any.
const LBVH_CODE_BITS: u32 = 63u;
const LBVH_CODE_WIDTH: u32 = 64u;

fn lbvh_code(low: u32, high: u32) -> LbvhCode {
    return vec2u(low, high);
}

// The length of the prefix that two codes share.
fn lbvh_code_prefix(a: LbvhCode, b: LbvhCode) -> u32 {
    let differs = a ^ b;
    return select(countLeadingZeros(differs.y), 32u + countLeadingZeros(differs.x), differs.y == 0u);
}
