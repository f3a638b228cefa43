// Where do tiles tell how many keys of each digit they have? Behind the totals of all digits, in two places that take turns.

//!import kernels/sort/one_sweep/tile

// The keys of each digit in all, for PLACES places (totals.wgsl); then the posts of this pass and those of the next,
// which take turns: 256 words a tile, all zero at first.
@group(0) @binding(3) var<storage, read_write> posts: array<atomic<u32>>;

fn post_at(pass_parity: u32, tile: u32) -> u32 {
    let tiles = params.capacity / SWEEP_TILE + 1u;
    return PLACES * 256u + ((pass_parity & 1u) * tiles + tile) * 256u;
}

// The posts of a tile in this pass.
fn posts_of(tile: u32) -> u32 {
    return post_at(params.mode / 8u, tile);
}

// Nobody looks at the posts of the next pass before that begins.
fn clear_next_posts(tile: u32, rank: u32) {
    for (var digit = rank; digit < 256u; digit += THREADS) {
        atomicStore(&posts[post_at(params.mode / 8u + 1u, tile) + digit], 0u);
    }
}

// Keys of the digit of this pass in all.
fn keys_in_all(digit: u32) -> u32 {
    return atomicLoad(&posts[params.mode * 32u + digit]);
}
