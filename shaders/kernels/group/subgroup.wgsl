// How do the 256 invocations of a workgroup combine values, in order, with subgroups of any size from 4 to 128?
//
// Each subgroup combines with shuffles, its totals go through a spine in workgroup memory that subgroup 0 scans.
// The rank is made of subgroup id and lane, because WGSL does not say how local indices map to lanes. Never commutes operands.

//!requires subgroups
//!import kernels/element
//!import kernels/element_shuffle
//!import kernels/operator

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

// An invocation holds `ROWS` runs of `RUN` consecutive items: loads and stores of a row are coalesced, and one access
// moves four items where the element allows it.
const RUN: u32 = select(1u, 4u, VECTOR);
const ROWS: u32 = ITEMS / RUN;

// The place in the tile of item `k` of row `row`.
fn item_offset(rank: u32, row: u32, k: u32) -> u32 {
    return (row * 256u + rank) * RUN + k;
}

const SPINE: u32 = ROWS * MAX_SUBGROUPS;
var<workgroup> sh_spine: array<Elem, SPINE>;
var<workgroup> sh_total: Elem;

fn inclusive_step(sum: Elem, distance: u32, lane: Lane, group: Group) -> Elem {
    let before = elem_shuffle_up(sum, distance);
    if lane.lane >= distance {
        return op_combine(before, sum);
    }
    return sum;
}

// Written out: a loop up to group.size would keep compilers from unrolling the loops around it, and arrays out of registers.
fn subgroup_inclusive(value: Elem, lane: Lane, group: Group) -> Elem {
    var sum = inclusive_step(value, 1u, lane, group);
    sum = inclusive_step(sum, 2u, lane, group);
    if group.size > 4u { sum = inclusive_step(sum, 4u, lane, group); }
    if group.size > 8u { sum = inclusive_step(sum, 8u, lane, group); }
    if group.size > 16u { sum = inclusive_step(sum, 16u, lane, group); }
    if group.size > 32u { sum = inclusive_step(sum, 32u, lane, group); }
    if group.size > 64u { sum = inclusive_step(sum, 64u, lane, group); }
    return sum;
}

fn inclusive_to_exclusive(inclusive: Elem, lane: Lane, group: Group) -> Elem {
    let before = elem_shuffle_up(inclusive, 1u);
    if lane.lane == 0u {
        return op_identity();
    }
    return before;
}

// Scans the first `entries` of the spine in place, exclusively, and leaves their total in sh_total. Subgroup 0 only.
fn scan_spine(entries: u32, lane: Lane, group: Group) {
    var carry = op_identity();
    for (var first = 0u; first < entries; first += group.size) {
        let entry = first + lane.lane;
        var value = op_identity();
        if entry < entries {
            value = sh_spine[entry];
        }
        let inclusive = subgroup_inclusive(value, lane, group);
        let exclusive = inclusive_to_exclusive(inclusive, lane, group);
        if entry < entries {
            sh_spine[entry] = op_combine(carry, exclusive);
        }
        carry = op_combine(carry, elem_shuffle(inclusive, group.size - 1u));
    }
    if lane.lane == 0u {
        sh_total = carry;
    }
}

// The ordered combination of every invocation's value; every invocation gets it.
fn group_reduce(value: Elem, lane: Lane, group: Group) -> Elem {
    var sum = value;
    for (var distance = 1u; distance < group.size; distance *= 2u) {
        let after = elem_shuffle_down(sum, distance);
        // Lanes near the end keep partial sums: only lane 0 is read.
        if lane.lane + distance < group.size {
            sum = op_combine(sum, after);
        }
    }
    workgroupBarrier();
    if lane.lane == 0u {
        sh_spine[lane.subgroup] = sum;
    }
    workgroupBarrier();
    if lane.subgroup == 0u {
        scan_spine(256u / group.size, lane, group);
    }
    workgroupBarrier();
    return sh_total;
}

// The ordered combination of the values of all ranks before; leaves that of all ranks in sh_total.
fn group_scan_one(value: Elem, lane: Lane, group: Group) -> Elem {
    let inclusive = subgroup_inclusive(value, lane, group);
    let exclusive = inclusive_to_exclusive(inclusive, lane, group);
    workgroupBarrier();
    if lane.lane == group.size - 1u {
        sh_spine[lane.subgroup] = inclusive;
    }
    workgroupBarrier();
    if lane.subgroup == 0u {
        scan_spine(256u / group.size, lane, group);
    }
    workgroupBarrier();
    return op_combine(sh_spine[lane.subgroup], exclusive);
}

// Ends a scan of the tile in which each row of a subgroup has been scanned by itself, exclusively, and its total put into the spine;
// returns the total.
fn end_group_scan(values: ptr<function, array<Elem, ROWS>>, lane: Lane, group: Group) -> Elem {
    let subgroups = 256u / group.size;
    workgroupBarrier();
    if lane.subgroup == 0u {
        scan_spine(ROWS * subgroups, lane, group);
    }
    workgroupBarrier();
    for (var row = 0u; row < ROWS; row += 1u) {
        (*values)[row] = op_combine(sh_spine[row * subgroups + lane.subgroup], (*values)[row]);
    }
    return sh_total;
}

// Replaces each value by the ordered combination of all before it in the tile (row by row, rank by rank); returns the total.
fn group_scan(values: ptr<function, array<Elem, ROWS>>, lane: Lane, group: Group) -> Elem {
    let subgroups = 256u / group.size;
    workgroupBarrier();
    for (var row = 0u; row < ROWS; row += 1u) {
        let inclusive = subgroup_inclusive((*values)[row], lane, group);
        if lane.lane == group.size - 1u {
            sh_spine[row * subgroups + lane.subgroup] = inclusive;
        }
        (*values)[row] = inclusive_to_exclusive(inclusive, lane, group);
    }
    return end_group_scan(values, lane, group);
}
