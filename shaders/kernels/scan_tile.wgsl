// How does an invocation hold its items of a tile, and how do they become results?

//!import kernels/params
//!import kernels/group
//!import kernels/source
//!import kernels/store

// params.mode
const INCLUSIVE_SCAN: u32 = 1u;

// Items beyond the end are the identity.
fn load_items(first: u32, n: u32, items: ptr<function, array<Elem, ITEMS>>, rank: u32) {
    // A whole tile is loaded without a condition, so that all its loads are under way at once.
    let whole = first + TILE <= n;
    if whole && VECTOR && source_is_aligned() {
        for (var i = 0u; i < ITEMS; i += 4u) {
            let four = source_load4(first + item_offset(rank, i / RUN, i % RUN));
            (*items)[i] = four[0];
            (*items)[i + 1u] = four[1];
            (*items)[i + 2u] = four[2];
            (*items)[i + 3u] = four[3];
        }
    } else if whole {
        for (var i = 0u; i < ITEMS; i += 1u) {
            (*items)[i] = source_load(first + item_offset(rank, i / RUN, i % RUN));
        }
    } else {
        for (var i = 0u; i < ITEMS; i += 1u) {
            let item = first + item_offset(rank, i / RUN, i % RUN);
            (*items)[i] = op_identity();
            if item < n {
                (*items)[i] = source_load(item);
            }
        }
    }
}

fn sum_rows(items: ptr<function, array<Elem, ITEMS>>, sums: ptr<function, array<Elem, ROWS>>) {
    for (var row = 0u; row < ROWS; row += 1u) {
        var sum = (*items)[row * RUN];
        for (var k = 1u; k < RUN; k += 1u) {
            sum = op_combine(sum, (*items)[row * RUN + k]);
        }
        (*sums)[row] = sum;
    }
}

// The items become the results: `carry` comes before the tile, `before` before each row in the tile.
fn scan_items(
    items: ptr<function, array<Elem, ITEMS>>,
    before: ptr<function, array<Elem, ROWS>>,
    carry: Elem,
) {
    for (var row = 0u; row < ROWS; row += 1u) {
        var prefix = op_combine(carry, (*before)[row]);
        for (var k = 0u; k < RUN; k += 1u) {
            let after = op_combine(prefix, (*items)[row * RUN + k]);
            if params.mode == INCLUSIVE_SCAN {
                (*items)[row * RUN + k] = after;
            } else {
                (*items)[row * RUN + k] = prefix;
            }
            prefix = after;
        }
    }
}
