// Who am I among 256 invocations? With subgroups of any size from 4 to 128.
//
// The rank is made of subgroup id and lane, because WGSL does not say how local indices map to lanes.

//!requires subgroups

struct CbtLane {
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_size) size: u32,
}

// The place of this invocation in its workgroup.
fn cbt_rank(lane: CbtLane) -> u32 {
    return lane.subgroup * lane.size + lane.lane;
}

// The number of this workgroup, where more than 65535 of them are laid out in rows.
fn cbt_group(lane: CbtLane) -> u32 {
    return lane.group.x + lane.group.y * lane.groups.x;
}

// The number of workgroups.
fn cbt_groups(lane: CbtLane) -> u32 {
    return lane.groups.x * lane.groups.y;
}
