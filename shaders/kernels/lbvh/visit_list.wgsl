// What happens to a primitive that a query has found? It is listed while there is room, and counted in any case.

//!import kernels/params
//!import kernels/lbvh/passes

@group(0) @binding(6) var<storage, read_write> found: array<u32>;

// params.items is the room of each query.
fn lbvh_visit(query: u32, primitive: u32, before: u32) -> bool {
    if before < params.items {
        found[params.aux_first + query * params.items + before] = primitive;
    }
    return params.mode != LBVH_ANY;
}
