// What is the combination of all items before (or up to) each item? A scan that reads and writes each item once.
//
// One workgroup a tile; what comes before the tile is found by looking back. Twin: kernels/src/scan/cpu.rs.

//!import kernels/scan_tile
//!import kernels/look_back/walk
//!variant subgroup kernels/group=kernels/group/subgroup kernels/element=kernels/examples/element kernels/element_shuffle=kernels/examples/element_shuffle kernels/operator=kernels/examples/sum kernels/source=kernels/examples/plain kernels/store=kernels/store/vector

// Where the last tile leaves the combination of everything.
@group(0) @binding(5) var<storage, read_write> total: array<Elem>;

@compute @workgroup_size(256)
fn scan_tiles(lane: Lane, group: Group) {
    let rank = lane_rank(lane, group);
    let n = item_count();
    let tile = tile_of(group.workgroup);
    let tiles = n / TILE + select(0u, 1u, n % TILE != 0u);
    if tile < tiles {
        let first = tile * TILE;
        var items: array<Elem, ITEMS>;
        load_items(first, n, &items, rank);
        var sums: array<Elem, ROWS>;
        sum_rows(&items, &sums);
        let sum = group_scan(&sums, lane, group);
        announce(tile, sum, lane, group);
        let carry = look_back(tile, sum, lane, group);
        scan_items(&items, &sums, carry);
        store_items(first, n, &items, rank);
        if rank == 0u && tile == tiles - 1u {
            total[params.aux_first] = op_combine(carry, sum);
        }
    } else if tile == 0u && rank == 0u {
        total[params.aux_first] = op_identity();
    }
}
