//!import kernels/params
//!import kernels/group
//!import kernels/source
// Which items of a tile are kept? A bit for each that this invocation holds, and the items themselves where these are words: held
// in registers until they are written. Larger elements are read again.

const HELD: u32 = select(1u, ITEMS, VECTOR);

fn load_flags(first: u32, n: u32, rank: u32, held: ptr<function, array<Stored, HELD>>) -> u32 {
    var flags = 0u;
    if first + WORKGROUP * ITEMS <= n && VECTOR && source_is_aligned() {
        for (var i = 0u; i < ITEMS; i += 4u) {
            let item = first + item_offset(rank, i / RUN, i % RUN);
            let four = source_stored4(item);
            for (var k = 0u; k < 4u; k += 1u) {
                (*held)[i + k] = four[k];
                flags |= source_map(four[k], item + k) << (i + k);
            }
        }
        return flags;
    }
    for (var i = 0u; i < ITEMS; i += 1u) {
        let item = first + item_offset(rank, i / RUN, i % RUN);
        if item < n {
            let stored = input[params.input_first + item];
            flags |= source_map(stored, item) << i;
            if VECTOR {
                (*held)[i] = stored;
            }
        }
    }
    return flags;
}

// How many of a row are kept.
fn count_row(flags: u32, row: u32) -> u32 {
    return countOneBits((flags >> (row * RUN)) & (0xffffffffu >> (32u - RUN)));
}
