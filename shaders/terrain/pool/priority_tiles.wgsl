//!import terrain/metric
//!import terrain/pool/edge
// Where do buckets come from? From the projected error of the vertex that a bisection inserts, four an octave. A vertex whose
// tile is not on the device is not wanted, so the mesh never asks for more than there is.

fn bucket(slot: u32, of_parent: bool, edge: Edge) -> u32 {
    let judged = judge(canonical(FacePoint(edge.face, edge.middle.x, edge.middle.y)));
    if !judged.resident {
        return 0u;
    }
    let ratio = seen_ratio(judged);
    // Also for NaN.
    if !(ratio >= 0.95) {
        return 0u;
    }
    if ratio < 1.0 {
        return 1u;
    }
    return u32(min(2.0 + floor(4.0 * log2(ratio)), 255.0));
}
