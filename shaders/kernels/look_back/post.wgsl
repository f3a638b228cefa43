// What is a post? What the workgroup of a tile has told, as those of other tiles read it.

//!import kernels/element
//!import kernels/look_back/states

// Some words a tile, all zero at first.
@group(0) @binding(6) var<storage, read_write> posts: array<atomic<u32>>;

struct Post {
    // READY, INCLUSIVE, or 0 while there is nothing.
    state: u32,
    value: Elem,
}
