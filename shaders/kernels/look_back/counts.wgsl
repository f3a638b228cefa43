// What have the workgroups of other tiles told of counts below 2^30? The state of a tile and its count, in one word.
//
// Stands in for posts.wgsl, whose values have all 32 bits.

//!import kernels/element
//!import kernels/look_back/options

// A word a tile, all zero at first.
@group(0) @binding(6) var<storage, read_write> posts: array<atomic<u32>>;

// The count is that of the tile's items.
const READY: u32 = 0x40000000u;
// The count is that of all items up to the end of the tile.
const INCLUSIVE: u32 = 0x80000000u;

struct Post {
    // READY, INCLUSIVE, or 0 while there is nothing.
    state: u32,
    value: Elem,
}

fn read_post(tile: u32) -> Post {
    let word = atomicLoad(&posts[tile]);
    return Post(word & (READY | INCLUSIVE), word & ~(READY | INCLUSIVE));
}

fn write_post(tile: u32, state: u32, value: Elem) {
    atomicMax(&posts[tile], state | value);
}

// A tile tells its own count. Tests silence some tiles, as if their workgroups were never scheduled.
fn tell_post(tile: u32, state: u32, value: Elem) {
    if !is_silent(tile) {
        write_post(tile, state, value);
    }
}
