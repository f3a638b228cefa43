//! What does a node of the tree say? Twin: `lbvh/node.wgsl`.

use super::aabb::Aabb;
use crate::Element;

/// This bit of a child marks a leaf.
pub(super) const LEAF: u32 = 1 << 31;
/// No child.
pub(super) const NONE: u32 = u32::MAX;

/// An inner node with the boxes of both children, 64 bytes. Node 0 is the root.
///
/// A child is a leaf's number with bit 31 set, or a node's number, or `u32::MAX` for none, whose box is empty.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct LbvhNode {
    /// Low side of the left child's box.
    pub left_low: [f32; 3],
    /// The left child.
    pub left: u32,
    /// High side of the left child's box.
    pub left_high: [f32; 3],
    /// The right child.
    pub right: u32,
    /// Low side of the right child's box.
    pub right_low: [f32; 3],
    /// The first leaf below this node.
    pub first: u32,
    /// High side of the right child's box.
    pub right_high: [f32; 3],
    /// The last leaf below this node.
    pub last: u32,
}

impl Element for LbvhNode {
    const TYPE: &'static str = "LbvhNode";
    const DECLARATION: &'static str = "//!import kernels/lbvh/node";
}

impl LbvhNode {
    /// The box of the left child.
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
    use super::LbvhNode;

    #[test]
    fn nodes_mean_the_same_bytes_in_wgsl() {
        let composed = shaders::Composer::new().compose("kernels/lbvh/node").unwrap();
        shaders::assert_layout!(
            composed,
            LbvhNode { left_low, left, left_high, right, right_low, first, right_high, last }
        );
    }
}
