// How is a compact tree bound where threads edit it? The sums, and the bitfield as atomic words, group 1.

@group(1) @binding(0) var<storage, read> cbt_sums: array<u32>;
@group(1) @binding(1) var<storage, read_write> cbt_bits: array<atomic<u32>>;

fn cbt_bits_load(word: u32) -> u32 {
    return atomicLoad(&cbt_bits[word]);
}

// Sets the bits of `bits` in word `i` of the bitfield with one atomic operation; returns the word before.
fn cbt_or_word(i: u32, bits: u32) -> u32 {
    return atomicOr(&cbt_bits[i], bits);
}

// Clears the bits of `bits` in word `i` of the bitfield with one atomic operation; returns the word before.
fn cbt_clear_in_word(i: u32, bits: u32) -> u32 {
    return atomicAnd(&cbt_bits[i], ~bits);
}

// Replaces word `i` of the bitfield of a tree of depth `depth`.
fn cbt_store_word(i: u32, bits: u32, depth: u32) {
    let mask = (1u << (1u << min(depth, 4u))) - 1u;
    atomicStore(&cbt_bits[i], select(bits & mask, bits, depth >= 5u));
}
