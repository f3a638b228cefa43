// What can any shader ask a tree? Import this beside a layout; every function is that of `cbt::Tree` with `cbt_` before its name.
//
// A node is a heap index; 0 stands for "none" where Rust has an error. Twin: cbt/src/tree.rs.

//!import cbt/layout
//!variant classic cbt/layout=cbt/classic/layout cbt/storage=cbt/classic/read_write
//!variant compact cbt/layout=cbt/compact/layout cbt/storage=cbt/compact/read_write
//!variant classic_fixed cbt/layout=cbt/classic/layout cbt/storage=cbt/classic/read_only
//!variant compact_fixed cbt/layout=cbt/compact/layout cbt/storage=cbt/compact/read_only

// What `select` answers when there are not so many bits.
const CBT_NO_BIT: u32 = 0xffffffffu;

// Bits of the bitfield, 2^D.
fn cbt_capacity() -> u32 {
    return 1u << cbt_depth();
}

// Whether bit `x` is set now; false from the capacity on.
fn cbt_bit(x: u32) -> bool {
    if x >= cbt_capacity() {
        return false;
    }
    return ((cbt_word(x >> 5u) >> (x & 31u)) & 1u) == 1u;
}

// Leaves at the last reduction.
fn cbt_leaf_count() -> u32 {
    return cbt_sum(1u);
}

// Whether the node is on a level of the tree at all.
fn cbt_is_inside(node: u32) -> bool {
    return node != 0u && cbt_node_depth(node) <= cbt_depth();
}

// Whether the node is in the tree now: a leaf starts where it starts, and another where it ends.
fn cbt_contains(node: u32) -> bool {
    if !cbt_is_inside(node) {
        return false;
    }
    let depth = cbt_depth();
    let first = cbt_first_bit(node, depth);
    let end = first + cbt_bit_len(node, depth);
    return cbt_bit(first) && (end == cbt_capacity() || cbt_bit(end));
}

// Whether the node is a leaf of the tree now.
fn cbt_is_leaf(node: u32) -> bool {
    if !cbt_contains(node) {
        return false;
    }
    let depth = cbt_depth();
    return cbt_node_depth(node) == depth || !cbt_bit(cbt_first_bit(cbt_right_child(node), depth));
}

// The leaf with `index` leaves before it (Grachev & Ushakov 2023, Fig. 8); 0 past the last.
fn cbt_leaf(index: u32) -> u32 {
    var left_of = index;
    var leaves = cbt_leaf_count();
    if index >= leaves {
        return 0u;
    }
    let depth = cbt_depth();
    var node = 1u;
    while leaves > 1u && cbt_node_depth(node) < depth {
        node <<= 1u;
        let left = cbt_sum(node);
        if left_of < left {
            leaves = left;
        } else {
            left_of -= left;
            leaves -= min(left, leaves);
            node += 1u;
        }
    }
    return node;
}

// Set bits before bit `x`; all of them from the capacity on.
fn cbt_rank_set(x: u32) -> u32 {
    let depth = cbt_depth();
    if x >= cbt_capacity() {
        return cbt_leaf_count();
    }
    var node = (1u << depth) + x;
    var before = 0u;
    while node > 1u {
        if (node & 1u) == 1u {
            before += cbt_sum(node - 1u);
        }
        node >>= 1u;
    }
    return before;
}

// Clear bits before bit `x`; all of them from the capacity on.
fn cbt_rank_unset(x: u32) -> u32 {
    let end = min(x, cbt_capacity());
    return end - cbt_rank_set(end);
}

// Leaves that start before the node, which must be inside the tree: the index of a leaf.
fn cbt_index_of(node: u32) -> u32 {
    return cbt_rank_set(cbt_first_bit(node, cbt_depth()));
}

// The bit equal to `value` that has `rank` such bits before it, or CBT_NO_BIT.
fn cbt_select(rank: u32, value: bool) -> u32 {
    var left_of = rank;
    var span = cbt_capacity();
    var node = 1u;
    let all = cbt_sum(1u);
    if rank >= select(span - all, all, value) {
        return CBT_NO_BIT;
    }
    while span > 1u {
        span >>= 1u;
        node <<= 1u;
        let sum = cbt_sum(node);
        let left = select(span - min(sum, span), sum, value);
        if left_of >= left {
            left_of -= left;
            node += 1u;
        }
    }
    return node - cbt_capacity();
}

// The set bit with `rank` set bits before it, or CBT_NO_BIT.
fn cbt_select_set(rank: u32) -> u32 {
    return cbt_select(rank, true);
}

// The clear bit with `rank` clear bits before it, or CBT_NO_BIT: the rank-th free slot of a pool.
fn cbt_select_unset(rank: u32) -> u32 {
    return cbt_select(rank, false);
}

// The leaf that spans bit `x`; 0 from the capacity on.
fn cbt_leaf_at(x: u32) -> u32 {
    if x >= cbt_capacity() {
        return 0u;
    }
    return cbt_leaf(max(cbt_rank_set(x + 1u), 1u) - 1u);
}
