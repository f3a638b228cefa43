// Who am I among 256 invocations? Without subgroups.

struct CbtLane {
    @builtin(local_invocation_index) index: u32,
}

// What all of them have in common, apart: WGSL takes a parameter for uniform as a whole or not at all.
struct CbtGroup {
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) count: vec3u,
}

// The place of this invocation in its workgroup.
fn cbt_rank(lane: CbtLane, group: CbtGroup) -> u32 {
    return lane.index;
}

// The number of this workgroup, where more than 65535 of them are laid out in rows.
fn cbt_group(group: CbtGroup) -> u32 {
    return group.id.x + group.id.y * group.count.x;
}

// The number of workgroups.
fn cbt_groups(group: CbtGroup) -> u32 {
    return group.count.x * group.count.y;
}
