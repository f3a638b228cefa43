//! Which leaves does each node cover, and where does it split? Twin: `lbvh/topology.wgsl`, which cites the paper.

use super::{
    aabb::Aabb,
    levels::cover,
    node::{LEAF, LbvhNode, NONE},
};
use rayon::prelude::*;

/// The nodes over sorted codes; one for fewer than two.
pub(super) fn nodes(codes: &[u32], levels: &[Aabb]) -> Vec<LbvhNode> {
    let n = codes.len();
    if n < 2 {
        return vec![few(n, levels)];
    }
    (0..n as u32 - 1).into_par_iter().with_min_len(1024).map(|node| make(node, codes, levels)).collect()
}

/// New boxes for nodes that keep their shape.
pub(super) fn refit(nodes: &mut [LbvhNode], n: usize, levels: &[Aabb]) {
    if n < 2 {
        nodes[0] = few(n, levels);
        return;
    }
    nodes.par_iter_mut().with_min_len(1024).for_each(|node| {
        let middle = node.left & !LEAF;
        node.set_boxes(cover(levels, node.first, middle), cover(levels, middle + 1, node.last));
    });
}

fn few(n: usize, levels: &[Aabb]) -> LbvhNode {
    let (left, child) = if n == 1 { (cover(levels, 0, 0), LEAF) } else { (Aabb::EMPTY, NONE) };
    let mut node = LbvhNode { left: child, right: NONE, ..bytemuck::Zeroable::zeroed() };
    node.set_boxes(left, Aabb::EMPTY);
    node
}

/// The length of the prefix that the codes of two leaves share; -1 beyond the ends.
#[inline]
fn common_prefix(codes: &[u32], i: i64, j: i64) -> i32 {
    let Some(other) = usize::try_from(j).ok().and_then(|j| codes.get(j)) else { return -1 };
    let differs = codes[i as usize] ^ other;
    if differs == 0 { 32 + (i as u32 ^ j as u32).leading_zeros() as i32 } else { differs.leading_zeros() as i32 }
}

fn make(node: u32, codes: &[u32], levels: &[Aabb]) -> LbvhNode {
    let i = i64::from(node);
    let prefix = |j: i64| common_prefix(codes, i, j);
    let (before, after) = (prefix(i - 1), prefix(i + 1));
    let way = if after > before { 1 } else { -1 };
    let outside = before.min(after);
    // How far the node reaches: doubled until too far, then by halves.
    let mut far = 2;
    while prefix(i + far * way) > outside {
        far *= 2;
    }
    let (mut length, mut part) = (0, far / 2);
    while part > 0 {
        if prefix(i + (length + part) * way) > outside {
            length += part;
        }
        part /= 2;
    }
    let other = i + length * way;
    // The last leaf that shares more with leaf i than the other end does.
    let inside = prefix(other);
    let (mut split, mut part) = (0, length);
    loop {
        part = (part + 1) / 2;
        if split + part < length && prefix(i + (split + part) * way) > inside {
            split += part;
        }
        if part <= 1 {
            break;
        }
    }
    let middle = (i + split * way + way.min(0)) as u32;
    let (first, last) = (i.min(other) as u32, i.max(other) as u32);
    let left = middle | if middle == first { LEAF } else { 0 };
    let right = (middle + 1) | if middle + 1 == last { LEAF } else { 0 };
    let mut made = LbvhNode { left, right, first, last, ..bytemuck::Zeroable::zeroed() };
    made.set_boxes(cover(levels, first, middle), cover(levels, middle + 1, last));
    made
}
