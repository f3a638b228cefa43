// How are the levels of a classic tree of depth 19 or more computed from sums of width 11 on? By three kinds of workgroups in one
// dispatch, none of which waits for another: tiles take 1024 sums and make five levels; blocks take the totals of 1024 tiles of the
// dispatch before and make the next five; one takes all totals and makes what lies above.
//
// Twin: cbt/src/classic/reduce.rs.

//!import cbt/classic/units
//!import cbt/scan
//!variant portable cbt/scan=cbt/scan/portable
//!variant subgroup cbt/scan=cbt/scan/subgroup

// The sum of each tile of 2^15 bits, by the dispatch before.
@group(0) @binding(2) var<storage, read> cbt_totals: array<u32>;

// Most units of a workgroup.
const UNITS: u32 = 1024u;
// Width of the sums that tiles read, and of totals.
const SUM_WIDTH: u32 = 11u;
const TOTAL_WIDTH: u32 = 16u;

// Sum `i` of the level of width SUM_WIDTH. Without a branch, so that no load waits for another.
fn read_sum(depth: u32, i: u32) -> u32 {
    let at = level_start(depth, SUM_WIDTH) + ((i * SUM_WIDTH) >> 5u);
    let shift = (i * SUM_WIDTH) & 31u;
    let crosses = shift + SUM_WIDTH > 32u;
    let low = cbt_heap[at];
    let high = cbt_heap[at + u32(crosses)];
    return ((low >> shift) | select(0u, high << ((32u - shift) & 31u), crosses)) & ((1u << SUM_WIDTH) - 1u);
}

// The sum of `each` totals from `first` on.
fn sum_totals(first: u32, each: u32) -> u32 {
    var sum = 0u;
    for (var k = 0u; k < each; k += 1u) {
        sum += cbt_totals[first + k];
    }
    return sum;
}

@compute @workgroup_size(256)
fn reduce_sums(lane: CbtLane, group: CbtGroup) {
    let rank = cbt_rank(lane, group);
    let number = cbt_group(group);
    let depth = tree_depth();
    let sums = 1u << (depth + 1u - SUM_WIDTH);
    let tiles = max(sums / UNITS, 1u);
    let totals = sums >> 5u;
    // Totals for each unit of the workgroup above all others; where it is one, there are no blocks.
    let share = max(totals / UNITS, 1u);
    let is_tile = number < tiles;
    let part = number - select(tiles, 0u, is_tile);
    let top = !is_tile && part == select(share, 0u, share == 1u);
    let units = min(select(totals, sums, is_tile), UNITS);
    let each = select(1u, share, top);
    clear_top(depth, rank);
    let four = vec4u(rank, rank + 256u, rank + 512u, rank + 768u);
    let kept = min(four, vec4u(units - 1u));
    var loaded: vec4u;
    if is_tile {
        let i = part * UNITS + kept;
        loaded = vec4u(read_sum(depth, i.x), read_sum(depth, i.y), read_sum(depth, i.z), read_sum(depth, i.w));
    } else {
        let i = select(part * UNITS, 0u, top) + each * kept;
        loaded = vec4u(sum_totals(i.x, each), sum_totals(i.y, each), sum_totals(i.z, each), sum_totals(i.w, each));
    }
    loaded = select(loaded, vec4u(0u), four >= vec4u(units));
    sh_units[slot(four.x)] = loaded.x;
    sh_units[slot(four.y)] = loaded.y;
    sh_units[slot(four.z)] = loaded.z;
    sh_units[slot(four.w)] = loaded.w;
    workgroupBarrier();

    let at = slot(4u * rank);
    let own = vec4u(sh_units[at], sh_units[at + 1u], sh_units[at + 2u], sh_units[at + 3u]);
    let sum = own.x + own.y + own.z + own.w;
    let before = cbt_group_scan(sum, lane, group);
    sh_units[at] = before;
    sh_units[at + 1u] = before + own.x;
    sh_units[at + 2u] = before + own.x + own.y;
    sh_units[at + 3u] = before + own.x + own.y + own.z;
    if rank == 255u {
        sh_units[slot(UNITS)] = before + sum;
    }
    workgroupBarrier();

    let unit_width = select(TOTAL_WIDTH + firstTrailingBit(each), SUM_WIDTH, is_tile);
    if top {
        put_top(depth, unit_width, rank);
        workgroupBarrier();
        write_top(depth, rank);
        // Above the five levels of the blocks, or of the tiles.
        write_levels(depth, units, unit_width, TOTAL_WIDTH + select(6u, 1u, share == 1u), depth - 4u, 0u, rank);
    } else {
        write_levels(depth, units, unit_width, unit_width + 1u, min(unit_width + 5u, depth - 4u), part, rank);
    }
}
