// How does a tile of results go to memory? Four items at a time, where they are whole tiles and lie at a multiple of four.

//!import kernels/params
//!import kernels/group

@group(0) @binding(3) var<storage, read_write> output: array<Elem>;
// The same memory as `output`.
@group(0) @binding(9) var<storage, read_write> output4: array<vec4<Elem>>;

const TILE: u32 = WORKGROUP * ITEMS;

fn store_items(first: u32, n: u32, items: ptr<function, array<Elem, ITEMS>>, rank: u32) {
    let whole = first + TILE <= n;
    if whole && params.output_first % 4u == 0u {
        for (var i = 0u; i < ITEMS; i += 4u) {
            let place = params.output_first + first + item_offset(rank, i / RUN, i % RUN);
            output4[place / 4u] = vec4<Elem>((*items)[i], (*items)[i + 1u], (*items)[i + 2u], (*items)[i + 3u]);
        }
        return;
    }
    for (var i = 0u; i < ITEMS; i += 1u) {
        let item = first + item_offset(rank, i / RUN, i % RUN);
        if whole || item < n {
            output[params.output_first + item] = (*items)[i];
        }
    }
}
