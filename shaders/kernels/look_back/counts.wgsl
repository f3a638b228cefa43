// What have the workgroups of other tiles told of counts below 2^30? The state of a tile and its count, in one word.
//
// Stands in for posts.wgsl, whose values have all 32 bits.

//!import kernels/look_back/post

fn read_post(tile: u32) -> Post {
    let word = atomicLoad(&posts[tile]);
    return Post(word & STATES, word & ~STATES);
}

fn write_post(tile: u32, state: u32, value: Elem) {
    atomicMax(&posts[tile], state | value);
}
