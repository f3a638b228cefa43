// What is a box, and what does a wrong one mean? The elements that a linear BVH is built from.
//
// Scalars, because `vec3f` would be 16 bytes apart. Twin: kernels/src/lbvh/aabb.rs.

//!import kernels/lbvh/flush

struct Aabb {
    low_x: f32,
    low_y: f32,
    low_z: f32,
    high_x: f32,
    high_y: f32,
    high_z: f32,
}

fn aabb(low: vec3f, high: vec3f) -> Aabb {
    return Aabb(low.x, low.y, low.z, high.x, high.y, high.z);
}

fn aabb_low(box: Aabb) -> vec3f {
    return vec3f(box.low_x, box.low_y, box.low_z);
}

fn aabb_high(box: Aabb) -> vec3f {
    return vec3f(box.high_x, box.high_y, box.high_z);
}

// The box of nothing: the identity of the union.
fn aabb_empty() -> Aabb {
    return aabb(vec3f(AABB_LARGEST), vec3f(-AABB_LARGEST));
}

fn aabb_is_empty(box: Aabb) -> bool {
    return box.low_x > box.high_x;
}

fn aabb_union(a: Aabb, b: Aabb) -> Aabb {
    return aabb(min(aabb_low(a), aabb_low(b)), max(aabb_high(a), aabb_high(b)));
}

// The box as the tree keeps it: finite, without negative zeros and subnormals. A box with a NaN, or whose low side is
// above its high side in some axis, is empty.
fn aabb_usable(box: Aabb) -> Aabb {
    let low = aabb_low(box);
    let high = aabb_high(box);
    var kept_low: vec3f;
    var kept_high: vec3f;
    for (var axis = 0u; axis < 3u; axis += 1u) {
        if aabb_is_nan(low[axis]) || aabb_is_nan(high[axis]) {
            return aabb_empty();
        }
        kept_low[axis] = aabb_flush_outward(low[axis], -1.0);
        kept_high[axis] = aabb_flush_outward(high[axis], 1.0);
        if kept_low[axis] > kept_high[axis] {
            return aabb_empty();
        }
    }
    let limit = vec3f(AABB_LIMIT);
    return aabb(clamp(kept_low, -limit, limit), clamp(kept_high, -limit, limit));
}

// Twice the centre of a usable box, as a box of one point; of an empty box the empty box.
fn aabb_centre(box: Aabb) -> Aabb {
    if aabb_is_empty(box) {
        return box;
    }
    let twice = aabb_low(box) + aabb_high(box);
    let point = vec3f(aabb_flush(twice.x), aabb_flush(twice.y), aabb_flush(twice.z));
    return aabb(point, point);
}
