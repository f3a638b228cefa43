// What lies nearest to each point of a batch? One invocation a point.

//!import kernels/params
//!import kernels/lbvh/near
//!variant triangles kernels/lbvh/tree=kernels/lbvh/tree_bound kernels/lbvh/nearby=kernels/lbvh/nearby_triangles

@group(0) @binding(5) var<storage, read> points: array<LbvhPoint>;
@group(0) @binding(6) var<storage, read_write> hits: array<LbvhHit>;

// params.extra is the limit of steps.
@compute @workgroup_size(256)
fn lbvh_near_points(@builtin(global_invocation_id) id: vec3u) {
    if id.x < item_count() {
        let point = points[params.input_first + id.x];
        hits[params.output_first + id.x] = lbvh_nearest(point.position, point.reach, params.extra);
    }
}
