// What happens to a leaf that is only counted? As in `checksum.wgsl`; a subgroup adds its parts up before it shares them, and no
// invocation waits for other subgroups.

//!requires subgroups
//!import cbt/visitor/checksums

fn visit_end(rank: u32) {
    let leaves = subgroupAdd(own_leaves);
    let sum = subgroupAdd(own_sum);
    let slot = (subgroupMax(own_index) >> 6u) & 1023u;
    if subgroupBroadcastFirst(rank) == rank && leaves > 0u {
        atomicAdd(&cbt_checksums[slot].leaves, leaves);
        atomicAdd(&cbt_checksums[slot].sum, sum);
    }
}
