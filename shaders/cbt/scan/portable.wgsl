// How many before me? The running sum over 256 invocations without subgroups: Hillis and Steele's scan in workgroup memory.

//!import cbt/group/portable

var<workgroup> sh_scan: array<u32, 512>;

// The sum of the values of all ranks before this one. Uniform control flow only.
fn cbt_group_scan(value: u32, lane: CbtLane, group: CbtGroup) -> u32 {
    let rank = cbt_rank(lane, group);
    sh_scan[rank] = value;
    var source = 0u;
    for (var distance = 1u; distance < 256u; distance *= 2u) {
        workgroupBarrier();
        var sum = sh_scan[source + rank];
        if rank >= distance {
            sum += sh_scan[source + rank - distance];
        }
        source ^= 256u;
        sh_scan[source + rank] = sum;
    }
    return sh_scan[source + rank] - value;
}
