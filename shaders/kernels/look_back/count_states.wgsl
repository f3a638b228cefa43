// What have the workgroups of other tiles published of counts below 2^30? Flags and the count, in one word a tile.
//
// Stands in for tile_states.wgsl, whose values have all 32 bits.

//!import kernels/look_back/tile_state

fn read_tile_state(tile: u32) -> TileState {
    let word = atomicLoad(&tile_states[tile]);
    return TileState(word & STATES, word & ~STATES);
}

fn write_tile_state(tile: u32, state: u32, value: Elem) {
    atomicMax(&tile_states[tile], state | value);
}
