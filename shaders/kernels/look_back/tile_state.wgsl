// What is a tile state? What the workgroup of a tile has published, as those of other tiles read it.

//!import kernels/element
//!import kernels/look_back/state_flags

// Some words a tile, all zero at first.
@group(0) @binding(6) var<storage, read_write> tile_states: array<atomic<u32>>;

struct TileState {
    // READY, INCLUSIVE, or 0 while there is nothing.
    state: u32,
    value: Elem,
}
