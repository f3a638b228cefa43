//! What does a node of the tree say? `shaders/kernels/lbvh/node.wgsl` is generated from this file, which a test compares.

use super::aabb::Aabb;
use crate::device;

/// This bit of a child marks a leaf.
#[device]
pub const LBVH_LEAF: u32 = 0x8000_0000;

/// No child.
#[device]
pub const LBVH_NONE: u32 = 0xffff_ffff;

/// Subtrees that may wait at once while a tree is searched. In trees by codes of 32 bits no path has more nodes: each step down
/// lengthens the common prefix of the codes (32 bits) and places (at most 29 bits). By codes of 64 bits paths may have 93: a
/// query that needs more room reports its limit. WGSL clears the room before it is used: more of it would cost each coherent ray a
/// tenth of its time.
#[device]
pub const LBVH_STACK: u32 = 64;

/// An inner node with the boxes of both children, 64 bytes. Node 0 is the root.
///
/// A child is a leaf's number with bit 31 set, or a node's number, or `u32::MAX` for none, whose box is empty.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct LbvhNode {
    /// Low side of the left child's box.
    #[vector]
    pub left_low: [f32; 3],
    /// The left child: a leaf's number with bit 31 set, or a node's number, or `u32::MAX` for none.
    pub left: u32,
    /// High side of the left child's box.
    #[vector]
    pub left_high: [f32; 3],
    /// The right child, likewise.
    pub right: u32,
    /// Low side of the right child's box.
    #[vector]
    pub right_low: [f32; 3],
    /// The first leaf below this node.
    pub first: u32,
    /// High side of the right child's box.
    #[vector]
    pub right_high: [f32; 3],
    /// The last leaf below this node.
    pub last: u32,
}

impl LbvhNode {
    /// The box of the left child.
    ///
    /// ```
    /// use kernels::lbvh::{Aabb, Lbvh};
    /// let at = |x: f32| Aabb { low: [x, 0.0, 0.0], high: [x + 1.0, 1.0, 1.0] };
    /// let tree = Lbvh::build(&[at(0.0), at(5.0)])?;
    /// let root = &tree.nodes()[0];
    /// assert_eq!((root.left_box(), root.right_box()), (at(0.0), at(5.0)));
    /// # Ok::<(), kernels::KernelError>(())
    /// ```
    pub fn left_box(&self) -> Aabb {
        Aabb { low: self.left_low, high: self.left_high }
    }

    /// The box of the right child.
    pub fn right_box(&self) -> Aabb {
        Aabb { low: self.right_low, high: self.right_high }
    }

    pub(super) fn set_boxes(&mut self, left: Aabb, right: Aabb) {
        (self.left_low, self.left_high) = (left.low, left.high);
        (self.right_low, self.right_high) = (right.low, right.high);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        let wgsl = device::module!(LbvhNode, LBVH_LEAF, LBVH_NONE, LBVH_STACK);
        let question =
            "What does a node of the tree say? The boxes of both children, so that one load decides where to go.";
        super::super::generated::check("node.wgsl", question, "node", &[], wgsl);
    }
}
