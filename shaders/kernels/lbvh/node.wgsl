// What does a node of the tree say? The boxes of both children, so that one load decides where to go.

struct LbvhNode {
    left_low: vec3f,
    // A child: LBVH_LEAF + the leaf, or the node, or LBVH_NONE.
    left: u32,
    left_high: vec3f,
    right: u32,
    right_low: vec3f,
    // The leaves below this node, first to last.
    first: u32,
    right_high: vec3f,
    last: u32,
}

const LBVH_LEAF: u32 = 0x80000000u;
const LBVH_NONE: u32 = 0xffffffffu;
