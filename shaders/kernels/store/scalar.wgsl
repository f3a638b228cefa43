// How does a tile of results go to memory? Item by item.

//!import kernels/params
//!import kernels/group

@group(0) @binding(3) var<storage, read_write> output: array<Elem>;

const TILE: u32 = WORKGROUP * ITEMS;

fn store_items(first: u32, n: u32, items: ptr<function, array<Elem, ITEMS>>, rank: u32) {
    let whole = first + TILE <= n;
    for (var i = 0u; i < ITEMS; i += 1u) {
        let item = first + item_offset(rank, i / RUN, i % RUN);
        if whole || item < n {
            output[params.output_first + item] = (*items)[i];
        }
    }
}
