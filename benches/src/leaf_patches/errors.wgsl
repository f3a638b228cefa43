//!import terrain/heap_id
//!import terrain/metric
//!import terrain/pool/buffers
//!import terrain/mesh/live
//!import bench/place
// How wrong is the drawn mesh? For every triangle the saturated error of the vertex that it lacks, in tolerated errors on screen.

// Of each triangle of a leaf its vertices, and the places of the two ends of its hypotenuse.
@group(3) @binding(2) var<storage, read_write> cuts: array<vec4u>;
@group(3) @binding(3) var<storage, read_write> ratios: array<f32>;

@compute @workgroup_size(BLOCK)
fn errors(
    @builtin(workgroup_id) workgroup: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    let slot = workgroup.x * BLOCK + local;
    if !is_live(slot) {
        return;
    }
    let ends = cuts[2u * workgroup.y + 1u];
    let start = lattice_point(slot, ends.xy);
    let end = lattice_point(slot, ends.zw);
    let lacking = canonical(FacePoint(start.face, (start.u + end.u) >> 1u, (start.v + end.v) >> 1u));
    let judged = judge(lacking);
    let error_m = ground_at(lacking).error_m;
    ratios[TRIANGLES * triangle_of_slot(slot) + workgroup.y] =
        error_m * metric.pixels_over_error / max(length(judged.position_m), 0.1);
}
