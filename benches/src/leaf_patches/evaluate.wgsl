//!import terrain/heap_id
//!import terrain/metric
//!import terrain/shading_normal
//!import terrain/pool/buffers
//!import terrain/mesh/live
//!import bench/place
// Where are the vertices of the live leaves' patches? One invocation a vertex; twin in meaning of terrain/mesh/evaluate, which is
// this with the three corners alone.

@group(3) @binding(2) var<storage, read_write> vertices: array<vec4u>;
// Index count, instance count, first index, base vertex, first instance.
@group(3) @binding(3) var<storage, read_write> indexed_draw: array<u32, 5>;

@compute @workgroup_size(BLOCK)
fn evaluate(
    @builtin(workgroup_id) workgroup: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    let slot = workgroup.x * BLOCK + local;
    if slot == 0u && workgroup.y == 0u {
        indexed_draw = array<u32, 5>(draw[0] * TRIANGLES, 1u, 0u, 0u, 0u);
    }
    if !is_live(slot) {
        return;
    }
    let leaf = triangle_of_slot(slot);
    let p = canonical(lattice_point(slot, PLACES[workgroup.y]));
    let vertex = drawn(p);
    let at = 2u * (VERTICES * leaf + workgroup.y);
    vertices[at] = bitcast<vec4u>(vec4f(vertex.position_m, vertex.height_m));
    vertices[at + 1u] = vec4u(bitcast<vec3u>(vertex.normal), shading_normal(p, vertex));
}
