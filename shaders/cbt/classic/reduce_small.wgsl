// How are the sums of a classic tree of depth 9 or less computed? By one workgroup, each bit a unit.
//
// Twin: cbt/src/classic/reduce.rs.

//!import cbt/classic/units
//!import cbt/scan
//!variant portable cbt/scan=cbt/scan/portable
//!variant subgroup cbt/scan=cbt/scan/subgroup

struct CbtReduce {
    depth: u32,
}

@group(0) @binding(0) var<uniform> cbt_reduce: CbtReduce;

// Bits 2 rank and 2 rank + 1.
fn two_bits(depth: u32, rank: u32) -> u32 {
    if 2u * rank >= 1u << depth {
        return 0u;
    }
    let at = (3u << depth) + 2u * rank;
    return (cbt_heap[at >> 5u] >> (at & 31u)) & 3u;
}

@compute @workgroup_size(256)
fn reduce_small(lane: CbtLane, group: CbtGroup) {
    let rank = cbt_rank(lane, group);
    let depth = cbt_reduce.depth;
    let bits = two_bits(depth, rank);
    clear_top(depth, rank);
    let before = cbt_group_scan(countOneBits(bits), lane, group);
    let at = slot(2u * rank);
    sh_units[at] = before;
    sh_units[at + 1u] = before + (bits & 1u);
    if rank == 255u {
        sh_units[slot(512u)] = before + countOneBits(bits);
    }
    workgroupBarrier();

    put_top(depth, 1u, rank);
    workgroupBarrier();

    write_top(depth, rank);
    if depth >= 6u {
        write_levels(depth, 1u << depth, 1u, 2u, depth - 4u, 0u, rank);
    }
}
