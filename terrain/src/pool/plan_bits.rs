//! Marks and plan words as device functions: what CPU and GPU compute from one source. `shaders/terrain/pool/plan_bits.wgsl` is
//! generated from this file, which a test compares.

use crate::device;

/// Index of the mark that cuts the bisector itself.
#[device]
pub const CENTER: u32 = 0;

/// Index of the mark that also cuts child 0.
#[device]
pub const LEFT: u32 = 1;

/// Index of the mark that also cuts child 1.
#[device]
pub const RIGHT: u32 = 2;

/// Flag in the state word of a member of a complete diamond; the low bits hold the diamond's keep priority.
#[device]
pub const IN_DIAMOND: u32 = 0x8000_0000;

/// The bisector is cut.
#[device]
pub const CUT: u32 = 1u32 << CENTER;

/// Its child 0 is cut too.
#[device]
pub const CUT_LEFT: u32 = 1u32 << LEFT;

/// Its child 1 is cut too.
#[device]
pub const CUT_RIGHT: u32 = 1u32 << RIGHT;

/// All cuts; one new slot each.
#[device]
pub const PATTERN: u32 = 7;

/// The bisector merges with its diamond.
#[device]
pub const MERGE: u32 = 8;

/// It is an odd child.
#[device]
pub const ODD: u32 = 16;

/// There is none.
#[device]
pub const DEAD: u32 = 32;

/// Where the rank of the slot's first new slot within its block begins.
#[device]
pub const RANK_SHIFT: u32 = 8;

/// Rank, within the block, of the slot given to one set bit of a plan's pattern.
#[device]
#[inline]
pub fn rank_of(plan: u32, bit: u32) -> u32 {
    (plan >> RANK_SHIFT) + (plan & (bit - 1) & PATTERN).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        const PLAN_BITS: &str = device::module!(
            CENTER, LEFT, RIGHT, IN_DIAMOND, CUT, CUT_LEFT, CUT_RIGHT, PATTERN, MERGE, ODD, DEAD, RANK_SHIFT, rank_of,
        );
        let question = "What happens to a slot? Marks, and plan words: split pattern, flags, rank of the first new slot in the block.";
        crate::generated::check("pool/plan_bits.wgsl", question, "pool/plan_bits", PLAN_BITS);
    }
}
