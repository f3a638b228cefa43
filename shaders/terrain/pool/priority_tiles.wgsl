//!import terrain/vertex_state
//!import terrain/pool/bucket_of_ratio
//!import terrain/pool/edge
// Where do buckets come from? From the projected error of the vertex that a bisection inserts, four an octave. A vertex whose
// tile is not on the device is not wanted, so the mesh never asks for more than there is.

fn bucket(slot: u32, of_parent: bool, edge: Edge) -> u32 {
    let state = vertex_state(canonical(FacePoint(edge.face, edge.middle.x, edge.middle.y)));
    if !state.resident {
        return 0u;
    }
    return bucket_of_ratio(seen(state));
}
