//!import kernels/params
//!import kernels/group
//!import kernels/source
// Which items of a tile are kept? Their flags, and the items themselves where these are words: held in registers until they are
// written. Larger elements are read again.

const HELD: u32 = select(1u, ITEMS, VECTOR);

fn load_flags(
    first: u32,
    n: u32,
    rank: u32,
    flags: ptr<function, array<u32, ITEMS>>,
    held: ptr<function, array<Stored, HELD>>,
) {
    if first + WORKGROUP * ITEMS <= n && VECTOR && source_is_aligned() {
        for (var i = 0u; i < ITEMS; i += 4u) {
            let item = first + item_offset(rank, i / RUN, i % RUN);
            let four = source_stored4(item);
            for (var k = 0u; k < 4u; k += 1u) {
                (*held)[i + k] = four[k];
                (*flags)[i + k] = source_map(four[k], item + k);
            }
        }
        return;
    }
    for (var i = 0u; i < ITEMS; i += 1u) {
        let item = first + item_offset(rank, i / RUN, i % RUN);
        (*flags)[i] = 0u;
        if item < n {
            let stored = input[params.input_first + item];
            (*flags)[i] = source_map(stored, item);
            if VECTOR {
                (*held)[i] = stored;
            }
        }
    }
}
