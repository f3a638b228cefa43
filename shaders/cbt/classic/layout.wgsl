// Where in the bit-packed heap are bits and sums? Twin: cbt/src/classic/heap.rs.

//!import cbt/node
//!import cbt/storage
//!variant shared cbt/storage=cbt/classic/read_write
//!variant fixed cbt/storage=cbt/classic/read_only

// The maximum depth D: the lowest set bit of the heap is bit D.
fn cbt_depth() -> u32 {
    return firstTrailingBit(cbt_heap_load(0u));
}

// D, by the size of the heap, for which no load must be waited for; trees of depth 1 to 5 have the same.
fn cbt_stored_depth() -> u32 {
    let words = arrayLength(&cbt_heap);
    if words > 4u {
        return firstLeadingBit(words) + 3u;
    }
    return firstTrailingBit(cbt_heap_load(0u));
}

// Bits 32 i .. of the bitfield, lowest first.
fn cbt_word(i: u32) -> u32 {
    return cbt_word_at(i, cbt_depth());
}

// The same where the depth is known, which spares a load that the next one waits for.
fn cbt_word_at(i: u32, depth: u32) -> u32 {
    let start = 3u << depth;
    if depth >= 5u {
        return cbt_heap_load((start >> 5u) + i);
    }
    return (cbt_heap_load(start >> 5u) >> (start & 31u)) & ((1u << (1u << depth)) - 1u);
}

// Set bits under a node at the last reduction: D-d+1 bits from bit 2^(d+1) + k (D-d+1).
fn cbt_sum(node: u32) -> u32 {
    return cbt_sum_at(node, cbt_depth());
}

// The same where the depth is known. Without a branch, so that no load waits for another.
fn cbt_sum_at(node: u32, depth: u32) -> u32 {
    let level = cbt_node_depth(node);
    let width = depth - level + 1u;
    let start = (2u << level) + node * width;
    let shift = start & 31u;
    let crosses = shift + width > 32u;
    let low = cbt_heap_load(start >> 5u);
    let high = cbt_heap_load((start >> 5u) + u32(crosses));
    let bits = (low >> shift) | select(0u, high << ((32u - shift) & 31u), crosses);
    return bits & ((1u << width) - 1u);
}
