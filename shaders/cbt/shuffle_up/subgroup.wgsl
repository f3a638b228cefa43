// What has my neighbour? By a shuffle within the subgroup.

//!import cbt/group/subgroup

// The value of the rank before this one; anything for every fourth, 0, 4, 8 ... Uniform control flow only.
fn cbt_shuffle_up(value: vec2u, lane: CbtLane, group: CbtGroup) -> vec2u {
    return subgroupShuffleUp(value, 1u);
}
