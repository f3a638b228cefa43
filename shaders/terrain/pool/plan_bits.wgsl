// What happens to a slot? Marks, and plan words: split pattern, flags, rank of the first new slot in the block.
// Generated from terrain/src/pool/plan_bits.rs: ./x generate

//!once terrain::pool::plan_bits::CENTER
// Index of the mark that cuts the bisector itself.
const CENTER: u32 = 0u;
//!end

//!once terrain::pool::plan_bits::LEFT
// Index of the mark that also cuts child 0.
const LEFT: u32 = 1u;
//!end

//!once terrain::pool::plan_bits::RIGHT
// Index of the mark that also cuts child 1.
const RIGHT: u32 = 2u;
//!end

//!once terrain::pool::plan_bits::IN_DIAMOND
// Flag in the state word of a member of a complete diamond; the low bits hold the diamond's keep priority.
const IN_DIAMOND: u32 = 0x80000000u;
//!end

//!once terrain::pool::plan_bits::CUT
// The bisector is cut.
const CUT: u32 = 1u << u32(CENTER);
//!end

//!once terrain::pool::plan_bits::CUT_LEFT
// Its child 0 is cut too.
const CUT_LEFT: u32 = 1u << u32(LEFT);
//!end

//!once terrain::pool::plan_bits::CUT_RIGHT
// Its child 1 is cut too.
const CUT_RIGHT: u32 = 1u << u32(RIGHT);
//!end

//!once terrain::pool::plan_bits::PATTERN
// All cuts; one new slot each.
const PATTERN: u32 = 7u;
//!end

//!once terrain::pool::plan_bits::MERGE
// The bisector merges with its diamond.
const MERGE: u32 = 8u;
//!end

//!once terrain::pool::plan_bits::ODD
// It is an odd child.
const ODD: u32 = 16u;
//!end

//!once terrain::pool::plan_bits::DEAD
// There is none.
const DEAD: u32 = 32u;
//!end

//!once terrain::pool::plan_bits::RANK_SHIFT
// Where the rank of the slot's first new slot within its block begins.
const RANK_SHIFT: u32 = 8u;
//!end

//!once terrain::pool::plan_bits::rank_of
// Rank, within the block, of the slot given to one set bit of a plan's pattern.
fn rank_of(plan: u32, bit: u32) -> u32 {
    return (plan >> u32(RANK_SHIFT)) + countOneBits(plan & (bit - 1u) & PATTERN);
}
//!end
