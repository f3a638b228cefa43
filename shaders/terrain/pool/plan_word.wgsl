//!import terrain/pool/buffers
// What happens to a slot? Plan words: split pattern, flags, rank of the first new slot in the block.

const CUT: u32 = 1u;
const CUT_LEFT: u32 = 2u;
const CUT_RIGHT: u32 = 4u;
const PATTERN: u32 = 7u;
const MERGE: u32 = 8u;
const ODD: u32 = 16u;
const DEAD: u32 = 32u;
const RANK_SHIFT: u32 = 8u;

// The slot given to one set bit of a splitting slot's pattern.
fn new_slot(slot: u32, plan: u32, bit: u32) -> u32 {
    let rank = (plan >> RANK_SHIFT) + countOneBits(plan & (bit - 1u) & PATTERN);
    return ranks[granted_at(ranks[4u * (slot / BLOCK) + 1u] + rank)];
}
