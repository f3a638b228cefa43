//! Which leaves does each node cover, where does it split, and what are its boxes? `lbvh/topology.wgsl` is the device's, and cites the paper.
//!
//! On a device each node finds its range by itself. Here ranges are known from the root down and boxes from the leaves up, so
//! that one recursion does both, its halves in parallel. Numbers are the same: a node is numbered by the end of its range that
//! its parent splits at, so the nodes below a node are neighbours.

use super::{
    aabb::Aabb,
    code::Code,
    node::{LBVH_LEAF as LEAF, LBVH_NONE as NONE, LbvhNode},
};

/// Ranges of more leaves are halved between threads.
const PARALLEL: usize = 1 << 11;

/// The nodes over sorted codes, whose leaves have the boxes that `leaf` says; one for fewer than two.
pub(super) fn nodes<C: Code>(codes: &[C], leaf: impl Fn(usize) -> Aabb + Sync) -> Vec<LbvhNode> {
    let Some(last) = codes.len().checked_sub(1).filter(|last| *last > 0) else { return vec![few(codes.len(), leaf)] };
    let mut nodes = vec![bytemuck::Zeroable::zeroed(); last];
    let split = |_: &LbvhNode, first, last| split(codes, first, last);
    visit(&mut nodes, Side::Right, 0, last, &split, &leaf);
    nodes
}

/// New boxes for the nodes over `n` leaves, which keep their shape.
pub(super) fn refit(nodes: &mut [LbvhNode], n: usize, leaf: impl Fn(usize) -> Aabb + Sync) {
    let Some(last) = n.checked_sub(1).filter(|last| *last > 0) else {
        nodes[0] = few(n, leaf);
        return;
    };
    visit(nodes, Side::Right, 0, last, &|node, _, _| (node.left & !LEAF) as usize, &leaf);
}

fn few(n: usize, leaf: impl Fn(usize) -> Aabb) -> LbvhNode {
    let (left, child) = if n == 1 { (leaf(0), LEAF) } else { (Aabb::EMPTY, NONE) };
    let mut node = LbvhNode { left: child, right: NONE, ..bytemuck::Zeroable::zeroed() };
    node.set_boxes(left, Aabb::EMPTY);
    node
}

/// Which child of its parent a node is; the root counts as a right one, numbered by its first leaf.
#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

/// Makes the nodes over leaves `first` to `last` (more than one), which are all of `nodes`; the box around them comes back.
fn visit<S, L>(nodes: &mut [LbvhNode], side: Side, first: usize, last: usize, split: &S, leaf: &L) -> Aabb
where
    S: Fn(&LbvhNode, usize, usize) -> usize + Sync,
    L: Fn(usize) -> Aabb + Sync,
{
    let (own, below) = match side {
        Side::Left => nodes.split_last_mut(),
        Side::Right => nodes.split_first_mut(),
    }
    .expect("one node less than leaves");
    let middle = split(own, first, last);
    let (below_left, below_right) = below.split_at_mut(middle - first);
    let mut left = || child(below_left, Side::Left, first, middle, split, leaf);
    let mut right = || child(below_right, Side::Right, middle + 1, last, split, leaf);
    let (left, right) = if last - first > PARALLEL { rayon::join(left, right) } else { (left(), right()) };
    own.left = middle as u32 | if middle == first { LEAF } else { 0 };
    own.right = (middle + 1) as u32 | if middle + 1 == last { LEAF } else { 0 };
    (own.first, own.last) = (first as u32, last as u32);
    own.set_boxes(left, right);
    left.union(right)
}

fn child<S, L>(nodes: &mut [LbvhNode], side: Side, first: usize, last: usize, split: &S, leaf: &L) -> Aabb
where
    S: Fn(&LbvhNode, usize, usize) -> usize + Sync,
    L: Fn(usize) -> Aabb + Sync,
{
    if first == last { leaf(first) } else { visit(nodes, side, first, last, split, leaf) }
}

/// The last leaf that shares more of its code with leaf `first` than leaf `last` does; equal codes are told apart by place.
fn split<C: Code>(codes: &[C], first: usize, last: usize) -> usize {
    let highest = codes[last].to_bits();
    let differs = codes[first].to_bits() ^ highest;
    if differs == 0 {
        let bit = (first ^ last).ilog2();
        return (last >> bit << bit) - 1;
    }
    let bit = differs.ilog2();
    let upper = highest >> bit << bit;
    first + codes[first..=last].partition_point(|code| code.to_bits() < upper) - 1
}
