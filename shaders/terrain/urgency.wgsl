// How urgent is a vertex, and how far has it moved to its place? A pure function of the vertex and the view.
// Generated from terrain/src/metric.rs: OROGEN_BLESS=1 cargo test -p terrain --lib metric

//!once terrain::metric::BOUND_OVER_REACH
// The ground in the two triangles that a vertex cuts reaches so far over level ground there, where it slopes by 3 in 4.
const BOUND_OVER_REACH: f32 = 1.25f;
//!end

//!once terrain::metric::BOUND_OVER_ERROR
// Apart from its slope, the ground strays by a few times the vertex's saturated error.
const BOUND_OVER_ERROR: f32 = 3.0f;
//!end

//!once terrain::metric::MORPH_DEPTH
// Edges that morphing looks down. Longer chains of edges that all morph are rare: what they leave out moves the surface by a
// fiftieth of a pixel, at depth 2 it would be a quarter.
const MORPH_DEPTH: u32 = 4u;
//!end

//!once terrain::metric::Metric
// The view as the metric knows it.
struct Metric {
    // Inward normals of the sides of the widened frustum, through the eye.
    sides: array<vec4f, 4>,
    // In the space where the occluder of the horizon is the unit sphere: the direction of the eye, and one over its distance,
    // which is the sine of the shadow cone's half angle; next to nothing when the eye is inside the occluder.
    towards_eye: vec4f,
    // What takes metres there, and the cosine of that half angle.
    to_unit: vec4f,
    // Height of the eye above the ground under it, in metres; negative below.
    clearance_m: f32,
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

//!once terrain::metric::metric_distance_m
// The distance at which a vertex's error is judged, given that to the vertex, in metres.
fn metric_distance_m(clearance_m: f32, to_vertex_m: f32, reach_m: f32, error_m: f32) -> f32 {
    let beside_m = 2.0f * (to_vertex_m - reach_m);
    let above_m = clearance_m - BOUND_OVER_ERROR * error_m;
    return max(min(to_vertex_m, max(beside_m, above_m)), 0.1f);
}
//!end

//!once terrain::metric::ratio_of
// Projected error over tolerated error of a vertex, or its edge on screen over the shortest one, if that is less.
fn ratio_of(metric: Metric, to_vertex_m: f32, edge: CutEdge, error_m: f32) -> f32 {
    let error = error_m * metric.pixels_over_error;
    let shortest: f32 = edge.length_m * metric.pixels_over_edge;
    return min(error, shortest) / metric_distance_m(metric.clearance_m, to_vertex_m, edge.reach_m, error_m);
}
//!end

//!once terrain::metric::beyond_horizon
// True only if the whole sphere, relative to the eye, lies in the shadow that the occluder casts from the eye: inside its cone
// and beyond its plane.
fn beyond_horizon(metric: Metric, centre_m: vec3f, radius_m: f32) -> bool {
    let to_unit: vec4f = metric.to_unit;
    let towards_eye: vec4f = metric.towards_eye;
    let centre = centre_m * to_unit.xyz;
    let radius = radius_m * to_unit.z + 1e-6f;
    let horizon = to_unit.w * to_unit.w / towards_eye.w;
    let depth = -dot(centre, towards_eye.xyz);
    let across = sqrt(max(dot(centre, centre) - depth * depth, 0.0f));
    let inside_cone = depth * towards_eye.w - across * to_unit.w;
    return depth - horizon > radius && inside_cone > radius;
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
fn seen_ratio(metric: Metric, ratio: f32, position_m: vec3f, bound_m: f32) -> f32 {
    if beyond_horizon(metric, position_m, bound_m) {
        return 0.0f;
    }
    if may_show(metric, position_m, bound_m) {
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

//!once terrain::cube::face::FacePoint
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

//!once terrain::bisection::corners::BisectedEdge
// The edge whose bisection inserts a vertex: its two ends on the face of the vertex. It does not exist for the corners of the
// cube, which no bisection inserts.
struct BisectedEdge {
    exists: bool,
    start: FacePoint,
    end: FacePoint,
}
//!end

//!once terrain::cube::face::ONE
// Integer coordinate of the far side of the cube: 2^30 units per edge, about 9.3 mm on the Earth.
const ONE: u32 = 1u << 30u;
//!end

//!once terrain::metric::TANGENT_OVER_FACE_2
// Square of the least tangent over its face coordinate, rounded down: a quarter of pi, in the middle of a face.
const TANGENT_OVER_FACE_2: f32 = 0.61f;
//!end

//!once terrain::metric::REACH_OVER_EVEN_EDGE
// Apex distance over the edge where cells are square, and a fiftieth for the flattening of the Earth and for arcs.
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

//!once terrain::metric::SAGITTA_M
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
