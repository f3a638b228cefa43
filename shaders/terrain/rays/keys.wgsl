//!import cbt/tile
//!import terrain/heap_id
//!import terrain/pool/buffers
//!import terrain/rays/buffers
//!variant tree cbt/layout=cbt/compact/layout cbt/storage=terrain/mesh/tree
// Which bisector is each drawn triangle, and where along the curve of the bisection does it lie? One invocation a slot;
// triangles in the order of slots, as they are drawn.

@compute @workgroup_size(BLOCK)
fn keys(
    @builtin(workgroup_id) workgroup: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    cbt_read_tile(workgroup.x, local);
    let slot = workgroup.x * BLOCK + local;
    if slot == 0u {
        triangle_count[0] = cbt_leaf_count();
    }
    if !cbt_tile_bit(local) {
        return;
    }
    let triangle = cbt_tile_rank_set(local);
    ids[triangle] = heap[slot];
    // Depths 29 to `max_depth` have their bits at the top of the low word.
    low_keys[triangle] = left_aligned(heap[slot]).x >> min(60u - control.max_depth, 31u);
}
