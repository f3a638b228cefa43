//!import terrain/pool/buffers
//!import terrain/pool/ranks
//!import terrain/pool/plan_bits
// Which slot does a cut get?

// The slot given to one set bit of a splitting slot's pattern.
fn new_slot(slot: u32, plan: u32, bit: u32) -> u32 {
    let block = slot / BLOCK;
    let before = ranks[of_block(block / GROUP, NEEDED_BEFORE_GROUP)] + ranks[of_block(block, NEEDED_IN_GROUP)];
    return ranks[granted_at(before + rank_of(plan, bit))];
}
