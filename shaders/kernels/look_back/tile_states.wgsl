// What have the workgroups of other tiles published? Flags and a value of 32 bits, in two words a tile.
//
// WGSL's atomics order nothing but themselves, so a value and the word that it is there must be one word, or prove each
// other: each word holds half of the value and the flags, and a tile state counts only when both flags are equal. Flags
// only rise, and there is one value for each, whoever publishes it: halves of two tile states with the same flags are
// one value.

//!import kernels/look_back/tile_state

fn read_tile_state(tile: u32) -> TileState {
    let low = atomicLoad(&tile_states[2u * tile]);
    let high = atomicLoad(&tile_states[2u * tile + 1u]);
    return TileState(low & high & STATES, bitcast<Elem>((low & 0xffffu) | (high << 16u)));
}

fn write_tile_state(tile: u32, state: u32, value: Elem) {
    let word = bitcast<u32>(value);
    atomicMax(&tile_states[2u * tile], state | (word & 0xffffu));
    atomicMax(&tile_states[2u * tile + 1u], state | (word >> 16u));
}
