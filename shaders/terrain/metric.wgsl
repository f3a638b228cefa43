//!import terrain/planet
//!import terrain/tiles
//!import terrain/urgency
// What does the view ask of a vertex, and where is it drawn? A pure function of the vertex and the view, the same from every triangle that
// shares the vertex.

@group(1) @binding(2) var<uniform> metric: Metric;

struct Judged {
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
fn judge(p: FacePoint) -> Judged {
    let ground = ground_at(p);
    let placed = place_on(p);
    let position_m = placed.position_m + (ground.height_m - planet.base_m) * placed.normal;
    let edge = bisected_edge(p);
    if !edge.exists {
        return Judged(position_m, placed.normal, ground.height_m, 3.0e38, 0.0, 0.0, true, ground.layer, p, edge);
    }
    let edge_m = distance(place_on(edge.start).position_m, place_on(edge.end).position_m);
    let error_m = max(ground.error_m, least_error_m(edge));
    let cut = CutEdge(edge_m, reach_over_edge(edge) * edge_m);
    let ratio = ratio_of(metric, projected_distance(position_m, placed.normal), cut, error_m);
    let resident = ground.resident;
    let height_m = ground.height_m;
    return Judged(position_m, placed.normal, height_m, ratio, error_m, cut.reach_m, resident, ground.layer, p, edge);
}

// The ground in the two triangles that a vertex cuts.
fn bounds_of(judged: Judged) -> GroundBounds {
    if judged.edge.exists && judged.resident {
        let around = heights_around(judged.point, judged.edge, judged.layer);
        if around.known {
            let lowest_m = min(around.lowest_m, judged.height_m);
            let highest_m = max(around.highest_m, judged.height_m);
            return bounds_between(judged.height_m, lowest_m, highest_m, judged.reach_m, judged.error_m);
        }
    }
    return bounds_by_slope(judged.height_m, judged.reach_m, judged.error_m);
}

// The ratio that the view sees. One that asks for nothing in any case is told as it is.
fn seen(judged: Judged) -> f32 {
    if judged.ratio < MERGE_BELOW {
        return judged.ratio;
    }
    return seen_ratio(metric, judged.ratio, judged.position_m, bounds_of(judged));
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

// From 0 at ratio 1. A vertex whose tile is not there has no error, and stays on its edge: what is drawn does not depend on tiles that the
// view does not want.
fn weight_of(judged: Judged) -> f32 {
    return morph_weight(judged.ratio, metric.morph_scale);
}
