// Which items are kept, in their order? Stable compaction that reads each item once.
//
// One workgroup a tile; how many are kept before it is found by looking back. Twin: kernels/src/compact/cpu.rs.

//!import kernels/compact_tile
//!import kernels/look_back/walk
//!variant subgroup kernels/group=kernels/group/subgroup kernels/element=kernels/examples/element kernels/element_shuffle=kernels/examples/element_shuffle kernels/operator=kernels/examples/sum kernels/source=kernels/examples/flags kernels/stored=kernels/examples/stored kernels/emit=kernels/examples/emit

// Receives the number of kept items, even when the output has no room for all.
@group(0) @binding(5) var<storage, read_write> total: array<u32>;

@compute @workgroup_size(256)
fn compact_tiles(lane: Lane) {
    let rank = lane_rank(lane);
    let n = item_count();
    let tile = tile_of(lane.workgroup);
    let tiles = n / TILE + select(0u, 1u, n % TILE != 0u);
    if tile < tiles {
        var held: array<Stored, HELD>;
        let flags = load_flags(tile * TILE, n, rank, &held);
        var sums = count_rows(flags);
        announce(tile, group_scan(&sums, lane), lane);
        let kept = workgroupUniformLoad(&sh_total);
        // Meanwhile others post what is looked for.
        gather_kept(0u, tile * TILE, rank, flags, &held, &sums);
        let before = look_back(tile, kept, lane);
        emit_kept(tile * TILE, rank, before, kept, flags, &held, &sums);
        if rank == 0u && tile == tiles - 1u {
            total[params.aux_first] = before + kept;
        }
    } else if tile == 0u && rank == 0u {
        total[params.aux_first] = 0u;
    }
}
