// What is summed up of the leaves that are only counted? Heap index and place of each, mixed. The two visitors differ in how an
// invocation's share gets into the results.

struct CbtChecksum {
    leaves: atomic<u32>,
    sum: atomic<u32>,
}

// The results are spread over these, so that nobody queues for one: add them up.
@group(2) @binding(0) var<storage, read_write> cbt_checksums: array<CbtChecksum, 1024>;

var<private> own_leaves: u32;
var<private> own_sum: u32;
var<private> own_index: u32;

fn visit(index: u32, leaf: u32) {
    own_leaves += 1u;
    own_sum += leaf ^ (index * 0x9e3779b1u);
    own_index = index;
}
