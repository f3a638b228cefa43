// How urgent is a vertex, and how far has it moved to its place? A pure function of the vertex and the view.
// Generated from terrain/src/metric.rs: ./x generate

//!once terrain::metric::RISE_OVER_REACH
// The ground in the two triangles that a vertex cuts rises so far over level ground there, where it slopes by 3 in 4.
const RISE_OVER_REACH: f32 = 0.75f;
//!end

//!once terrain::metric::BOUND_OVER_REACH
// And reaches so far.
const BOUND_OVER_REACH: f32 = 1.25f;
//!end

//!once terrain::metric::BOUND_OVER_ERROR
// Apart from its slope, the ground strays by a few times the vertex's saturated error.
const BOUND_OVER_ERROR: f32 = 3.0f;
//!end

//!once terrain::metric::ASTRAY_OVER_REACH
// And by a part of the reach, where the error is an estimate that misses what is narrower than the samples.
const ASTRAY_OVER_REACH: f32 = 1.0f / 16.0f;
//!end

//!once terrain::metric::MERGE_BELOW
// Ratio of projected to tolerated error at which a pair stops being worth its bisection.
const MERGE_BELOW: f32 = 0.95f;
//!end

//!once terrain::metric::MORPH_DEPTH
// Edges that morphing looks down. Longer chains of edges that all morph are rare: what they leave out moves the surface by a
// fiftieth of a pixel, at depth 2 it would be a quarter.
const MORPH_DEPTH: u32 = 4u;
//!end

//!once terrain::metric::ProjectedDistance
// How the eye sees a vertex.
struct ProjectedDistance {
    // Distance in metres.
    distance_m: f32,
    // That from which a move along the vertical would look as large if seen square.
    sideways_m: f32,
}
//!end

//!once terrain::metric::projected_distance
// How the eye sees a vertex at a position relative to it, where `normal` is the vertical.
fn projected_distance(position_m: vec3f, normal: vec3f) -> ProjectedDistance {
    let distance_m = length(position_m);
    let along_m = dot(position_m, normal);
    let across_m = sqrt(max(distance_m * distance_m - along_m * along_m, 0.0f));
    let sideways_m = distance_m * (distance_m / max(across_m, 1e-6f * distance_m + 1e-9f));
    return ProjectedDistance(distance_m, sideways_m);
}
//!end

//!once terrain::metric::Horizon
// What hides ground from an eye, in the space where the occluder of the horizon (`crate::view::Occluder`) is the unit sphere.
struct Horizon {
    // The direction of the eye, and one over its distance, which is the sine of the shadow cone's half angle; next to nothing
    // when the eye is inside the occluder.
    towards_eye: vec4f,
    // What takes metres there, and the cosine of that half angle.
    to_unit: vec4f,
    // The most that a metre is there.
    unit_per_m: f32,
    // Distance of the eye from the middle.
    eye_distance: f32,
    // How far the plane of the horizon is below the eye.
    depth: f32,
    // No ground that can be seen is higher, in metres above the datum.
    highest_m: f32,
}
//!end

//!once terrain::metric::Metric
// The view as the metric knows it.
struct Metric {
    // Inward normals of the sides of the widened frustum, through the eye.
    sides: array<vec4f, 4>,
    horizon: Horizon,
    // A move along the vertical of any ground is at most one over this, in radians a metre; negative for an eye under the ground.
    nearest_m: f32,
    // Pixels per radian over the tolerated error in pixels.
    pixels_over_error: f32,
    // Pixels per radian over the shortest edge in pixels.
    pixels_over_edge: f32,
    // One over the width of the range of ratios in which a vertex moves.
    morph_scale: f32,
}
//!end

//!once terrain::metric::CutEdge
// The edge that a vertex cuts.
struct CutEdge {
    // Length in metres.
    length_m: f32,
    // How far the two triangles at the edge reach from the vertex, in metres.
    reach_m: f32,
}
//!end

//!once terrain::metric::ratio_of
// Projected error over tolerated error of a vertex, or its edge on screen over the shortest one, if that is less.
fn ratio_of(metric: Metric, projected: ProjectedDistance, edge: CutEdge, error_m: f32) -> f32 {
    let beside_m = 2.0f * (projected.distance_m - edge.reach_m);
    let above_m = metric.nearest_m - BOUND_OVER_ERROR * error_m;
    let within_m = max(beside_m, above_m);
    let error = error_m * metric.pixels_over_error / max(min(projected.sideways_m, within_m), 0.1f);
    let shortest: f32 = edge.length_m * metric.pixels_over_edge / max(min(projected.distance_m, within_m), 0.1f);
    return min(error, shortest);
}
//!end

