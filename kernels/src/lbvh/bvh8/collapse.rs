//! Which boxes share a node? From two children on, the largest is opened until there are eight.
//!
//! A box is as likely to be met as its surface is large, so opening the largest saves most visits. Subtrees of few leaves
//! stay closed: they are blocks.

use super::{
    block::{BLOCK, Block},
    lanes::LANES,
    node::Node,
};
use crate::lbvh::{
    Aabb, Lbvh, Triangle,
    node::{LBVH_LEAF as LEAF, LBVH_NONE as NONE, LbvhNode},
};
use rayon::prelude::*;

/// Leaves below a node from which on one thread does all.
const PART: u32 = 1 << 11;
/// Blocks that a thread fills at a time.
const BLOCKS_PER_TASK: usize = 256;

/// Leaves `first` to `last`, below `node` if they are more than one.
#[derive(Clone, Copy)]
struct Subtree {
    bounds: Aabb,
    node: u32,
    first: u32,
    last: u32,
    /// The last leaf of its left half, if it is more than a block: read before it is needed, so that a node which is opened later
    /// has come from memory by then.
    middle: u32,
}

impl Subtree {
    const NONE: Self = Self { bounds: Aabb::EMPTY, node: NONE, first: 0, last: 0, middle: 0 };

    fn of(nodes: &[LbvhNode], node: u32, bounds: Aabb, first: u32, last: u32) -> Self {
        let middle = if last - first < BLOCK as u32 { last } else { nodes[node as usize].left & !LEAF };
        Self { bounds, node, first, last, middle }
    }

    /// Of all `count` leaves.
    fn whole(nodes: &[LbvhNode], count: u32) -> Self {
        let middle = if nodes[0].right == NONE { 0 } else { nodes[0].left & !LEAF };
        Self { node: 0, last: count.saturating_sub(1), middle, ..Self::NONE }
    }

    fn leaves(&self) -> u32 {
        self.last - self.first + 1
    }

    /// Half the surface of its box; less than nothing where it shall stay closed.
    fn worth(&self) -> f32 {
        if self.leaves() <= BLOCK as u32 {
            return -1.0;
        }
        let [x, y, z] = std::array::from_fn(|axis| (self.bounds.high[axis] - self.bounds.low[axis]).max(0.0));
        x * y + y * z + z * x
    }

    /// Its two halves; of a whole tree of fewer than two leaves, some are none.
    fn halves(&self, nodes: &[LbvhNode]) -> [Self; 2] {
        let node = &nodes[self.node as usize];
        let (left, right) = (node.left_box(), node.right_box());
        if node.right == NONE {
            return [Self { bounds: left, node: node.left, ..Self::NONE }, Self::NONE];
        }
        [
            Self::of(nodes, node.left, left, self.first, self.middle),
            Self::of(nodes, node.right, right, self.middle + 1, self.last),
        ]
    }

    /// At most eight parts of it.
    fn open(&self, nodes: &[LbvhNode]) -> ([Self; LANES], usize) {
        let (mut parts, mut worths, mut len) = ([Self::NONE; LANES], [-1.0; LANES], 0);
        for half in self.halves(nodes).into_iter().filter(|half| half.node != NONE) {
            (parts[len], worths[len]) = (half, half.worth());
            len += 1;
        }
        while len < LANES {
            let (mut widest, mut worth) = (0, -1.0);
            for (i, own) in worths[..len].iter().enumerate() {
                if *own > worth {
                    (widest, worth) = (i, *own);
                }
            }
            if worth < 0.0 {
                break;
            }
            let [left, right] = parts[widest].halves(nodes);
            (parts[widest], worths[widest]) = (left, left.worth());
            (parts[len], worths[len]) = (right, right.worth());
            len += 1;
        }
        (parts, len)
    }
}

/// Nodes that one thread makes, depth first; nodes and blocks are numbered from its own first ones.
struct Part {
    nodes: Vec<Node>,
    /// First leaf and number of leaves.
    blocks: Vec<(u32, u32)>,
    /// What others make, because it has no more leaves than `others`: node and lane that it belongs to.
    later: Vec<(usize, usize, Subtree)>,
    others: u32,
}

impl Part {
    fn of(nodes: &[LbvhNode], subtree: &Subtree, others: u32) -> Self {
        // A little more than is usually needed.
        let nodes_expected = subtree.leaves() as usize / 7 + 1;
        let mut part = Self { nodes: Vec::new(), blocks: Vec::new(), later: Vec::new(), others };
        if others == 0 {
            part.nodes.reserve(nodes_expected);
            part.blocks.reserve(2 * nodes_expected + 2);
        }
        part.add(nodes, subtree);
        part
    }

    /// The number of the node that is made of a subtree.
    fn add(&mut self, nodes: &[LbvhNode], subtree: &Subtree) -> u32 {
        let number = self.nodes.len();
        self.nodes.push(Node::EMPTY);
        let (parts, len) = subtree.open(nodes);
        for (lane, part) in parts[..len].iter().enumerate() {
            let child = if part.leaves() <= BLOCK as u32 {
                self.blocks.push((part.first, part.leaves()));
                (self.blocks.len() - 1) as u32 | LEAF
            } else if part.leaves() <= self.others {
                self.later.push((number, lane, *part));
                NONE
            } else {
                self.add(nodes, part)
            };
            self.nodes[number].set(lane, part.bounds, child);
        }
        number as u32
    }
}

/// Nodes, the root first, and blocks.
pub(super) fn collapse(tree: &Lbvh, triangles: &[Triangle]) -> (Vec<Node>, Vec<Block>) {
    let (binary, primitives) = (tree.nodes(), tree.primitives());
    let top = Part::of(binary, &Subtree::whole(binary, primitives.len() as u32), PART);
    let parts: Vec<Part> = top.later.par_iter().map(|(.., subtree)| Part::of(binary, subtree, 0)).collect();

    let (mut nodes, mut blocks) = (top.nodes, top.blocks);
    nodes.reserve_exact(parts.iter().map(|part| part.nodes.len()).sum());
    for (mut part, (node, lane, _)) in parts.into_iter().zip(top.later) {
        let (first_node, first_block) = (nodes.len() as u32, blocks.len() as u32);
        nodes[node].children[lane] = first_node;
        for child in part.nodes.iter_mut().flat_map(|node| &mut node.children).filter(|child| **child != NONE) {
            *child += if *child & LEAF == 0 { first_node } else { first_block };
        }
        nodes.append(&mut part.nodes);
        blocks.append(&mut part.blocks);
    }
    let block = |(first, len): (u32, u32)| Block::of(&primitives[first as usize..][..len as usize], triangles);
    (nodes, blocks.into_par_iter().with_min_len(BLOCKS_PER_TASK).map(block).collect())
}
