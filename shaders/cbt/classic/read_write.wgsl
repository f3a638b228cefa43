// How is a classic tree bound where threads edit it? One buffer of atomic words, group 1.

@group(1) @binding(0) var<storage, read_write> cbt_heap: array<atomic<u32>>;

fn cbt_heap_load(word: u32) -> u32 {
    return atomicLoad(&cbt_heap[word]);
}

// Word of the heap and shift in it of word `i` of the bitfield, which starts at bit 3 2^D.
fn cbt_place(i: u32) -> vec2u {
    let start = 3u << cbt_depth();
    return vec2u((start >> 5u) + i, start & 31u);
}

// Sets the bits of `bits` in word `i` of the bitfield with one atomic operation; returns the word before.
fn cbt_or_word(i: u32, bits: u32) -> u32 {
    let place = cbt_place(i);
    return atomicOr(&cbt_heap[place.x], bits << place.y) >> place.y;
}

// Clears the bits of `bits` in word `i` of the bitfield with one atomic operation; returns the word before.
fn cbt_clear_in_word(i: u32, bits: u32) -> u32 {
    let place = cbt_place(i);
    return atomicAnd(&cbt_heap[place.x], ~(bits << place.y)) >> place.y;
}

// Replaces word `i` of the bitfield of a tree of depth `depth`, which need not be in the heap yet.
fn cbt_store_word(i: u32, bits: u32, depth: u32) {
    let start = 3u << depth;
    if depth >= 5u {
        atomicStore(&cbt_heap[(start >> 5u) + i], bits);
    } else {
        let mask = (1u << (1u << depth)) - 1u;
        atomicAnd(&cbt_heap[start >> 5u], ~(mask << (start & 31u)));
        atomicOr(&cbt_heap[start >> 5u], (bits & mask) << (start & 31u));
    }
}
