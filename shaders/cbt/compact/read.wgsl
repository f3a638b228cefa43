// What is read of a compact tree that nobody edits? Import this beside the declarations of `cbt_sums` and `cbt_bits`.

fn cbt_bits_load(word: u32) -> u32 {
    return cbt_bits[word];
}

// D, by the size of the bitfield, for which no load must be waited for; trees of depth 1 to 7 have the same.
fn cbt_stored_depth() -> u32 {
    let words = arrayLength(&cbt_bits);
    if words > 4u {
        return firstLeadingBit(words) + 5u;
    }
    return cbt_sums[0];
}
