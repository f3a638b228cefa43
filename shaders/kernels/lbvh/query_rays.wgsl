// What does each ray of a batch meet, by the adapter's own ray queries? One invocation a ray.
//
// The adapter walks boxes, not triangles: each box that it offers is asked with the watertight test of `kernels/lbvh/triangle`,
// and only the hit of that test shortens the query. So t, u, v and the rule for ties are those of `kernels/lbvh/trace`, and
// nothing leaks where an adapter's own triangle test would. Boxes are widened when the scene is built, by more than an
// adapter may round: see kernels/src/scene/hardware.rs.

//!requires ray_query
//!import kernels/params
//!import kernels/lbvh/ray
//!import kernels/lbvh/passes
//!import kernels/lbvh/primitive
//!variant triangles kernels/lbvh/primitive=kernels/lbvh/triangles_bound

@group(0) @binding(2) var scene: acceleration_structure;
@group(0) @binding(5) var<storage, read> rays: array<LbvhRay>;
@group(0) @binding(6) var<storage, read_write> hits: array<LbvhHit>;

// A query from the ray's origin on. Parts of the direction in which the ray stands still for `lbvh_prepare_ray` are 0.
fn query_ray(prepared: LbvhPreparedRay, direction: vec3f, begin: f32, end: f32) -> RayDesc {
    let still = prepared.inverse == vec3f(0.0);
    return RayDesc(RAY_FLAG_NONE, 0xffu, begin, end, prepared.origin, select(direction, vec3f(0.0), still));
}

// The smallest t below 0, where queries cannot go: all boxes on the way back, of which none shortens the query.
fn query_back(prepared: LbvhPreparedRay, direction: vec3f, any_hit: bool, max_steps: u32) -> LbvhHit {
    var best = LbvhHit(prepared.t_max, LBVH_MISS, 0.0, 0.0);
    var query: ray_query;
    rayQueryInitialize(&query, scene, query_ray(prepared, -direction, max(0.0, -prepared.t_max), -prepared.t_min));
    for (var step = 0u; step < max_steps; step += 1u) {
        if !rayQueryProceed(&query) {
            return best;
        }
        best = lbvh_hit(prepared, rayQueryGetCandidateIntersection(&query).primitive_index, best);
        if any_hit && best.primitive != LBVH_MISS {
            rayQueryTerminate(&query);
            return best;
        }
    }
    return LbvhHit(prepared.t_min, LBVH_LIMIT, 0.0, 0.0);
}

// The closest hit, or any where `any_hit`; gives up after `max_steps` boxes.
fn query(ray: LbvhRay, any_hit: bool, max_steps: u32) -> LbvhHit {
    let prepared = lbvh_prepare_ray(ray);
    var best = LbvhHit(prepared.t_max, LBVH_MISS, 0.0, 0.0);
    if !prepared.valid {
        return LbvhHit(0.0, LBVH_INVALID, 0.0, 0.0);
    }
    if !(prepared.t_min <= prepared.t_max) {
        return best;
    }
    if prepared.t_min < 0.0 {
        best = query_back(prepared, ray.direction, any_hit, max_steps);
        if best.primitive != LBVH_MISS || prepared.t_max < 0.0 {
            return best;
        }
    }
    var query: ray_query;
    rayQueryInitialize(&query, scene, query_ray(prepared, ray.direction, max(0.0, prepared.t_min), prepared.t_max));
    for (var step = 0u; step < max_steps; step += 1u) {
        if !rayQueryProceed(&query) {
            return best;
        }
        let hit = lbvh_hit(prepared, rayQueryGetCandidateIntersection(&query).primitive_index, best);
        if hit.primitive == best.primitive {
            continue;
        }
        best = hit;
        if any_hit {
            rayQueryTerminate(&query);
            return best;
        }
        // A name of its own: naga 30 evaluates no expression in the place of this argument.
        let at = max(0.0, hit.t);
        rayQueryGenerateIntersection(&query, at);
    }
    return LbvhHit(prepared.t_min, LBVH_LIMIT, 0.0, 0.0);
}

// params.extra is the limit of boxes.
@compute @workgroup_size(256)
fn lbvh_query_rays(@builtin(global_invocation_id) id: vec3u) {
    if id.x < item_count() {
        hits[params.output_first + id.x] = query(rays[params.input_first + id.x], params.mode == LBVH_ANY, params.extra);
    }
}
