// How does a shader edit a tree? One atomic operation an edit, any number of threads at once. Needs shared storage.
//
// Each answers whether the bit changed; an edit that `cbt::Tree` refuses with an error changes nothing. Twin: cbt/src/tree.rs.

//!import cbt/tree
//!variant classic cbt/layout=cbt/classic/layout cbt/storage=cbt/classic/read_write
//!variant compact cbt/layout=cbt/compact/layout cbt/storage=cbt/compact/read_write

// Sets bit `x`. A bit that is set is never seen clear meanwhile.
fn cbt_set_bit(x: u32) -> bool {
    if x >= cbt_capacity() {
        return false;
    }
    return ((cbt_or_word(x >> 5u, 1u << (x & 31u)) >> (x & 31u)) & 1u) == 0u;
}

// Clears bit `x`, unless it is bit 0, where the first leaf of every tree starts.
fn cbt_clear_bit(x: u32) -> bool {
    if x == 0u || x >= cbt_capacity() {
        return false;
    }
    return ((cbt_clear_in_word(x >> 5u, 1u << (x & 31u)) >> (x & 31u)) & 1u) == 1u;
}

// Gives the node two children: sets the bit where its right child starts. Not on the deepest level.
fn cbt_split(node: u32) -> bool {
    if node == 0u || cbt_node_depth(node) >= cbt_depth() {
        return false;
    }
    return cbt_set_bit(cbt_first_bit(cbt_right_child(node), cbt_depth()));
}

// Takes the node's two children away: clears the bit where its right child starts. Not on the deepest level.
fn cbt_merge(node: u32) -> bool {
    if node == 0u || cbt_node_depth(node) >= cbt_depth() {
        return false;
    }
    return cbt_clear_bit(cbt_first_bit(cbt_right_child(node), cbt_depth()));
}
