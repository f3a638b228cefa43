// Where are the relatives of a node? Arithmetic of heap indices below 2^31: the root is 1, the children of k are 2k, 2k + 1.
//
// Twin: cbt/src/node.rs. A node is a u32; 0 names none.

// The level: floor(log2 k).
fn cbt_node_depth(node: u32) -> u32 {
    return firstLeadingBit(node);
}

fn cbt_parent(node: u32) -> u32 {
    return node >> 1u;
}

// The other child of the parent; 0 for the root.
fn cbt_sibling(node: u32) -> u32 {
    return select(node ^ 1u, 0u, node == 1u);
}

fn cbt_left_child(node: u32) -> u32 {
    return node << 1u;
}

fn cbt_right_child(node: u32) -> u32 {
    return (node << 1u) | 1u;
}

fn cbt_is_left_child(node: u32) -> bool {
    return (node & 1u) == 0u;
}

fn cbt_is_right_child(node: u32) -> bool {
    return (node & 1u) == 1u && node != 1u;
}

// The ancestor on `level`, which must not be below the node.
fn cbt_ancestor(node: u32, level: u32) -> u32 {
    return node >> (cbt_node_depth(node) - level);
}

// The bit where the node starts in a tree of depth `depth`: k 2^(D-d) - 2^D.
fn cbt_first_bit(node: u32, depth: u32) -> u32 {
    return (node << (depth - cbt_node_depth(node))) - (1u << depth);
}

// Bits that the node spans: 2^(D-d).
fn cbt_bit_len(node: u32, depth: u32) -> u32 {
    return 1u << (depth - cbt_node_depth(node));
}
