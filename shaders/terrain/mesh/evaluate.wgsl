//!import terrain/heap_id
//!import terrain/metric
//!import terrain/shading_normal
//!import terrain/pool/buffers
//!import terrain/mesh/live
// Where are the corners of the live triangles? One invocation a corner; triangles in the order of slots. A corner is
// computed from its canonical point alone, so triangles that share it agree to the last bit.

// `terrain::TerrainVertex`: position (3), height, direction (3), normal in four bytes.
@group(3) @binding(2) var<storage, read_write> vertices: array<vec4u>;

@compute @workgroup_size(BLOCK)
fn evaluate(
    @builtin(workgroup_id) workgroup: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    let slot = workgroup.x * BLOCK + local;
    if !is_live(slot) {
        return;
    }
    let triangle = triangle_of_slot(slot);

    // The right-angle corner first: what is flat over a triangle comes from it.
    let place = corner(slot, (workgroup.y + 1u) % 3u);
    let p = canonical(FacePoint(face_of(heap[slot]), place.x, place.y));
    let vertex = drawn(p);
    let at = 2u * (3u * triangle + workgroup.y);
    vertices[at] = bitcast<vec4u>(vec4f(vertex.position_m, vertex.height_m));
    vertices[at + 1u] = vec4u(bitcast<vec3u>(vertex.normal), shading_normal(p, vertex));
}
