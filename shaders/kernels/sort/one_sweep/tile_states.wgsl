// Where do tiles publish how many keys of each digit they have? Behind the global histogram, in two places that take
// turns.

//!import kernels/sort/one_sweep/tile

// The keys of each digit in all, for PLACES places (global_histogram.wgsl); then the tile states of this pass and those
// of the next, which take turns: 256 words a tile, all zero at first.
@group(0) @binding(3) var<storage, read_write> tile_states: array<atomic<u32>>;

fn tile_state_at(pass_parity: u32, tile: u32) -> u32 {
    let tiles = params.capacity / SWEEP_TILE + 1u;
    return PLACES * 256u + ((pass_parity & 1u) * tiles + tile) * 256u;
}

// Index of the first word of a tile's states in this pass.
fn tile_state_index(tile: u32) -> u32 {
    return tile_state_at(params.mode / 8u, tile);
}

// Nobody reads the tile states of the next pass before that begins.
fn clear_next_tile_states(tile: u32, rank: u32) {
    for (var digit = rank; digit < 256u; digit += THREADS) {
        atomicStore(&tile_states[tile_state_at(params.mode / 8u + 1u, tile) + digit], 0u);
    }
}

// Keys of the digit of this pass in all.
fn keys_in_all(digit: u32) -> u32 {
    return atomicLoad(&tile_states[params.mode * 32u + digit]);
}
