//!import terrain/heap_id
//!import terrain/bisection
//!import terrain/pool/buffers
//!import bench/pattern
// Where is a place of a leaf's lattice on its face? Exact: sides of leaves are multiples of their segments.

fn lattice_point(slot: u32, place: vec2u) -> FacePoint {
    let apex = vec2i(corner(slot, 1u));
    let along = (vec2i(corner(slot, 0u)) - apex) >> vec2u(SEGMENTS_LOG2);
    let across = (vec2i(corner(slot, 2u)) - apex) >> vec2u(SEGMENTS_LOG2);
    let p = apex + along * i32(place.x) + across * i32(place.y);
    return FacePoint(face_of(heap[slot]), u32(p.x), u32(p.y));
}
