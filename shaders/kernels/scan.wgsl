// What is the combination of all items before (or up to) each item? The second half of reduce-then-scan.
//
// Merrill & Grimshaw 2009: reduce each chunk of tiles, scan the chunk sums, scan each chunk from its sum. This pass does
// the last two: over the sums it runs as one chunk. Twin: kernels/src/scan/cpu.rs. Reads and writes each item once.

//!import kernels/scan_tile
//!variant portable kernels/group=kernels/group/portable kernels/element=kernels/examples/element kernels/operator=kernels/examples/sum kernels/source=kernels/examples/plain kernels/store=kernels/store/vector
//!variant subgroup kernels/group=kernels/group/subgroup kernels/element=kernels/examples/element kernels/element_shuffle=kernels/examples/element_shuffle kernels/operator=kernels/examples/sum kernels/source=kernels/examples/plain kernels/store=kernels/store/vector

// What comes before each chunk; read only when there are several.
@group(0) @binding(4) var<storage, read_write> carries: array<Elem>;
// Where the last chunk leaves the combination of everything.
@group(0) @binding(5) var<storage, read_write> total: array<Elem>;

@compute @workgroup_size(256)
fn scan_chunks(lane: Lane, group: Group) {
    let rank = lane_rank(lane, group);
    let n = item_count();
    let chunk = group.workgroup.x;
    let tiles = chunk_tiles(chunk, n, TILE);
    var carry = op_identity();
    if params.chunks > 1u {
        carry = carries[chunk];
    }
    for (var tile = tiles.x; tile < tiles.y; tile += 1u) {
        let first = tile * TILE;
        var items: array<Elem, ITEMS>;
        load_items(first, n, &items, rank);
        var sums: array<Elem, ROWS>;
        sum_rows(&items, &sums);
        let tile_total = group_scan(&sums, lane, group);
        scan_items(&items, &sums, carry);
        store_items(first, n, &items, rank);
        carry = op_combine(carry, tile_total);
    }
    if rank == 0u && chunk == params.chunks - 1u {
        total[params.aux_first] = carry;
    }
}
