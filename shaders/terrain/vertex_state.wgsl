//!import terrain/planet
//!import terrain/tiles
//!import terrain/metric
// What does the view ask of a vertex, and where is it drawn? A pure function of the vertex and the view, the same from every triangle that
// shares the vertex.

@group(1) @binding(2) var<uniform> metric: Metric;

struct VertexState {
    // Relative to the eye.
    position_m: vec3f,
    normal: vec3f,
    height_m: f32,
    // Projected over tolerated error; culling left aside.
    ratio: f32,
    error_m: f32,
    reach_m: f32,
    resident: bool,
    layer: u32,
    point: FacePoint,
    edge: BisectedEdge,
}

// A vertex on its canonical face.
fn vertex_state(p: FacePoint) -> VertexState {
    let ground = ground_at(p);
    let placed = place_on(p);
    let position_m = placed.position_m + (ground.height_m - planet.base_m) * placed.normal;
    let edge = bisected_edge(p);
    if !edge.exists {
        return VertexState(position_m, placed.normal, ground.height_m, 3.0e38, 0.0, 0.0, true, ground.layer, p, edge);
    }
    let edge_m = distance(place_on(edge.start).position_m, place_on(edge.end).position_m);
    let error_m = max(ground.error_m, least_error_m(edge));
    let cut = CutEdge(edge_m, reach_over_edge(edge) * edge_m);
    let ratio = ratio_of(metric, projected_distance(position_m, placed.normal), cut, error_m);
    let resident = ground.resident;
    let height_m = ground.height_m;
    return VertexState(position_m, placed.normal, height_m, ratio, error_m, cut.reach_m, resident, ground.layer, p, edge);
}

// The ground in the two triangles that a vertex cuts.
fn bounds_of(state: VertexState) -> GroundBounds {
    if state.edge.exists && state.resident {
        let around = heights_around(state.point, state.edge, state.layer);
        if around.known {
            let lowest_m = min(around.lowest_m, state.height_m);
            let highest_m = max(around.highest_m, state.height_m);
            return bounds_between(state.height_m, lowest_m, highest_m, state.reach_m, state.error_m);
        }
    }
    return bounds_by_slope(state.height_m, state.reach_m, state.error_m);
}

// The ratio that the view sees. One that asks for nothing in any case is told as it is.
fn seen(state: VertexState) -> f32 {
    if state.ratio < MERGE_BELOW {
        return state.ratio;
    }
    return seen_ratio(metric, state.ratio, state.position_m, bounds_of(state));
}

// Where a vertex is drawn: it starts on the middle of the edge it bisects and moves to its place as its ratio grows from
// 1, on ends that move likewise.
struct MorphedVertex {
    position_m: vec3f,
    normal: vec3f,
    height_m: f32,
}

// An end still to be placed, and its share in the vertex.
struct WeightedEnd {
    point: FacePoint,
    share: f32,
    depth: u32,
}

fn morphed_vertex(p: FacePoint) -> MorphedVertex {
    let own = vertex_state(p);
    var weight = weight_of(own);
    if weight >= 1.0 {
        return MorphedVertex(own.position_m, own.normal, own.height_m);
    }
    // The vertex is a mean of places, weighted down the tree of edges.
    var position_m = weight * own.position_m;
    var ends: array<WeightedEnd, MORPH_DEPTH + 1u>;
    ends[0] = WeightedEnd(own.edge.start, 0.5 * (1.0 - weight), 1u);
    ends[1] = WeightedEnd(own.edge.end, 0.5 * (1.0 - weight), 1u);
    var count = 2u;
    while count > 0u {
        count -= 1u;
        let end = ends[count];
        let state = vertex_state(canonical(end.point));
        weight = select(weight_of(state), 1.0, end.depth == MORPH_DEPTH);
        position_m += end.share * min(weight, 1.0) * state.position_m;
        if weight < 1.0 {
            let share = 0.5 * end.share * (1.0 - weight);
            ends[count] = WeightedEnd(state.edge.start, share, end.depth + 1u);
            ends[count + 1u] = WeightedEnd(state.edge.end, share, end.depth + 1u);
            count += 2u;
        }
    }
    return MorphedVertex(position_m, own.normal, own.height_m);
}

// From 0 at ratio 1. A vertex whose tile is not there has no error, and stays on its edge: what is drawn does not depend on tiles that the
// view does not want.
fn weight_of(state: VertexState) -> f32 {
    return morph_weight(state.ratio, metric.morph_scale);
}
