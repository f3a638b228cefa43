// How do the 256 values of a workgroup become 8 levels of a tree, without subgroups?

//!import kernels/pyramid/heap
//!import kernels/operator

struct Lane {
    @builtin(local_invocation_index) index: u32,
}

// What all of them have in common, apart: WGSL takes a parameter for uniform as a whole or not at all.
struct Group {
    @builtin(workgroup_id) workgroup: vec3u,
}

fn lane_rank(lane: Lane, group: Group) -> u32 {
    return lane.index;
}

var<workgroup> sh_node: array<Elem, 256>;

// `value` is node `first + rank` of the level `up`; stores all levels above within the workgroup.
fn tree_levels(value: Elem, first: u32, up: u32, lane: Lane, group: Group) {
    let rank = lane.index;
    workgroupBarrier();
    sh_node[rank] = value;
    for (var level = 1u; level <= 8u; level += 1u) {
        let width = 256u >> level;
        workgroupBarrier();
        var node = op_identity();
        if rank < width {
            node = op_combine(sh_node[2u * rank], sh_node[2u * rank + 1u]);
            heap_store(up + level, (first >> level) + rank, node);
        }
        workgroupBarrier();
        if rank < width {
            sh_node[rank] = node;
        }
    }
}
