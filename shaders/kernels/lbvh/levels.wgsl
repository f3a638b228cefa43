// What are the boxes of all aligned pairs, fours, eights ... of leaves? Ten levels a dispatch, without any hand-over
// between workgroups.
//
// Block `a` of level k covers leaves a 2^k to (a + 1) 2^k and is kept only where it has them all: an aligned cover of any
// range needs no other. It lies at (2a + 1) 2^k - 1, in order: n leaves take 2n places, and what a workgroup writes lies
// together. The first ten are made by kernels/lbvh/gather. The boxes are those that
// kernels/src/lbvh/topology.rs joins from the leaves up.

//!import kernels/params
//!import kernels/lbvh/aabb
//!import kernels/lbvh/passes

@group(0) @binding(6) var<storage, read_write> levels: array<Aabb>;

const_assert LBVH_BLOCK == 4u * WORKGROUP;
var<workgroup> sh_box: array<Aabb, 256>;

fn keep(level: u32, block: u32, box: Aabb, n: u32) {
    if block < (n >> level) {
        levels[((2u * block + 1u) << level) - 1u] = box;
    }
}

// The ten levels above four neighbouring boxes of each invocation; `first` is the number of the first on its level.
fn levels_above(boxes4: array<Aabb, 4>, level: u32, first: u32, n: u32, rank: u32) {
    let left = aabb_union(boxes4[0], boxes4[1]);
    let right = aabb_union(boxes4[2], boxes4[3]);
    keep(level + 1u, first / 2u, left, n);
    keep(level + 1u, first / 2u + 1u, right, n);
    var box = aabb_union(left, right);
    keep(level + 2u, first / 4u, box, n);
    workgroupBarrier();
    sh_box[rank] = box;
    workgroupBarrier();
    // The first place of the workgroup on the level of `sh_box`.
    let begin = first / 4u - rank;
    for (var up = 1u; up <= 8u; up += 1u) {
        let taking = rank < (256u >> up);
        if taking {
            box = aabb_union(sh_box[2u * rank], sh_box[2u * rank + 1u]);
            keep(level + 2u + up, (begin >> up) + rank, box, n);
        }
        workgroupBarrier();
        if taking {
            sh_box[rank] = box;
        }
        workgroupBarrier();
    }
}

// The ten levels above level params.extra.
@compute @workgroup_size(256)
fn lbvh_above(@builtin(local_invocation_index) rank: u32, @builtin(workgroup_id) workgroup: vec3u) {
    let n = item_count();
    let width = n >> params.extra;
    let blocks = (width + LBVH_BLOCK - 1u) / LBVH_BLOCK;
    for (var block = workgroup.x; block < blocks; block += params.chunks) {
        let first = block * LBVH_BLOCK + 4u * rank;
        var four: array<Aabb, 4>;
        for (var k = 0u; k < 4u; k += 1u) {
            four[k] = aabb_empty();
            if first + k < width {
                four[k] = levels[((2u * (first + k) + 1u) << params.extra) - 1u];
            }
        }
        levels_above(four, params.extra, first, n, rank);
    }
}
