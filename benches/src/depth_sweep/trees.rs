//! Which trees are measured? Perfect ones, and random ones with a given share of all leaves.

use cbt::{Edit, Error, Node, Tree};

/// 64 well-mixed bits of a node and a round.
pub fn hash(node: u64, round: u64) -> u64 {
    benches::random::mixed(node.wrapping_add(round.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

/// Makes the tree one with `fill_percent` (1..=100) percent of 2^depth leaves, the same one every time: every bit set at 100;
/// else, from half as many leaves on one level, random leaves are split until there are enough.
pub fn fill(tree: &mut impl Tree, fill_percent: u32) -> Result<(), Error> {
    let depth = tree.depth();
    let target = (tree.capacity() * u64::from(fill_percent) / 100).max(1);
    tree.reset_to_depth(if fill_percent >= 100 { depth } else { target.ilog2().saturating_sub(1).min(depth) })?;
    for round in 1..64 {
        let leaves = tree.leaf_count();
        if leaves >= target {
            break;
        }
        let share = ((target - leaves) as f64 / leaves as f64).min(0.3);
        let threshold = (share * u64::MAX as f64) as u64;
        tree.update(|leaf| if hash(leaf.index(), round) < threshold { Edit::Split } else { Edit::Keep });
    }
    Ok(())
}

/// What a leaf asks for in turn `turn` of the measured cycle: in even turns one leaf in 16 splits, in odd ones the pairs of such a
/// parent merge, so that from the second turn on the tree is the same every second turn.
pub fn edit_of_leaf(leaf: Node, turn: u64) -> Edit {
    let chosen = |node: Node| hash(node.index(), 77).is_multiple_of(16);
    if turn.is_multiple_of(2) {
        if chosen(leaf) { Edit::Split } else { Edit::Keep }
    } else if leaf.parent().is_some_and(chosen) {
        Edit::Merge
    } else {
        Edit::Keep
    }
}

/// A cheap mix of a leaf into a running value, so that no compiler skips or foresees the leaves.
pub fn mix(sum: u64, leaf: u64) -> u64 {
    sum.rotate_left(1) ^ leaf
}
