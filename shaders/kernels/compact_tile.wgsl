// Where do the kept items of a tile go? Behind `before` kept ones of earlier tiles, in order, as far as the output has room.

//!import kernels/params
//!import kernels/group
//!import kernels/source
//!import kernels/flags
//!import kernels/emit

@group(0) @binding(3) var<storage, read_write> output: array<Out>;

const TILE: u32 = WORKGROUP * ITEMS;

// How many of each row are kept.
fn count_rows(flags: u32) -> array<Elem, ROWS> {
    var sums: array<Elem, ROWS>;
    for (var row = 0u; row < ROWS; row += 1u) {
        sums[row] = count_row(flags, row);
    }
    return sums;
}

// `rows` says how many are kept before each row in the tile; params.extra is the room of the output.
fn emit_kept(
    first: u32,
    rank: u32,
    before: u32,
    flags: u32,
    held: ptr<function, array<Stored, HELD>>,
    rows: ptr<function, array<Elem, ROWS>>,
) {
    for (var row = 0u; row < ROWS; row += 1u) {
        var place = before + (*rows)[row];
        for (var k = 0u; k < RUN; k += 1u) {
            if (flags & (1u << (row * RUN + k))) != 0u {
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
