// How do the 256 invocations of a workgroup combine values, in order, without subgroups?
//
// Two levels of 16: 16 invocations walk 16 values each, then look at each other's totals. Few barriers and no lockstep,
// which suits devices without subgroup operations and CPUs that pretend to be one. Never commutes operands.

//!import kernels/element
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

// An invocation holds `ROWS` runs of `RUN` consecutive items; see item_offset.
const ROWS: u32 = 1u;
const RUN: u32 = ITEMS;

// The place in the tile of item `k` of row `row`.
fn item_offset(rank: u32, row: u32, k: u32) -> u32 {
    return rank * RUN + k;
}

var<workgroup> sh_value: array<Elem, 256>;
var<workgroup> sh_before: array<Elem, 16>;
var<workgroup> sh_total: Elem;

// The ordered combination of every invocation's value; every invocation gets it.
fn group_reduce(value: Elem, lane: Lane, group: Group) -> Elem {
    let rank = lane.index;
    workgroupBarrier();
    sh_value[rank] = value;
    workgroupBarrier();
    if rank < 16u {
        var sum = sh_value[16u * rank];
        for (var k = 1u; k < 16u; k += 1u) {
            sum = op_combine(sum, sh_value[16u * rank + k]);
        }
        sh_before[rank] = sum;
    }
    workgroupBarrier();
    if rank == 0u {
        var sum = sh_before[0];
        for (var k = 1u; k < 16u; k += 1u) {
            sum = op_combine(sum, sh_before[k]);
        }
        sh_total = sum;
    }
    workgroupBarrier();
    return sh_total;
}

// The ordered combination of the values of all ranks before; leaves that of all ranks in sh_total.
fn group_scan_one(value: Elem, lane: Lane, group: Group) -> Elem {
    let rank = lane.index;
    workgroupBarrier();
    sh_value[rank] = value;
    workgroupBarrier();
    if rank < 16u {
        var sum = sh_value[16u * rank];
        for (var k = 1u; k < 16u; k += 1u) {
            sum = op_combine(sum, sh_value[16u * rank + k]);
            sh_value[16u * rank + k] = sum;
        }
    }
    workgroupBarrier();
    if rank < 16u {
        var before = op_identity();
        for (var j = 0u; j < rank; j += 1u) {
            before = op_combine(before, sh_value[16u * j + 15u]);
        }
        sh_before[rank] = before;
        if rank == 15u {
            sh_total = op_combine(before, sh_value[255]);
        }
    }
    workgroupBarrier();
    var prefix = sh_before[rank / 16u];
    if rank % 16u != 0u {
        prefix = op_combine(prefix, sh_value[rank - 1u]);
    }
    return prefix;
}

// Replaces each value by the ordered combination of all before it in the tile (row by row, rank by rank); returns the total.
fn group_scan(values: ptr<function, array<Elem, ROWS>>, lane: Lane, group: Group) -> Elem {
    (*values)[0] = group_scan_one((*values)[0], lane, group);
    return sh_total;
}
