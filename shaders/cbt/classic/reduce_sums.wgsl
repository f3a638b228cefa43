// How are the levels of a classic tree above others computed? Five levels a dispatch from the sums of a level; what lies above is
// written in the same dispatch as the last, by one workgroup more.
//
// Twin: cbt/src/classic/reduce.rs.

//!import cbt/classic/units
//!import cbt/scan
//!variant portable cbt/scan=cbt/scan/portable
//!variant subgroup cbt/scan=cbt/scan/subgroup

// The sum of each tile, for the dispatch after the one that writes them: of the tiles of 2^15 bits, then of those of 2^20.
@group(0) @binding(2) var<storage, read_write> cbt_totals: array<u32>;

// Width of the sums that are read: 11 or 16.
override from_width: u32 = 11u;

// Most units of a workgroup.
const UNITS: u32 = 1024u;

// Sum `i` of the level of `width`.
fn read_sum(depth: u32, width: u32, i: u32) -> u32 {
    let at = level_start(depth, width) + ((i * width) >> 5u);
    let shift = (i * width) & 31u;
    var bits = cbt_heap[at] >> shift;
    if shift + width > 32u {
        bits |= cbt_heap[at + 1u] << (32u - shift);
    }
    return bits & ((1u << width) - 1u);
}

// From the sums of a level: 1024 of them a tile, five levels. Where the sums of all tiles of the dispatch before are no more than
// that, there is a workgroup more than tiles, which makes of these what lies above the five levels.
@compute @workgroup_size(256)
fn reduce_sums(lane: CbtLane) {
    let rank = cbt_rank(lane);
    let group = cbt_group(lane);
    let depth = tree_depth();
    let sums = 1u << (depth + 1u - from_width);
    let tiles = max(sums >> 10u, 1u);
    let totals = sums >> 5u;
    let above = group == tiles;
    let units = select(min(sums, UNITS), min(totals, UNITS), above);
    let unit_width = select(from_width, from_width + 5u, above);
    // The totals of the tiles of 2^15 bits come first.
    let first_total = select(0u, 1u << (depth - 15u), from_width > 11u);
    clear_top(depth, rank);
    for (var i = 0u; i < 4u; i += 1u) {
        let unit = rank + 256u * i;
        var sum = 0u;
        if unit < units {
            if above {
                sum = cbt_totals[first_total + unit];
            } else {
                sum = read_sum(depth, from_width, group * UNITS + unit);
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
        if totals > UNITS && group < tiles {
            cbt_totals[totals + group] = before + sum;
        }
    }
    workgroupBarrier();

    if above {
        put_top(depth, unit_width, rank);
    }
    workgroupBarrier();

    if above {
        write_top(depth, rank);
    }
    let last = select(min(from_width + 5u, depth - 4u), depth - 4u, above);
    write_levels(depth, units, unit_width, unit_width + 1u, last, group * u32(!above), rank);
}
