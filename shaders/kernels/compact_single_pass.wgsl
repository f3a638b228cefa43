// Which items are kept, in their order? Stable compaction that reads each item once.
//
// One workgroup a tile; how many are kept before it is found by looking back. Twin: kernels/src/compact/cpu.rs.

//!requires subgroups
//!import kernels/compact_tile
//!import kernels/look_back/walk
//!variant subgroup kernels/look_back/tile_states=kernels/look_back/count_states kernels/group=kernels/group/subgroup kernels/element=kernels/examples/element kernels/element_shuffle=kernels/examples/element_shuffle kernels/operator=kernels/examples/sum kernels/source=kernels/examples/flags kernels/stored=kernels/examples/stored kernels/emit=kernels/examples/emit

// Receives the number of kept items, even when the output has no room for all.
@group(0) @binding(5) var<storage, read_write> total: array<u32>;

// Kept items of several rows go through one scan, `bits` each: as group_scan of their counts, which it leaves in `rows`. Each word of
// rows takes a shuffle for each doubling of the subgroup, and counts are small.
fn scan_packed(flags: u32, bits: u32, lane: Lane, group: Group, rows: ptr<function, array<Elem, ROWS>>) {
    let subgroups = 256u / group.size;
    let row_mask = (1u << bits) - 1u;
    let rows_a_word = 32u / bits;
    for (var first = 0u; first < ROWS; first += rows_a_word) {
        var packed = 0u;
        for (var i = 0u; i < rows_a_word && first + i < ROWS; i += 1u) {
            packed |= count_row(flags, first + i) << (bits * i);
        }
        let inclusive = subgroupInclusiveAdd(packed);
        for (var i = 0u; i < rows_a_word && first + i < ROWS; i += 1u) {
            if lane.lane == group.size - 1u {
                sh_spine[(first + i) * subgroups + lane.subgroup] = (inclusive >> (bits * i)) & row_mask;
            }
            (*rows)[first + i] = ((inclusive - packed) >> (bits * i)) & row_mask;
        }
    }
}

// How many items of the tile are kept, and in `rows` how many before each row.
fn scan_counts(flags: u32, lane: Lane, group: Group, rows: ptr<function, array<Elem, ROWS>>) -> u32 {
    // A row of a subgroup has RUN items a lane.
    if RUN * group.size < 256u {
        scan_packed(flags, 8u, lane, group, rows);
    } else {
        scan_packed(flags, 16u, lane, group, rows);
    }
    return end_group_scan(rows, lane, group);
}

@compute @workgroup_size(256)
fn compact_tiles(lane: Lane, group: Group) {
    let rank = lane_rank(lane, group);
    let n = item_count();
    let tile = tile_of(group.workgroup);
    let tiles = n / TILE + select(0u, 1u, n % TILE != 0u);
    if tile < tiles {
        var held: array<Stored, HELD>;
        let flags = load_flags(tile * TILE, n, rank, &held);
        var rows: array<Elem, ROWS>;
        announce(tile, scan_counts(flags, lane, group, &rows), lane, group);
        let kept = workgroupUniformLoad(&sh_total);
        // Meanwhile others post what is looked for.
        gather_kept(0u, tile * TILE, rank, flags, &held, &rows);
        let before = look_back(tile, kept, lane, group);
        emit_kept(tile * TILE, rank, before, kept, flags, &held, &rows);
        if rank == 0u && tile == tiles - 1u {
            total[params.aux_first] = before + kept;
        }
    } else if tile == 0u && rank == 0u {
        total[params.aux_first] = 0u;
    }
}