//!once terrain::metric::GroundBounds
// Ground round a place, as culling knows it.
struct GroundBounds {
    // Height of the place above the datum in metres.
    height_m: f32,
    // How far the ground reaches from the place, in metres along the ground.
    reach_m: f32,
    // How high above the place it rises, in metres.
    rise_m: f32,
    // Radius round the place of all of it, in metres.
    bound_m: f32,
}
//!end

//!once terrain::metric::bounds_between
// The ground in the two triangles that a vertex cuts, of which the lowest and the highest corner or sample are known.
fn bounds_between(height_m: f32, lowest_m: f32, highest_m: f32, reach_m: f32, error_m: f32) -> GroundBounds {
    let astray_m = BOUND_OVER_ERROR * error_m + ASTRAY_OVER_REACH * reach_m;
    let rise_m = highest_m - height_m + astray_m;
    let fall_m = height_m - lowest_m + astray_m;
    return GroundBounds(height_m, reach_m, rise_m, reach_m + max(rise_m, fall_m));
}
//!end

//!once terrain::metric::bounds_by_slope
// The same ground where only its slope is bounded: `RISE_OVER_REACH`.
fn bounds_by_slope(height_m: f32, reach_m: f32, error_m: f32) -> GroundBounds {
    let astray_m = BOUND_OVER_ERROR * error_m;
    let rise_m = RISE_OVER_REACH * reach_m + astray_m;
    return GroundBounds(height_m, reach_m, rise_m, BOUND_OVER_REACH * reach_m + astray_m);
}
//!end

//!once terrain::metric::beyond_horizon
// True only if all ground round a place, relative to the eye, is hidden by the occluder.
fn beyond_horizon(horizon: Horizon, position_m: vec3f, bounds: GroundBounds) -> bool {
    let to_unit: vec4f = horizon.to_unit;
    let towards_eye: vec4f = horizon.towards_eye;
    let position = position_m * to_unit.xyz;
    let depth = -dot(position, towards_eye.xyz);
    let across = sqrt(max(dot(position, position) - depth * depth, 0.0f));
    let axial = horizon.eye_distance - depth;
    let radius = sqrt(axial * axial + across * across);
    let cosine = axial / radius;
    let sine = across / radius;
    let rise_above_m: f32 = min(bounds.rise_m, horizon.highest_m - bounds.height_m);
    let rise = rise_above_m * horizon.unit_per_m + 1e-6f;
    let vertical_off = 1.2f * (to_unit.z / to_unit.x - 1.0f);
    let reach = (bounds.reach_m + vertical_off * bounds.rise_m) * horizon.unit_per_m + 1e-6f;
    let tangent = reach / sqrt(max(1.0f - reach * reach, 1e-6f));
    let nearest_across = across + rise * sine - tangent * cosine;
    let nearest_depth = depth - rise * cosine - tangent * sine;
    return reach < 0.9f && nearest_across > 0.0f && nearest_depth > horizon.depth && nearest_depth * towards_eye.w > nearest_across * to_unit.w;
}
//!end

//!once terrain::metric::may_show
// False only if the sphere, relative to the eye, is wholly outside the widened frustum.
fn may_show(metric: Metric, centre_m: vec3f, radius_m: f32) -> bool {
    let left: vec4f = metric.sides[0u];
    let right: vec4f = metric.sides[1u];
    let low: vec4f = metric.sides[2u];
    let high: vec4f = metric.sides[3u];
    return dot(left.xyz, centre_m) >= -radius_m && dot(right.xyz, centre_m) >= -radius_m && dot(low.xyz, centre_m) >= -radius_m && dot(high.xyz, centre_m) >= -radius_m;
}
//!end

//!once terrain::metric::OUT_OF_PICTURE
// Error outside the picture counts a sixteenth: detail there stays coarse but is at hand when the camera turns.
const OUT_OF_PICTURE: f32 = 1.0f / 16.0f;
//!end

//!once terrain::metric::seen_ratio
// The ratio that the view sees: nothing beyond the horizon, little outside the picture.
fn seen_ratio(metric: Metric, ratio: f32, position_m: vec3f, bounds: GroundBounds) -> f32 {
    let horizon: Horizon = metric.horizon;
    if beyond_horizon(horizon, position_m, bounds) {
        return 0.0f;
    }
    if may_show(metric, position_m, bounds.bound_m) {
        return ratio;
    }
    return ratio * OUT_OF_PICTURE;
}
//!end

//!once terrain::metric::morph_weight
// How far a vertex of a ratio has moved from the middle of its edge to its place: from 0 at ratio 1; all the way at 1 and above.
fn morph_weight(ratio: f32, morph_scale: f32) -> f32 {
    return max((ratio - 1.0f) * morph_scale, 0.0f);
}
//!end

