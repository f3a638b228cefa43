// How many before me? The running sum over 256 invocations: within subgroups first, then over their sums.

//!import cbt/group/subgroup

// One sum for each subgroup: 64 of them when it has 4 invocations.
var<workgroup> sh_scan: array<u32, 64>;

// The sum of the values of all ranks before this one. Uniform control flow only.
fn cbt_group_scan(value: u32, lane: CbtLane, group: CbtGroup) -> u32 {
    let before = subgroupExclusiveAdd(value);
    if lane.lane == group.size - 1u {
        sh_scan[lane.subgroup] = before + value;
    }
    workgroupBarrier();
    if group.size >= 16u {
        // No more subgroups than invocations in one: each lane takes the sum of one.
        var earlier = 0u;
        if lane.lane < lane.subgroup {
            earlier = sh_scan[lane.lane];
        }
        return before + subgroupAdd(earlier);
    }
    var sum = before;
    for (var earlier = 0u; earlier < lane.subgroup; earlier += 1u) {
        sum += sh_scan[earlier];
    }
    return sum;
}
