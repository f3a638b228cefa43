// What has my neighbour? Without subgroups, through workgroup memory.

//!import cbt/group/portable

var<workgroup> sh_from_before: array<vec2u, 256>;

// The value of the rank before this one; anything for every fourth, 0, 4, 8 ... Once in a shader, in uniform control flow only.
fn cbt_shuffle_up(value: vec2u, lane: CbtLane, group: CbtGroup) -> vec2u {
    let rank = cbt_rank(lane, group);
    sh_from_before[rank] = value;
    workgroupBarrier();
    return sh_from_before[max(rank, 1u) - 1u];
}
