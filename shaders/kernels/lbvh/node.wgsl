// What does a node of the tree say? The boxes of both children, so that one load decides where to go.
// Generated from kernels/src/lbvh/node.rs: ./x generate

//!once kernels::lbvh::node::LbvhNode
// An inner node with the boxes of both children, 64 bytes. Node 0 is the root.
struct LbvhNode {
    // Low side of the left child's box.
    left_low: vec3f,
    // The left child: a leaf's number with bit 31 set, or a node's number, or `u32::MAX` for none.
    left: u32,
    // High side of the left child's box.
    left_high: vec3f,
    // The right child, likewise.
    right: u32,
    // Low side of the right child's box.
    right_low: vec3f,
    // The first leaf below this node.
    first: u32,
    // High side of the right child's box.
    right_high: vec3f,
    // The last leaf below this node.
    last: u32,
}
//!end

//!once kernels::lbvh::node::LBVH_LEAF
// This bit of a child marks a leaf.
const LBVH_LEAF: u32 = 0x80000000u;
//!end

//!once kernels::lbvh::node::LBVH_NONE
// No child.
const LBVH_NONE: u32 = 0xffffffffu;
//!end

//!once kernels::lbvh::node::LBVH_STACK
// Subtrees that may wait at once while a tree is searched. In trees by codes of 32 bits no path has more nodes: each step down
// lengthens the common prefix of the codes (32 bits) and places (at most 29 bits). By codes of 64 bits paths may have 93: a
// query that needs more room reports its limit. WGSL clears the room before it is used: more of it would cost each coherent ray a
// tenth of its time.
const LBVH_STACK: u32 = 64u;
//!end
