// What happens to a leaf that is only counted? Its heap index and its place are mixed into a sum: visits without a list, for
// measurements and for comparisons with the CPU.

struct CbtChecksum {
    leaves: atomic<u32>,
    sum: atomic<u32>,
}

@group(2) @binding(0) var<storage, read_write> cbt_checksum: CbtChecksum;

var<private> own_leaves: u32;
var<private> own_sum: u32;

fn visit(index: u32, leaf: u32) {
    own_leaves += 1u;
    own_sum += leaf ^ (index * 0x9e3779b1u);
}

fn visit_end() {
    if own_leaves > 0u {
        atomicAdd(&cbt_checksum.leaves, own_leaves);
        atomicAdd(&cbt_checksum.sum, own_sum);
    }
}
