//!import terrain/pool/control
//!import terrain/pool/buffers
// How are new slots numbered? Two words a block in `ranks`, then the free slots by rank.
//
// Slots that are needed before a block are summed in two steps, as plan adds what each block needs to the blocks that come after
// it in its group, and to the groups after that: atomic sums, which are the same in any order.

// Blocks of a group.
const GROUP: u32 = 64u;

// Of the block with the number of a group: slots needed in the groups before that.
const NEEDED_BEFORE_GROUP: u32 = 0u;
// Slots needed in the blocks before it in its group.
const NEEDED_IN_GROUP: u32 = 1u;

// Index of a field of a block.
fn of_block(block: u32, field: u32) -> u32 {
    return 2u * block + field;
}

// Index of the free slot with a rank.
fn granted_at(rank: u32) -> u32 {
    return of_block(block_count(), 0u) + rank;
}
