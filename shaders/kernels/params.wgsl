// Which items are mine? Counts, first elements and the even share of tiles that a workgroup owns.
//
// A primitive launches a fixed number of workgroups, `chunks`, for its capacity; each owns a contiguous run of tiles of
// the items there are *now*, so a count that lives on the GPU needs no indirect dispatch and no limit of 65 535 workgroups.

//!import kernels/arguments

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> count: array<u32>;

const WORKGROUP: u32 = 256u;

fn item_count() -> u32 {
    return min(count[params.count_index], params.capacity);
}

// The half-open run of tiles of chunk `chunk`: floor(chunk * tiles / chunks) on, which splits any number evenly.
// No overflow: tiles < 2^22 and chunks <= 1024.
fn chunk_tiles(chunk: u32, n: u32, tile_items: u32) -> vec2u {
    let tiles = n / tile_items + select(0u, 1u, n % tile_items != 0u);
    return vec2u(chunk * tiles / params.chunks, (chunk + 1u) * tiles / params.chunks);
}
