// What happens to a leaf that is only counted? Its heap index and its place are mixed into a sum: visits without a list, for
// measurements and for comparisons with the CPU. Without subgroups.

//!import cbt/visitor/checksums

var<workgroup> sh_leaves: atomic<u32>;
var<workgroup> sh_sum: atomic<u32>;
var<workgroup> sh_slot: atomic<u32>;

fn visit_end(rank: u32) {
    if rank == 0u {
        atomicStore(&sh_leaves, 0u);
        atomicStore(&sh_sum, 0u);
        atomicStore(&sh_slot, 0u);
    }
    workgroupBarrier();
    if own_leaves > 0u {
        atomicAdd(&sh_leaves, own_leaves);
        atomicAdd(&sh_sum, own_sum);
        atomicMax(&sh_slot, own_index >> 8u);
    }
    workgroupBarrier();
    if rank == 0u && atomicLoad(&sh_leaves) > 0u {
        let slot = atomicLoad(&sh_slot) & 1023u;
        atomicAdd(&cbt_checksums[slot].leaves, atomicLoad(&sh_leaves));
        atomicAdd(&cbt_checksums[slot].sum, atomicLoad(&sh_sum));
    }
}
