// What happens to a leaf that is only counted? As in `checksum.wgsl`; a subgroup adds its parts up before it shares them, and no
// invocation waits for other subgroups.

//!requires subgroups

struct CbtChecksum {
    leaves: atomic<u32>,
    sum: atomic<u32>,
}

// The results are spread over these, so that subgroups do not queue for one: add them up.
@group(2) @binding(0) var<storage, read_write> cbt_checksums: array<CbtChecksum, 1024>;

var<private> own_leaves: u32;
var<private> own_sum: u32;
var<private> own_index: u32;

fn visit(index: u32, leaf: u32) {
    own_leaves += 1u;
    own_sum += leaf ^ (index * 0x9e3779b1u);
    own_index = index;
}

fn visit_end(rank: u32) {
    let leaves = subgroupAdd(own_leaves);
    let sum = subgroupAdd(own_sum);
    let slot = (subgroupMax(own_index) >> 6u) & 1023u;
    if subgroupBroadcastFirst(rank) == rank && leaves > 0u {
        atomicAdd(&cbt_checksums[slot].leaves, leaves);
        atomicAdd(&cbt_checksums[slot].sum, sum);
    }
}
