// What does each ray of a batch meet in a tree of four children a node? One invocation a ray.

//!import kernels/params
//!import kernels/lbvh/bvh4/trace
//!import kernels/lbvh/passes
//!variant bound kernels/lbvh/bvh4/tree=kernels/lbvh/bvh4/tree_bound

@group(0) @binding(5) var<storage, read> rays: array<LbvhRay>;
@group(0) @binding(6) var<storage, read_write> hits: array<LbvhHit>;

// params.extra is the limit of steps.
@compute @workgroup_size(256)
fn bvh4_trace_rays(@builtin(global_invocation_id) id: vec3u) {
    if id.x < item_count() {
        let hit = bvh4_trace(rays[params.input_first + id.x], params.mode == LBVH_ANY, params.extra);
        hits[params.output_first + id.x] = hit;
    }
}
