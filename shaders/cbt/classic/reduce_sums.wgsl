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

// Sum `i` of the level of width SUM_WIDTH.
fn read_sum(depth: u32, i: u32) -> u32 {
    let at = level_start(depth, SUM_WIDTH) + ((i * SUM_WIDTH) >> 5u);
    let shift = (i * SUM_WIDTH) & 31u;
    var bits = cbt_heap[at] >> shift;
    if shift + SUM_WIDTH > 32u {
        bits |= cbt_heap[at + 1u] << (32u - shift);
    }
    return bits & ((1u << SUM_WIDTH) - 1u);
}

@compute @workgroup_size(256)
fn reduce_sums(lane: CbtLane) {
    let rank = cbt_rank(lane);
    let group = cbt_group(lane);
    let depth = tree_depth();
    let sums = 1u << (depth + 1u - SUM_WIDTH);
    let tiles = max(sums / UNITS, 1u);
    let totals = sums >> 5u;
    // Totals for each unit of the workgroup above all others; where it is one, there are no blocks.
    let share = max(totals / UNITS, 1u);
    let is_tile = group < tiles;
    let part = group - select(tiles, 0u, is_tile);
    let top = !is_tile && part == select(share, 0u, share == 1u);
    let units = min(select(totals, sums, is_tile), UNITS);
    let each = select(1u, share, top);
    clear_top(depth, rank);
    for (var i = 0u; i < 4u; i += 1u) {
        let unit = rank + 256u * i;
        var sum = 0u;
        if unit < units {
            if is_tile {
                sum = read_sum(depth, part * UNITS + unit);
            } else {
                let first = select(part * UNITS, 0u, top) + unit * each;
                for (var k = 0u; k < each; k += 1u) {
                    sum += cbt_totals[first + k];
                }
            }
        }
        sh_units[slot(unit)] = sum;
    }
    workgroupBarrier();

    let at = slot(4u * rank);
    let own = vec4u(sh_units[at], sh_units[at + 1u], sh_units[at + 2u], sh_units[at + 3u]);
    let sum = own.x + own.y + own.z + own.w;
    let before = cbt_group_scan(sum, lane);
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
    }
    workgroupBarrier();

    if top {
        write_top(depth, rank);
        // Above the five levels of the blocks, or of the tiles.
        write_levels(depth, units, unit_width, TOTAL_WIDTH + select(6u, 1u, share == 1u), depth - 4u, 0u, rank);
    } else {
        write_levels(depth, units, unit_width, unit_width + 1u, min(unit_width + 5u, depth - 4u), part, rank);
    }
}
