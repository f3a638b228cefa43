// What is the combination of all items before (or up to) each item? The second half of reduce-then-scan.
//
// Merrill & Grimshaw 2009: reduce each chunk of tiles, scan the chunk sums, scan each chunk from its sum. This pass does
// the last two: over the sums it runs as one chunk. Twin: kernels/src/scan/cpu.rs. Reads and writes each item once.

//!import kernels/params
//!import kernels/group
//!import kernels/source
//!import kernels/store
//!variant portable kernels/group=kernels/group/portable kernels/element=kernels/examples/element kernels/operator=kernels/examples/sum kernels/source=kernels/examples/plain kernels/store=kernels/store/vector
//!variant subgroup kernels/group=kernels/group/subgroup kernels/element=kernels/examples/element kernels/element_shuffle=kernels/examples/element_shuffle kernels/operator=kernels/examples/sum kernels/source=kernels/examples/plain kernels/store=kernels/store/vector

// What comes before each chunk; read only when there are several.
@group(0) @binding(4) var<storage, read_write> carries: array<Elem>;
// Where the last chunk leaves the combination of everything.
@group(0) @binding(5) var<storage, read_write> total: array<Elem>;

// params.mode
const INCLUSIVE: u32 = 1u;

@compute @workgroup_size(256)
fn scan_chunks(lane: Lane) {
    let rank = lane_rank(lane);
    let n = item_count();
    let chunk = lane.workgroup.x;
    let tiles = chunk_tiles(chunk, n, TILE);
    var carry = op_identity();
    if params.chunks > 1u {
        carry = carries[chunk];
    }
    for (var tile = tiles.x; tile < tiles.y; tile += 1u) {
        let first = tile * TILE;
        // A whole tile is loaded without a condition, so that all its loads are under way at once.
        let whole = first + TILE <= n;
        var items: array<Elem, ITEMS>;
        if whole && VECTOR && source_is_aligned() {
            for (var i = 0u; i < ITEMS; i += 4u) {
                let four = source_load4(first + item_offset(rank, i / RUN, i % RUN));
                items[i] = four[0];
                items[i + 1u] = four[1];
                items[i + 2u] = four[2];
                items[i + 3u] = four[3];
            }
        } else if whole {
            for (var i = 0u; i < ITEMS; i += 1u) {
                items[i] = source_load(first + item_offset(rank, i / RUN, i % RUN));
            }
        } else {
            for (var i = 0u; i < ITEMS; i += 1u) {
                let item = first + item_offset(rank, i / RUN, i % RUN);
                items[i] = op_identity();
                if item < n {
                    items[i] = source_load(item);
                }
            }
        }
        var sums: array<Elem, ROWS>;
        for (var row = 0u; row < ROWS; row += 1u) {
            var sum = items[row * RUN];
            for (var k = 1u; k < RUN; k += 1u) {
                sum = op_combine(sum, items[row * RUN + k]);
            }
            sums[row] = sum;
        }
        let tile_total = group_scan(&sums, lane);
        // The items become the results.
        for (var row = 0u; row < ROWS; row += 1u) {
            var prefix = op_combine(carry, sums[row]);
            for (var k = 0u; k < RUN; k += 1u) {
                let after = op_combine(prefix, items[row * RUN + k]);
                if params.mode == INCLUSIVE {
                    items[row * RUN + k] = after;
                } else {
                    items[row * RUN + k] = prefix;
                }
                prefix = after;
            }
        }
        store_items(first, n, &items, rank);
        carry = op_combine(carry, tile_total);
    }
    if rank == 0u && chunk == params.chunks - 1u {
        total[params.aux_first] = carry;
    }
}
