// Who am I among 256 invocations? With subgroups of any size from 4 to 128.
//
// The rank is made of subgroup id and lane, because WGSL does not say how local indices map to lanes.

//!requires subgroups

struct CbtLane {
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_id) subgroup: u32,
}

// What all of them have in common, apart: WGSL takes a parameter for uniform as a whole or not at all.
struct CbtGroup {
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) count: vec3u,
    @builtin(subgroup_size) size: u32,
}

// The place of this invocation in its workgroup.
fn cbt_rank(lane: CbtLane, group: CbtGroup) -> u32 {
    return lane.subgroup * group.size + lane.lane;
}

// The number of this workgroup, where more than 65535 of them are laid out in rows.
fn cbt_group(group: CbtGroup) -> u32 {
    return group.id.x + group.id.y * group.count.x;
}

// The number of workgroups.
fn cbt_groups(group: CbtGroup) -> u32 {
    return group.count.x * group.count.y;
}
