// How is a compact tree bound where nobody edits it, in vertex and fragment shaders too? Two read-only buffers, group 1.

@group(1) @binding(0) var<storage, read> cbt_sums: array<u32>;
@group(1) @binding(1) var<storage, read> cbt_bits: array<u32>;

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
