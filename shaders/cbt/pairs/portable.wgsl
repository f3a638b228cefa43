// What are the sums of all aligned pairs, fours, .. of 256 values? Without subgroups: a tree in workgroup memory.

//!import cbt/group/portable

var<workgroup> sh_pairs: array<u32, 384>;

// Calls `cbt_level_sum(level, node, sum)`, which the importer defines, once for each of the 256 >> level sums of level 1, 2, ..
// `levels`. Uniform control flow only.
fn cbt_sum_pairs(value: u32, levels: u32, lane: CbtLane, group: CbtGroup) {
    let rank = cbt_rank(lane, group);
    sh_pairs[rank] = value;
    var source = 0u;
    for (var level = 1u; level <= levels; level += 1u) {
        workgroupBarrier();
        let to = 256u - source;
        if rank < (256u >> level) {
            let sum = sh_pairs[source + 2u * rank] + sh_pairs[source + 2u * rank + 1u];
            sh_pairs[to + rank] = sum;
            cbt_level_sum(level, rank, sum);
        }
        source = to;
    }
}
