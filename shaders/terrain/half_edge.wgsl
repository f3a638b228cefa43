// What lies across an edge? Half-edges `slot * 4 + edge` of bisectors in a pool.

// From v0 to v1, from v1 to v2, and the hypotenuse from v2 to v0.
const EDGE_LEFT: u32 = 0u;
const EDGE_RIGHT: u32 = 1u;
const EDGE_TWIN: u32 = 2u;

fn half_edge(slot: u32, edge: u32) -> u32 {
    return slot << 2u | edge;
}

fn slot_of(half_edge: u32) -> u32 {
    return half_edge >> 2u;
}

fn edge_of(half_edge: u32) -> u32 {
    return half_edge & 3u;
}
