// How are the sums of a compact tree computed? A workgroup counts 256 blocks and adds the levels above them; of what is left, one
// more workgroup makes the rest.
//
// Twin: cbt/src/compact/sums.rs. Reads 2^D bits once and writes 2^(D-8) sums.

//!import cbt/pairs
//!variant portable cbt/pairs=cbt/pairs/portable
//!variant subgroup cbt/pairs=cbt/pairs/subgroup

struct CbtReduce {
    depth: u32,
    // Levels from the root down to the blocks, max(0, D-9).
    levels: u32,
    // Workgroups of `reduce_blocks`.
    tiles: u32,
}

@group(0) @binding(0) var<uniform> cbt_reduce: CbtReduce;
@group(0) @binding(1) var<storage, read_write> cbt_sums: array<u32>;
@group(0) @binding(2) var<storage, read> cbt_bits: array<vec4u>;

var<workgroup> sh_counts: array<u32, 1024>;
// Where in the heap the workgroup's row of values lies, and how many they are.
var<private> row_first: u32;
var<private> row_len: u32;

fn cbt_level_sum(level: u32, node: u32, sum: u32) {
    if node < (row_len >> level) {
        cbt_sums[(row_first >> level) + node] = sum;
    }
}

@compute @workgroup_size(256)
fn reduce_blocks(lane: CbtLane, group: CbtGroup) {
    let rank = cbt_rank(lane, group);
    let tile = cbt_group(group);
    // Each load of the workgroup takes neighbouring words; a block is four of these.
    let quads = max((1u << cbt_reduce.depth) >> 7u, 1u);
    for (var i = rank; i < 1024u; i += 256u) {
        let quad = tile * 1024u + i;
        var count = 0u;
        if quad < quads {
            let ones = countOneBits(cbt_bits[quad]);
            count = ones.x + ones.y + ones.z + ones.w;
        }
        sh_counts[i] = count;
    }
    workgroupBarrier();
    let count = sh_counts[4u * rank] + sh_counts[4u * rank + 1u] + sh_counts[4u * rank + 2u] + sh_counts[4u * rank + 3u];
    let blocks = 1u << cbt_reduce.levels;
    row_first = blocks + tile * 256u;
    row_len = select(0u, min(blocks, 256u), tile < cbt_reduce.tiles);
    cbt_level_sum(0u, rank, count);
    if tile == 0u && rank == 0u {
        cbt_sums[0] = cbt_reduce.depth;
    }
    cbt_sum_pairs(count, min(cbt_reduce.levels, 8u), lane, group);
}

// Sums of the level that `reduce_blocks` ends on which one invocation adds by itself: 2^13 of them at depth 30.
const OWN: u32 = 32u;

@compute @workgroup_size(256)
fn reduce_top(lane: CbtLane, group: CbtGroup) {
    let rank = cbt_rank(lane, group);
    let nodes = 1u << (cbt_reduce.levels - 8u);
    let own = max(nodes >> 8u, 1u);
    var sums: array<u32, OWN>;
    var first = nodes + rank * own;
    if rank * own < nodes {
        for (var i = 0u; i < own; i += 1u) {
            sums[i] = cbt_sums[first + i];
        }
        for (var width = own >> 1u; width > 0u; width >>= 1u) {
            first >>= 1u;
            for (var i = 0u; i < width; i += 1u) {
                sums[i] = sums[2u * i] + sums[2u * i + 1u];
                cbt_sums[first + i] = sums[i];
            }
        }
    }
    row_len = min(nodes, 256u);
    row_first = row_len;
    cbt_sum_pairs(select(0u, sums[0], rank < row_len), min(cbt_reduce.levels - 8u, 8u), lane, group);
}
