// What is the ordered combination of all items? One value for each chunk of tiles; a second run over those ends it.
//
// Twin: kernels/src/reduce/cpu.rs. Reads each item once: n * size bytes, plus one value a chunk.

//!import kernels/params
//!import kernels/group
//!import kernels/source
//!variant portable kernels/group=kernels/group/portable kernels/element=kernels/examples/element kernels/operator=kernels/examples/sum kernels/source=kernels/examples/plain
//!variant subgroup kernels/group=kernels/group/subgroup kernels/element=kernels/examples/element kernels/element_shuffle=kernels/examples/element_shuffle kernels/operator=kernels/examples/sum kernels/source=kernels/examples/plain

@group(0) @binding(3) var<storage, read_write> output: array<Elem>;

const TILE: u32 = WORKGROUP * ITEMS;
// params.mode: workgroups may take tiles in turn, so that all of them read from a few pages of memory at a time.
const ANY_ORDER: u32 = 1u;

// The ordered combination of invocation `rank`'s items: neighbours in memory when order matters, else neighbours in the
// workgroup, which loads whole cache lines at once.
fn tile_sum(first: u32, n: u32, rank: u32) -> Elem {
    var sum = op_identity();
    if first + TILE <= n && VECTOR && source_is_aligned() {
        for (var k = 0u; k < ITEMS; k += 4u) {
            let offset = select(rank * ITEMS + k, k * WORKGROUP + 4u * rank, COMMUTATIVE);
            let four = source_load4(first + offset);
            sum = op_combine(op_combine(op_combine(op_combine(sum, four[0]), four[1]), four[2]), four[3]);
        }
    } else if first + TILE <= n {
        for (var k = 0u; k < ITEMS; k += 1u) {
            let offset = select(rank * ITEMS + k, k * WORKGROUP + rank, COMMUTATIVE);
            sum = op_combine(sum, source_load(first + offset));
        }
    } else {
        // Loads have no condition, so that all are under way at once: the last item stands in for those that there are not.
        for (var k = 0u; k < ITEMS; k += 1u) {
            let item = first + select(rank * ITEMS + k, k * WORKGROUP + rank, COMMUTATIVE);
            let loaded = source_load(min(item, n - 1u));
            if item < n {
                sum = op_combine(sum, loaded);
            }
        }
    }
    return sum;
}

@compute @workgroup_size(256)
fn reduce_chunks(lane: Lane, group: Group) {
    let rank = lane_rank(lane, group);
    let n = item_count();
    let tiles = chunk_tiles(group.workgroup.x, n, TILE);
    var sum = op_identity();
    if COMMUTATIVE && params.mode == ANY_ORDER {
        let all = n / TILE + select(0u, 1u, n % TILE != 0u);
        for (var tile = group.workgroup.x; tile < all; tile += params.chunks) {
            sum = op_combine(sum, tile_sum(tile * TILE, n, rank));
        }
        sum = group_reduce(sum, lane, group);
        if rank == 0u {
            output[params.output_first + group.workgroup.x] = sum;
        }
        return;
    }
    for (var tile = tiles.x; tile < tiles.y; tile += 1u) {
        let part = tile_sum(tile * TILE, n, rank);
        if COMMUTATIVE {
            sum = op_combine(sum, part);
        } else {
            sum = op_combine(sum, group_reduce(part, lane, group));
        }
    }
    if COMMUTATIVE {
        sum = group_reduce(sum, lane, group);
    }
    if rank == 0u {
        output[params.output_first + group.workgroup.x] = sum;
    }
}
