// Where are the bits and sums of a compact tree? Sums down to blocks of 512 bits; below, bits are counted.
//
// Twin: cbt/src/compact. Entry 0 of the sums, unused on the CPU, holds the depth.

//!import cbt/node
//!import cbt/storage
//!variant shared cbt/storage=cbt/compact/read_write
//!variant fixed cbt/storage=cbt/compact/read_only

const CBT_BLOCK_LOG2: u32 = 9u;

// The maximum depth D.
fn cbt_depth() -> u32 {
    return cbt_sums[0];
}

// D, by the size of the bitfield, for which no load must be waited for; trees of depth 1 to 7 have the same.
fn cbt_stored_depth() -> u32 {
    let words = arrayLength(&cbt_bits);
    if words > 4u {
        return firstLeadingBit(words) + 5u;
    }
    return cbt_sums[0];
}

// Bits 32 i .. of the bitfield, lowest first.
fn cbt_word(i: u32) -> u32 {
    return cbt_bits_load(i);
}

// The same; only the other layout has use for the depth.
fn cbt_word_at(i: u32, depth: u32) -> u32 {
    return cbt_bits_load(i);
}

// Set bits under a node: those of the last reduction down to a block, those of now below.
fn cbt_sum(node: u32) -> u32 {
    return cbt_sum_at(node, cbt_depth());
}

// The same where the depth is known, which spares a load that the next one waits for.
fn cbt_sum_at(node: u32, depth: u32) -> u32 {
    let level = cbt_node_depth(node);
    if level + CBT_BLOCK_LOG2 <= max(depth, CBT_BLOCK_LOG2) {
        return cbt_sums[node];
    }
    let first = cbt_first_bit(node, depth);
    let len = 1u << (depth - level);
    if len < 32u {
        return countOneBits((cbt_bits_load(first >> 5u) >> (first & 31u)) & ((1u << len) - 1u));
    }
    var sum = 0u;
    for (var word = first >> 5u; word < ((first + len) >> 5u); word += 1u) {
        sum += countOneBits(cbt_bits_load(word));
    }
    return sum;
}
