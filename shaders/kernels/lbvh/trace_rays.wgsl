// What does each ray of a batch meet? One invocation a ray.

//!import kernels/params
//!import kernels/lbvh/trace
//!import kernels/lbvh/passes
//!variant triangles kernels/lbvh/tree=kernels/lbvh/tree_bound kernels/lbvh/primitive=kernels/lbvh/triangles_bound

@group(0) @binding(5) var<storage, read> rays: array<LbvhRay>;
@group(0) @binding(6) var<storage, read_write> hits: array<LbvhHit>;

// params.extra is the limit of steps.
@compute @workgroup_size(256)
fn lbvh_trace_rays(@builtin(global_invocation_id) id: vec3u) {
    if id.x < item_count() {
        let hit = lbvh_trace(rays[params.input_first + id.x], params.mode == LBVH_ANY, params.extra);
        hits[params.output_first + id.x] = hit;
    }
}