//!once elevation::cube::face::FacePoint
// A point by face and integer face coordinates, each 0 ..= `ONE`.
struct FacePoint {
    // Face `2 axis + side`: axis 0..3 for x, y, z; side 0 where that coordinate is `ONE`, 1 where it is 0.
    face: u32,
    // First face coordinate.
    u: u32,
    // Second face coordinate.
    v: u32,
}
//!end

//!once elevation::bisection::corners::BisectedEdge
// The edge whose bisection inserts a vertex: its two ends on the face of the vertex. It does not exist for the corners of the
// cube, which no bisection inserts.
struct BisectedEdge {
    // False for the corners of the cube.
    exists: bool,
    // One end.
    start: FacePoint,
    // The other end.
    end: FacePoint,
}
//!end

//!once elevation::cube::face::ONE
// Integer coordinate of the far side of the cube: 2^30 units per edge, about 9.3 mm on the Earth.
const ONE: u32 = 1u << 30u;
//!end

//!once terrain::metric::TANGENT_OVER_FACE_2
// Square of the least tangent over its face coordinate, rounded down: a quarter of pi, in the middle of a face.
const TANGENT_OVER_FACE_2: f32 = 0.61f;
//!end

//!once terrain::metric::REACH_OVER_EVEN_EDGE
// Apex distance over the edge where cells are square, and a fiftieth for the flattening of the Earth and for arcs; for flatter bodies
// both are multiplied by `reach_scale`.
const REACH_OVER_EVEN_EDGE: f32 = 0.51f;
//!end

//!once terrain::metric::reach_over_edge
// How far from a vertex its two triangles reach, over the length of the edge that it cuts, rounded up: a half where the cells of
// the face are square, `REACH_OVER_EDGE` at the corners of the cube.
fn reach_over_edge(edge: BisectedEdge) -> f32 {
    let along_u: u32 = max(edge.start.u, edge.end.u) - min(edge.start.u, edge.end.u);
    let along_v: u32 = max(edge.start.v, edge.end.v) - min(edge.start.v, edge.end.v);
    let unit = 1.0f / f32(ONE);
    let s = (f32(edge.start.u) + f32(edge.end.u)) * unit - 1.0f;
    let t = (f32(edge.start.v) + f32(edge.end.v)) * unit - 1.0f;
    let half = f32(max(along_u, along_v)) * unit;
    let far_s = min(abs(s) + half, 1.0f);
    let far_t = min(abs(t) + half, 1.0f);
    let near_s = max(abs(s) - half, 0.0f);
    let near_t = max(abs(t) - half, 0.0f);
    var stretch = (1.0f + far_t * far_t) / (1.0f + TANGENT_OVER_FACE_2 * near_s * near_s);
    if along_u == 0u {
        stretch = (1.0f + far_s * far_s) / (1.0f + TANGENT_OVER_FACE_2 * near_t * near_t);
    }
    if along_u > 0u && along_v > 0u {
        var product = s * t;
        if (edge.end.u > edge.start.u) != (edge.end.v > edge.start.v) {
            product = -product;
        }
        product = min(product + half * (abs(s) + abs(t) + half), far_s * far_t);
        let squares = 2.0f + max(s * s + t * t, 2.0f * abs(product));
        stretch = (squares + 2.0f * product) / (squares - 2.0f * product);
    }
    return REACH_OVER_EVEN_EDGE * sqrt(max(stretch, 1.0f));
}
//!end

//!once elevation::bisection::SAGITTA_M
// Least error of the vertices of depth 0 to 7, metres: the height of the sphere's surface over the edge's chord, measured on
// the ellipsoid. It keeps the coarse planet round where codes end or relief and sagitta cancel.
const SAGITTA_M: array<f32, 8> = array<f32, 8>(2690000.0f, 1170000.0f, 720000.0f, 490000.0f, 225000.0f, 123000.0f, 65000.0f, 31000.0f);
//!end

//!once terrain::metric::least_error_m
// The error that the curve of the Earth makes of an edge, for the longest ones, in metres.
fn least_error_m(edge: BisectedEdge) -> f32 {
    let along_u: u32 = max(edge.start.u, edge.end.u) - min(edge.start.u, edge.end.u);
    let along_v: u32 = max(edge.start.v, edge.end.v) - min(edge.start.v, edge.end.v);
    let halvings = countLeadingZeros(max(along_u, along_v)) - 1u;
    let depth = 2u * halvings + u32(min(along_u, along_v) == 0u);
    if depth < 8u {
        return SAGITTA_M[depth];
    }
    return 0.0f;
}
//!end
