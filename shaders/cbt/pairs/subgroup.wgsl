// What are the sums of all aligned pairs, fours, .. of 256 values? Within a subgroup sums travel by shuffles; what is left is the
// small tree of the subgroups' sums.

//!import cbt/group/subgroup

var<workgroup> sh_pairs: array<u32, 96>;

// Calls `cbt_level_sum(level, node, sum)`, which the importer defines, once for each of the 256 >> level sums of level 1, 2, ..
// `levels`. Uniform control flow only.
fn cbt_sum_pairs(value: u32, levels: u32, lane: CbtLane, group: CbtGroup) {
    let rank = cbt_rank(lane, group);
    var sum = value;
    var level = 1u;
    for (; level <= levels && (1u << level) <= group.size; level += 1u) {
        sum += subgroupShuffleDown(sum, 1u << (level - 1u));
        if (rank & ((1u << level) - 1u)) == 0u {
            cbt_level_sum(level, rank >> level, sum);
        }
    }
    // The sum of a whole subgroup lies with its first lane.
    if lane.lane == 0u {
        sh_pairs[lane.subgroup] = sum;
    }
    var source = 0u;
    for (; level <= levels; level += 1u) {
        workgroupBarrier();
        let to = 64u - source;
        if rank < (256u >> level) {
            let pair = sh_pairs[source + 2u * rank] + sh_pairs[source + 2u * rank + 1u];
            sh_pairs[to + rank] = pair;
            cbt_level_sum(level, rank, pair);
        }
        source = to;
    }
}
