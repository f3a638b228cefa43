// Who am I among 256 invocations? Without subgroups.

struct CbtLane {
    @builtin(local_invocation_index) index: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
}

// The place of this invocation in its workgroup.
fn cbt_rank(lane: CbtLane) -> u32 {
    return lane.index;
}

// The number of this workgroup, where more than 65535 of them are laid out in rows.
fn cbt_group(lane: CbtLane) -> u32 {
    return lane.group.x + lane.group.y * lane.groups.x;
}

// The number of workgroups.
fn cbt_groups(lane: CbtLane) -> u32 {
    return lane.groups.x * lane.groups.y;
}
