// Where do the kept items of a tile go? Behind `before` kept ones of earlier tiles, in order, as far as the output has room.

//!import kernels/params
//!import kernels/group
//!import kernels/source
//!import kernels/flags
//!import kernels/emit

@group(0) @binding(3) var<storage, read_write> output: array<Out>;

const TILE: u32 = WORKGROUP * ITEMS;

fn sum_flags(flags: ptr<function, array<u32, ITEMS>>, sums: ptr<function, array<Elem, ROWS>>) {
    for (var row = 0u; row < ROWS; row += 1u) {
        (*sums)[row] = 0u;
        for (var k = 0u; k < RUN; k += 1u) {
            (*sums)[row] += (*flags)[row * RUN + k];
        }
    }
}

// `rows` says how many are kept before each row in the tile; params.extra is the room of the output.
fn emit_kept(
    first: u32,
    rank: u32,
    before: u32,
    flags: ptr<function, array<u32, ITEMS>>,
    held: ptr<function, array<Stored, HELD>>,
    rows: ptr<function, array<Elem, ROWS>>,
) {
    for (var row = 0u; row < ROWS; row += 1u) {
        var place = before + (*rows)[row];
        for (var k = 0u; k < RUN; k += 1u) {
            if (*flags)[row * RUN + k] != 0u {
                if place < params.extra {
                    let item = first + item_offset(rank, row, k);
                    if VECTOR {
                        output[params.output_first + place] = emit((*held)[row * RUN + k], item);
                    } else {
                        output[params.output_first + place] = emit(input[params.input_first + item], item);
                    }
                }
                place += 1u;
            }
        }
    }
}
