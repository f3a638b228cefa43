//!import terrain/pool/buffers
//!import terrain/pool/plan_bits
// Which slot does a cut get?

// The slot given to one set bit of a splitting slot's pattern.
fn new_slot(slot: u32, plan: u32, bit: u32) -> u32 {
    return ranks[granted_at(ranks[4u * (slot / BLOCK) + 1u] + rank_of(plan, bit))];
}
