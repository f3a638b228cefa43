// Which items are kept, in their order? The last pass of stable compaction.
//
// Flags are 0 or 1 from the source; the chunks' numbers of kept items are counted by reduce.wgsl and scanned by scan.wgsl.
// Twin: kernels/src/compact/cpu.rs. Reads each item twice in all and writes the kept ones once; no flag is ever stored.

//!import kernels/params
//!import kernels/group
//!import kernels/source
//!import kernels/flags
//!import kernels/emit
//!variant portable kernels/group=kernels/group/portable kernels/element=kernels/examples/element kernels/operator=kernels/examples/sum kernels/source=kernels/examples/flags kernels/stored=kernels/examples/stored kernels/emit=kernels/examples/emit
//!variant subgroup kernels/group=kernels/group/subgroup kernels/element=kernels/examples/element kernels/element_shuffle=kernels/examples/element_shuffle kernels/operator=kernels/examples/sum kernels/source=kernels/examples/flags kernels/stored=kernels/examples/stored kernels/emit=kernels/examples/emit

@group(0) @binding(3) var<storage, read_write> output: array<Out>;
@group(0) @binding(4) var<storage, read_write> carries: array<u32>;
// Receives the number of kept items, even when the output has no room for all.
@group(0) @binding(5) var<storage, read_write> total: array<u32>;

const TILE: u32 = WORKGROUP * ITEMS;

// params.extra is the room of the output.
@compute @workgroup_size(256)
fn compact_chunks(lane: Lane) {
    let rank = lane_rank(lane);
    let n = item_count();
    let chunk = lane.workgroup.x;
    let tiles = chunk_tiles(chunk, n, TILE);
    var carry = 0u;
    if params.chunks > 1u {
        carry = carries[chunk];
    }
    for (var tile = tiles.x; tile < tiles.y; tile += 1u) {
        let first = tile * TILE;
        var flags: array<u32, ITEMS>;
        var held: array<Stored, HELD>;
        load_flags(first, n, rank, &flags, &held);
        var sums: array<Elem, ROWS>;
        for (var row = 0u; row < ROWS; row += 1u) {
            sums[row] = 0u;
            for (var k = 0u; k < RUN; k += 1u) {
                sums[row] += flags[row * RUN + k];
            }
        }
        let kept = group_scan(&sums, lane);
        for (var row = 0u; row < ROWS; row += 1u) {
            var place = carry + sums[row];
            for (var k = 0u; k < RUN; k += 1u) {
                if flags[row * RUN + k] != 0u {
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
        carry += kept;
    }
    if rank == 0u && chunk == params.chunks - 1u {
        total[params.aux_first] = carry;
    }
}
