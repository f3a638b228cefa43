// What have the workgroups of other tiles told? The state of a tile and a value of 32 bits, in two words.
//
// WGSL's atomics order nothing but themselves, so a value and the word that it is there must be one word, or prove each
// other: each word holds half of the value and the state, and a post counts only when both states are equal. States only
// rise, and there is one value for each, whoever posts it: halves of two posts that agree in their state are one value.

//!import kernels/look_back/post

fn read_post(tile: u32) -> Post {
    let low = atomicLoad(&posts[2u * tile]);
    let high = atomicLoad(&posts[2u * tile + 1u]);
    return Post(low & high & STATES, bitcast<Elem>((low & 0xffffu) | (high << 16u)));
}

fn write_post(tile: u32, state: u32, value: Elem) {
    let word = bitcast<u32>(value);
    atomicMax(&posts[2u * tile], state | (word & 0xffffu));
    atomicMax(&posts[2u * tile + 1u], state | (word >> 16u));
}
