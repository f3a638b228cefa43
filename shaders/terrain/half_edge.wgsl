// What lies across an edge? Half-edges `slot * 4 + edge` of bisectors in a pool.
// Generated from elevation/src/bisection/half_edge.rs: ./x generate

//!once elevation::bisection::half_edge::EDGE_LEFT
// Edge from v0 to v1, the "left" leg.
const EDGE_LEFT: u32 = 0u;
//!end

//!once elevation::bisection::half_edge::EDGE_RIGHT
// Edge from v1 to v2, the "right" leg.
const EDGE_RIGHT: u32 = 1u;
//!end

//!once elevation::bisection::half_edge::EDGE_TWIN
// Edge from v2 to v0, the hypotenuse; the triangle across it is the *twin* that must be cut together with this one.
const EDGE_TWIN: u32 = 2u;
//!end

//!once elevation::bisection::half_edge::half_edge
// The edge `edge` (0..3) of the bisector in `slot`.
fn half_edge(slot: u32, edge: u32) -> u32 {
    return (slot << 2u) | edge;
}
//!end

//!once elevation::bisection::half_edge::slot_of
// Pool slot of the bisector that owns the edge.
fn slot_of(half_edge: u32) -> u32 {
    return half_edge >> 2u;
}
//!end

//!once elevation::bisection::half_edge::edge_of
// Which of its edges it is.
fn edge_of(half_edge: u32) -> u32 {
    return half_edge & 3u;
}
//!end
