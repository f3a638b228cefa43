// Which primitives' boxes touch each region of a batch? One invocation a region.

//!import kernels/params
//!import kernels/lbvh/overlap
//!variant boxes kernels/lbvh/tree=kernels/lbvh/tree_bound kernels/lbvh/visit=kernels/lbvh/visit_list kernels/lbvh/region=kernels/lbvh/region_box
//!variant frusta kernels/lbvh/tree=kernels/lbvh/tree_bound kernels/lbvh/visit=kernels/lbvh/visit_list kernels/lbvh/region=kernels/lbvh/region_frustum

@group(0) @binding(4) var<storage, read> queries: array<LbvhRegion>;
@group(0) @binding(5) var<storage, read_write> counts: array<u32>;

// params.extra is the limit of steps.
@compute @workgroup_size(256)
fn lbvh_overlap_regions(@builtin(global_invocation_id) id: vec3u) {
    if id.x < item_count() {
        let touched = lbvh_overlap(id.x, queries[params.input_first + id.x], params.extra);
        counts[params.output_first + id.x] = touched;
    }
}
