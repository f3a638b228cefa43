// Where does the tree lie? In two buffers of group 0; a user's shader may put them anywhere else.

//!import kernels/lbvh/node

@group(0) @binding(2) var<storage, read> nodes: array<LbvhNode>;
@group(0) @binding(3) var<storage, read> primitives: array<u32>;

fn lbvh_node(node: u32) -> LbvhNode {
    return nodes[node];
}

fn lbvh_leaf(leaf: u32) -> u32 {
    return primitives[leaf];
}
