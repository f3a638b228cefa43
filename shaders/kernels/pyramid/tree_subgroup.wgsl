// How do the 256 values of a workgroup become 8 levels of a tree, with subgroups of any size from 4 to 128?

//!requires subgroups
//!import kernels/pyramid/heap
//!import kernels/operator
//!import kernels/element_shuffle

struct Lane {
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_id) subgroup: u32,
}

// What all of them have in common, apart: WGSL takes a parameter for uniform as a whole or not at all.
struct Group {
    @builtin(workgroup_id) workgroup: vec3u,
    @builtin(subgroup_size) size: u32,
}

fn lane_rank(lane: Lane, group: Group) -> u32 {
    return lane.subgroup * group.size + lane.lane;
}

var<workgroup> sh_node: array<Elem, MAX_SUBGROUPS>;

// `value` is node `first + rank` of the level `up`; stores all levels above within the workgroup.
fn tree_levels(value: Elem, first: u32, up: u32, lane: Lane, group: Group) {
    let rank = lane_rank(lane, group);
    var node = value;
    var level = 0u;
    for (var distance = 1u; distance < group.size; distance *= 2u) {
        node = op_combine(node, elem_shuffle_down(node, distance));
        level += 1u;
        // The other lanes hold parts of nodes that others store.
        if lane.lane % (2u * distance) == 0u {
            heap_store(up + level, (first + rank) >> level, node);
        }
    }
    workgroupBarrier();
    if lane.lane == 0u {
        sh_node[lane.subgroup] = node;
    }
    for (var width = 128u / group.size; width > 0u; width /= 2u) {
        level += 1u;
        workgroupBarrier();
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
