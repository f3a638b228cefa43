//!import cbt/tile
//!import terrain/heap_id
//!import terrain/vertex_state
//!import terrain/shading_normal
//!import terrain/pool/buffers
//!variant tree cbt/layout=cbt/compact/layout cbt/storage=terrain/mesh/tree
// Where are the corners of the live triangles? One invocation a corner; triangles in the order of slots, numbered by the pool's tree.
// A corner is computed from its canonical point alone, so triangles that share it agree to the last bit.

// Vertex count, instance count, first vertex, first instance of an indirect draw.
@group(3) @binding(2) var<storage, read_write> draw: array<u32, 4>;
// `terrain::TerrainVertex`: position (3), height, direction (3), normal in four bytes.
@group(3) @binding(3) var<storage, read_write> vertices: array<vec4u>;

@compute @workgroup_size(BLOCK)
fn evaluate(
    @builtin(workgroup_id) workgroup: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    cbt_read_tile(workgroup.x, local);
    let slot = workgroup.x * BLOCK + local;
    if slot == 0u && workgroup.y == 0u {
        draw = array<u32, 4>(3u * cbt_leaf_count(), 1u, 0u, 0u);
    }
    if !cbt_tile_bit(local) {
        return;
    }
    let triangle = cbt_tile_rank_set(local);

    // The right-angle corner first: what is flat over a triangle comes from it.
    let place = corner_of(arrayLength(&heap), slot, (workgroup.y + 1u) % 3u);
    let p = canonical(FacePoint(face_of(heap[slot]), place.x, place.y));
    let vertex = morphed_vertex(p);
    let at = 2u * (3u * triangle + workgroup.y);
    vertices[at] = bitcast<vec4u>(vec4f(vertex.position_m, vertex.height_m));
    vertices[at + 1u] = vec4u(bitcast<vec3u>(vertex.normal), shading_normal(p, vertex));
}
