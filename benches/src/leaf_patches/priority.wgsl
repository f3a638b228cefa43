//!import terrain/metric
//!import terrain/pool/bucket_of_ratio
//!import terrain/pool/edge
// When is a leaf cut? As `terrain/pool/priority_tiles`, with a larger tolerance: what the leaf's own vertex would change is
// drawn already.

@group(1) @binding(3) var<uniform> tolerance: vec4f;

fn bucket(slot: u32, of_parent: bool, edge: Edge) -> u32 {
    let judged = judge(canonical(FacePoint(edge.face, edge.middle.x, edge.middle.y)));
    if !judged.resident {
        return 0u;
    }
    return bucket_of_ratio(seen_ratio(judged) / tolerance.x);
}
