// Which items are kept, in any order, behind those already there? One atomic addition a tile.
//
// Twin: kernels/src/append/cpu.rs. The order of tiles is that of their arrival: the set is the same on every run, the
// order is not. Reads each item once.

//!import kernels/params
//!import kernels/group
//!import kernels/source
//!import kernels/flags
//!import kernels/emit
//!variant portable kernels/group=kernels/group/portable kernels/element=kernels/examples/element kernels/operator=kernels/examples/sum kernels/source=kernels/examples/flags kernels/stored=kernels/examples/stored kernels/emit=kernels/examples/emit
//!variant subgroup kernels/group=kernels/group/subgroup kernels/element=kernels/examples/element kernels/element_shuffle=kernels/examples/element_shuffle kernels/operator=kernels/examples/sum kernels/source=kernels/examples/flags kernels/stored=kernels/examples/stored kernels/emit=kernels/examples/emit

@group(0) @binding(3) var<storage, read_write> output: array<Out>;
// Items asked for so far, which may exceed the room; whether any found none.
@group(0) @binding(5) var<storage, read_write> counter: array<atomic<u32>>;

const TILE: u32 = WORKGROUP * ITEMS;
var<workgroup> sh_place: u32;

@compute @workgroup_size(1)
fn append_reset() {
    atomicStore(&counter[params.aux_first], 0u);
    atomicStore(&counter[params.aux_first + 1u], 0u);
}

// params.extra is the room of the output.
@compute @workgroup_size(256)
fn append_chunks(lane: Lane, group: Group) {
    let rank = lane_rank(lane, group);
    let n = item_count();
    let tiles = chunk_tiles(group.workgroup.x, n, TILE);
    for (var tile = tiles.x; tile < tiles.y; tile += 1u) {
        let first = tile * TILE;
        var held: array<Stored, HELD>;
        let flags = load_flags(first, n, rank, &held);
        var sums: array<Elem, ROWS>;
        for (var row = 0u; row < ROWS; row += 1u) {
            sums[row] = count_row(flags, row);
        }
        let kept = group_scan(&sums, lane, group);
        if rank == 0u && kept != 0u {
            let place = atomicAdd(&counter[params.aux_first], kept);
            if place + kept > params.extra {
                atomicStore(&counter[params.aux_first + 1u], 1u);
            }
            sh_place = place;
        }
        workgroupBarrier();
        for (var row = 0u; row < ROWS; row += 1u) {
            var place = sh_place + sums[row];
            for (var k = 0u; k < RUN; k += 1u) {
                if (flags & (1u << (row * RUN + k))) != 0u {
                    if place < params.extra {
                        let item = first + item_offset(rank, row, k);
                        if VECTOR {
                            output[params.output_first + place] = emit(held[row * RUN + k], item);
                        } else {
                            output[params.output_first + place] = emit(input[params.input_first + item], item);
                        }
                    }
                    place += 1u;
                }
            }
        }
    }
}
