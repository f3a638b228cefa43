//!import terrain/bisection
//!import terrain/pool/bucket_of_ratio
//!import terrain/pool/edge
//!import terrain/pool/edge_length
//!import terrain/planet
// Where do buckets come from? From the length of the hypotenuse on screen, on the bare ellipsoid: four buckets an octave of
// its ratio to the longest edge wanted. No frustum, so a turning camera changes nothing; what the horizon hides is coarse.

@group(1) @binding(0) var<uniform> edge_length: EdgeLength;

fn bucket(slot: u32, of_parent: bool, edge: Edge) -> u32 {
    let placed = place_on(FacePoint(edge.face, edge.middle.x, edge.middle.y));
    let start = place_on(FacePoint(edge.face, edge.start.x, edge.start.y)).position_m;
    let end = place_on(FacePoint(edge.face, edge.end.x, edge.end.y)).position_m;
    let length_m = distance(start, end);
    // The two triangles reach so far beyond the middle.
    let reach = min(REACH_OVER_EDGE * length_m / SEMI_MAJOR_M, 1.5);
    let hidden = dot(placed.normal, edge_length.below.xyz) < cos_sum(edge_length.horizon_cosine, cos(reach));
    if hidden {
        return 0u;
    }
    return bucket_of_ratio(edge_length.pixels_per_radian * length_m / max(length(placed.position_m), 0.1));
}

// Cosine of the sum of two angles between 0 and pi, given their cosines; -1 where the sum passes pi.
fn cos_sum(a: f32, b: f32) -> f32 {
    let sines = sqrt(max(1.0 - a * a, 0.0) * max(1.0 - b * b, 0.0));
    return select(-1.0, a * b - sines, a + b > 0.0);
}
