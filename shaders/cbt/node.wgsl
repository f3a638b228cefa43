// Where are the relatives of a node? Arithmetic of heap indices below 2^31, at least 1; 0 names none.
// Generated from cbt/src/node.rs: ./x generate

//!once cbt::node::arithmetic::device::cbt_node_depth
// The level: floor(log2 k).
fn cbt_node_depth(node: u32) -> u32 {
    return 32u - 1u - countLeadingZeros(node);
}
//!end

//!once cbt::node::arithmetic::device::cbt_parent
// The parent; 0 for the root.
fn cbt_parent(node: u32) -> u32 {
    return node >> 1u;
}
//!end

//!once cbt::node::arithmetic::device::cbt_sibling
// The other child of the parent; 0 for the root.
fn cbt_sibling(node: u32) -> u32 {
    if node == 1u {
        return 0u;
    }
    return node ^ 1u;
}
//!end

//!once cbt::node::arithmetic::device::cbt_left_child
// Twice the node.
fn cbt_left_child(node: u32) -> u32 {
    return node << 1u;
}
//!end

//!once cbt::node::arithmetic::device::cbt_right_child
// Twice the node, and one.
fn cbt_right_child(node: u32) -> u32 {
    return (node << 1u) | 1u;
}
//!end

//!once cbt::node::arithmetic::device::cbt_is_left_child
// Whether it is the left child of its parent.
fn cbt_is_left_child(node: u32) -> bool {
    return (node & 1u) == 0u;
}
//!end

//!once cbt::node::arithmetic::device::cbt_is_right_child
// Whether it is the right child of its parent: the root is nobody's.
fn cbt_is_right_child(node: u32) -> bool {
    return (node & 1u) == 1u && node != 1u;
}
//!end

//!once cbt::node::arithmetic::device::cbt_ancestor
// The ancestor on `level`, which must not be below the node.
fn cbt_ancestor(node: u32, level: u32) -> u32 {
    return node >> (cbt_node_depth(node) - level);
}
//!end

//!once cbt::node::arithmetic::device::cbt_bit_len
// Bits that the node spans in a tree of depth `depth`: 2^(D-d).
fn cbt_bit_len(node: u32, depth: u32) -> u32 {
    let one = 1u;
    return one << (depth - cbt_node_depth(node));
}
//!end

//!once cbt::node::arithmetic::device::cbt_first_bit
// The bit where the node starts in a tree of depth `depth`: (k - 2^d) 2^(D-d).
fn cbt_first_bit(node: u32, depth: u32) -> u32 {
    let level: u32 = cbt_node_depth(node);
    let one = 1u;
    return (node ^ (one << level)) << (depth - level);
}
//!end
