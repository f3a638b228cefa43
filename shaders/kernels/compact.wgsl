// Which items are kept, in their order? The last pass of stable compaction.
//
// Flags are 0 or 1 from the source; the chunks' numbers of kept items are counted by reduce.wgsl and scanned by scan.wgsl.
// Twin: kernels/src/compact/cpu.rs. Reads each item twice in all and writes the kept ones once; no flag is ever stored.

//!import kernels/compact_tile
//!variant portable kernels/group=kernels/group/portable kernels/element=kernels/examples/element kernels/operator=kernels/examples/sum kernels/source=kernels/examples/flags kernels/stored=kernels/examples/stored kernels/emit=kernels/examples/emit
//!variant subgroup kernels/group=kernels/group/subgroup kernels/element=kernels/examples/element kernels/element_shuffle=kernels/examples/element_shuffle kernels/operator=kernels/examples/sum kernels/source=kernels/examples/flags kernels/stored=kernels/examples/stored kernels/emit=kernels/examples/emit

@group(0) @binding(4) var<storage, read_write> carries: array<u32>;
// Receives the number of kept items, even when the output has no room for all.
@group(0) @binding(5) var<storage, read_write> total: array<u32>;

// How many of each row are kept.
fn count_rows(flags: u32) -> array<Elem, ROWS> {
    var sums: array<Elem, ROWS>;
    for (var row = 0u; row < ROWS; row += 1u) {
        sums[row] = count_row(flags, row);
    }
    return sums;
}

@compute @workgroup_size(256)
fn compact_chunks(lane: Lane, group: Group) {
    let rank = lane_rank(lane, group);
    let n = item_count();
    let chunk = group.workgroup.x;
    let tiles = chunk_tiles(chunk, n, TILE);
    var carry = 0u;
    if params.chunks > 1u {
        carry = carries[chunk];
    }
    for (var tile = tiles.x; tile < tiles.y; tile += 1u) {
        let first = tile * TILE;
        var held: array<Stored, HELD>;
        let flags = load_flags(first, n, rank, &held);
        var sums = count_rows(flags);
        _ = group_scan(&sums, lane, group);
        let kept = workgroupUniformLoad(&sh_total);
        gather_kept(0u, first, rank, flags, &held, &sums);
        emit_kept(first, rank, carry, kept, flags, &held, &sums);
        carry += kept;
    }
    if rank == 0u && chunk == params.chunks - 1u {
        total[params.aux_first] = carry;
    }
}
