// Where do the kept items of a tile go? Behind `before` kept ones of earlier tiles, in order, as far as the output has room.

//!import kernels/params
//!import kernels/group
//!import kernels/source
//!import kernels/flags
//!import kernels/emit
//!import kernels/compact_stage

@group(0) @binding(3) var<storage, read_write> output: array<Out>;

const TILE: u32 = WORKGROUP * ITEMS;

// Words that are gathered in workgroup memory before they are written side by side.
const STAGE: u32 = select(1u, min(STAGE_ITEMS, TILE), VECTOR);
var<workgroup> sh_stage: array<Out, STAGE>;

// Gathers those kept items that come behind `stage` others of the tile, as far as there is room; `rows` says how many are
// kept before each row.
fn gather_kept(
    stage: u32,
    first: u32,
    rank: u32,
    flags: u32,
    held: ptr<function, array<Stored, HELD>>,
    rows: ptr<function, array<Elem, ROWS>>,
) {
    if !VECTOR {
        return;
    }
    for (var row = 0u; row < ROWS; row += 1u) {
        // Slots of earlier stages wrap round.
        var slot = (*rows)[row] - stage;
        for (var k = 0u; k < RUN; k += 1u) {
            if (flags & (1u << (row * RUN + k))) != 0u {
                if slot < STAGE {
                    sh_stage[slot] = emit((*held)[row * RUN + k], first + item_offset(rank, row, k));
                }
                slot += 1u;
            }
        }
    }
}

// Writes the `kept` items of the tile behind `before` others, after the first ones have been gathered. All invocations of the
// workgroup call this with the same `kept`. params.extra is the room of the output.
fn emit_kept(
    first: u32,
    rank: u32,
    before: u32,
    kept: u32,
    flags: u32,
    held: ptr<function, array<Stored, HELD>>,
    rows: ptr<function, array<Elem, ROWS>>,
) {
    for (var stage = 0u; VECTOR && stage < kept; stage += STAGE) {
        if stage > 0u {
            workgroupBarrier();
            gather_kept(stage, first, rank, flags, held, rows);
        }
        workgroupBarrier();
        for (var k = 0u; k < STAGE; k += WORKGROUP) {
            let place = before + stage + k + rank;
            if stage + k + rank < kept && place < params.extra {
                output[params.output_first + place] = sh_stage[k + rank];
            }
        }
    }
    if !VECTOR {
        // Larger elements are written one by one.
        for (var row = 0u; row < ROWS; row += 1u) {
            var place = before + (*rows)[row];
            for (var k = 0u; k < RUN; k += 1u) {
                if (flags & (1u << (row * RUN + k))) != 0u {
                    if place < params.extra {
                        let item = first + item_offset(rank, row, k);
                        output[params.output_first + place] = emit(input[params.input_first + item], item);
                    }
                    place += 1u;
                }
            }
        }
    }
}
