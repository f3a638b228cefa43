//!import terrain/planet
//!import terrain/tiles
// How urgent is a vertex, and how far has it moved to its place? Twin in meaning of terrain/src/mesh.rs: a pure function of the vertex and the
// view, the same from every triangle that shares the vertex.

struct Metric {
    // Inward normals of the sides of the widened frustum, through the eye.
    sides: array<vec4f, 4>,
    // In the space where the occluder of the horizon is the unit sphere: the direction of the eye, and one over its distance,
    // which is the sine of the shadow cone's half angle.
    towards_eye: vec4f,
    // What takes metres there, and the cosine of that half angle.
    to_unit: vec4f,
    // Distance from the eye to the plane of the horizon; far beyond everything when the eye is inside the occluder.
    horizon: f32,
    // Pixels per radian, over the tolerated error, and over the shortest edge.
    pixels_over_error: f32,
    pixels_over_edge: f32,
    // One over the width of the range of ratios in which a vertex moves.
    morph_scale: f32,
}

@group(1) @binding(2) var<uniform> metric: Metric;

// Error outside the picture counts a sixteenth.
const OUT_OF_PICTURE: f32 = 1.0 / 16.0;
// Apex distance over the edge in the most stretched bisector; the same on ground that slopes by 3 in 4.
const REACH_OVER_EDGE: f32 = 0.875;
const BOUND_OVER_EDGE: f32 = REACH_OVER_EDGE * 1.25;
// Apart from its slope, the ground strays by a few times the vertex's saturated error.
const BOUND_OVER_ERROR: f32 = 3.0;
// Least error of the vertices of depth 0 to 7, metres: the roundness of the Earth, where codes of errors end.
const SAGITTA_M = array<f32, 8>(2.69e6, 1.17e6, 7.2e5, 4.9e5, 2.25e5, 1.23e5, 6.5e4, 3.1e4);

// Edges that morphing looks down.
const MORPH_DEPTH: u32 = 4u;

struct Judged {
    // Relative to the eye.
    position_m: vec3f,
    normal: vec3f,
    height_m: f32,
    // Projected over tolerated error; culling left aside.
    ratio: f32,
    // What culling needs to know of the ground that the vertex moves.
    bound_m: f32,
    resident: bool,
    edge: BisectedEdge,
}

// A vertex on its canonical face.
fn judge(p: FacePoint) -> Judged {
    let ground = ground_at(p);
    let placed = place_on(p);
    let position_m = placed.position_m + (ground.height_m - planet.base_m) * placed.normal;
    let edge = bisected_edge(p);
    if !edge.exists {
        return Judged(position_m, placed.normal, ground.height_m, 3.0e38, 0.0, true, edge);
    }
    let edge_m = distance(place_on(edge.start).position_m, place_on(edge.end).position_m);
    let error_m = max(ground.error_m, least_error_m(edge));
    let distance_m = metric_distance_m(length(position_m), edge_m);
    let ratio = min(error_m * metric.pixels_over_error, edge_m * metric.pixels_over_edge) / distance_m;
    let bound_m = BOUND_OVER_EDGE * edge_m + BOUND_OVER_ERROR * error_m;
    return Judged(position_m, placed.normal, ground.height_m, ratio, bound_m, ground.resident, edge);
}

// The distance at which a vertex's error is judged: its own, and nothing where the ground at the eye's feet is in its two triangles. See
// terrain/src/mesh.rs.
fn metric_distance_m(to_vertex_m: f32, edge_m: f32) -> f32 {
    return max(min(to_vertex_m, 2.0 * (to_vertex_m - REACH_OVER_EDGE * edge_m)), 0.1);
}

// The error that the curve of the Earth makes of an edge, for the longest ones.
fn least_error_m(edge: BisectedEdge) -> f32 {
    let across = vec2u(max(edge.start.u, edge.end.u), max(edge.start.v, edge.end.v))
        - vec2u(min(edge.start.u, edge.end.u), min(edge.start.v, edge.end.v));
    // A power of two; a diagonal comes before the sides it leads to.
    let halvings = 30u - firstLeadingBit(max(across.x, across.y));
    let depth = 2u * halvings + select(0u, 1u, min(across.x, across.y) == 0u);
    return select(0.0, SAGITTA_M[min(depth, 7u)], depth < 8u);
}

// The ratio that the view sees: nothing beyond the horizon, little outside the picture.
fn seen_ratio(judged: Judged) -> f32 {
    if beyond_horizon(judged.position_m, judged.bound_m) {
        return 0.0;
    }
    for (var side = 0u; side < 4u; side++) {
        if dot(metric.sides[side].xyz, judged.position_m) < -judged.bound_m {
            return judged.ratio * OUT_OF_PICTURE;
        }
    }
    return judged.ratio;
}

// True only if the whole sphere lies in the shadow that the occluder casts from the eye: inside its cone and beyond its plane.
fn beyond_horizon(centre_m: vec3f, radius_m: f32) -> bool {
    let centre = centre_m * metric.to_unit.xyz;
    // A millionth of the Earth's radius covers rounding.
    let radius = radius_m * metric.to_unit.z + 1.0e-6;
    let depth = -dot(centre, metric.towards_eye.xyz);
    let across = sqrt(max(dot(centre, centre) - depth * depth, 0.0));
    let inside_cone = depth * metric.towards_eye.w - across * metric.to_unit.w;
    return depth - metric.horizon > radius && inside_cone > radius;
}

// Where a vertex is drawn: it starts on the middle of the edge it bisects and moves to its place as its ratio grows from
// 1, on ends that move likewise.
struct Drawn {
    position_m: vec3f,
    normal: vec3f,
    height_m: f32,
}

// An end still to be placed, and its share in the vertex.
struct End {
    point: FacePoint,
    share: f32,
    depth: u32,
}

fn drawn(p: FacePoint) -> Drawn {
    let own = judge(p);
    var weight = weight_of(own);
    if weight >= 1.0 {
        return Drawn(own.position_m, own.normal, own.height_m);
    }
    // The vertex is a mean of places, weighted down the tree of edges.
    var position_m = weight * own.position_m;
    var ends: array<End, MORPH_DEPTH + 1u>;
    ends[0] = End(own.edge.start, 0.5 * (1.0 - weight), 1u);
    ends[1] = End(own.edge.end, 0.5 * (1.0 - weight), 1u);
    var count = 2u;
    while count > 0u {
        count -= 1u;
        let end = ends[count];
        let judged = judge(canonical(end.point));
        weight = select(weight_of(judged), 1.0, end.depth == MORPH_DEPTH);
        position_m += end.share * min(weight, 1.0) * judged.position_m;
        if weight < 1.0 {
            let share = 0.5 * end.share * (1.0 - weight);
            ends[count] = End(judged.edge.start, share, end.depth + 1u);
            ends[count + 1u] = End(judged.edge.end, share, end.depth + 1u);
            count += 2u;
        }
    }
    return Drawn(position_m, own.normal, own.height_m);
}

// From 0 at ratio 1. A vertex whose tile is not there lies on the ground that is.
fn weight_of(judged: Judged) -> f32 {
    return select(1.0, max((judged.ratio - 1.0) * metric.morph_scale, 0.0), judged.resident);
}
