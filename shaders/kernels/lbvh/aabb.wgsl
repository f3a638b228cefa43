// What is a box, and what does a wrong one mean? The elements that a linear BVH is built from.
// Generated from kernels/src/lbvh/aabb.rs: ./x generate

//!import kernels/lbvh/flush

//!once kernels::lbvh::aabb::Aabb
// Scalars, because `vec3f` would lie 16 bytes apart.
struct Aabb {
    low_x: f32,
    low_y: f32,
    low_z: f32,
    high_x: f32,
    high_y: f32,
    high_z: f32,
}
//!end

//!once kernels::lbvh::aabb::aabb
fn aabb(low: vec3f, high: vec3f) -> Aabb {
    return Aabb(low.x, low.y, low.z, high.x, high.y, high.z);
}
//!end

//!once kernels::lbvh::aabb::aabb_low
fn aabb_low(bounds: Aabb) -> vec3f {
    return vec3f(bounds.low_x, bounds.low_y, bounds.low_z);
}
//!end

//!once kernels::lbvh::aabb::aabb_high
fn aabb_high(bounds: Aabb) -> vec3f {
    return vec3f(bounds.high_x, bounds.high_y, bounds.high_z);
}
//!end

//!once kernels::lbvh::aabb::aabb_empty
// The box of nothing: the identity of the union.
fn aabb_empty() -> Aabb {
    return aabb(vec3f(AABB_LARGEST), vec3f(-AABB_LARGEST));
}
//!end

//!once kernels::lbvh::aabb::aabb_is_empty
// Whether it is the box of nothing.
fn aabb_is_empty(bounds: Aabb) -> bool {
    return aabb_low(bounds).x > aabb_high(bounds).x;
}
//!end

//!once kernels::lbvh::aabb::aabb_union
// The smallest box around both.
fn aabb_union(a: Aabb, b: Aabb) -> Aabb {
    let low: vec3f = aabb_low(a);
    let high: vec3f = aabb_high(a);
    return aabb(min(low, aabb_low(b)), max(high, aabb_high(b)));
}
//!end

//!once kernels::lbvh::aabb::aabb_usable
// The box as a tree keeps it: finite, without negative zeros and subnormals. A box with a NaN, or whose low side is above its
// high side in some axis, is empty.
fn aabb_usable(bounds: Aabb) -> Aabb {
    let low: vec3f = aabb_low(bounds);
    let high: vec3f = aabb_high(bounds);
    let kept_low = vec3f(aabb_flush_outward(low.x, -1.0f), aabb_flush_outward(low.y, -1.0f), aabb_flush_outward(low.z, -1.0f));
    let kept_high = vec3f(aabb_flush_outward(high.x, 1.0f), aabb_flush_outward(high.y, 1.0f), aabb_flush_outward(high.z, 1.0f));
    let low_has_nan = aabb_is_nan(low.x) | aabb_is_nan(low.y) | aabb_is_nan(low.z);
    let high_has_nan = aabb_is_nan(high.x) | aabb_is_nan(high.y) | aabb_is_nan(high.z);
    if low_has_nan | high_has_nan | any((kept_low > kept_high)) {
        return aabb_empty();
    }
    let limit = vec3f(AABB_LIMIT);
    return aabb(clamp(kept_low, -limit, limit), clamp(kept_high, -limit, limit));
}
//!end

//!once kernels::lbvh::aabb::aabb_centre
// Twice the centre of a usable box, as a box of one point; of an empty box the empty box.
fn aabb_centre(bounds: Aabb) -> Aabb {
    if aabb_is_empty(bounds) {
        return bounds;
    }
    let twice: vec3f = aabb_low(bounds) + aabb_high(bounds);
    let point = vec3f(aabb_flush(twice.x), aabb_flush(twice.y), aabb_flush(twice.z));
    return aabb(point, point);
}
//!end

//!once kernels::lbvh::aabb::aabb_touches
// Whether two boxes touch, faces included.
fn aabb_touches(bounds: Aabb, low: vec3f, high: vec3f) -> bool {
    return all((low <= aabb_high(bounds)) & (high >= aabb_low(bounds)));
}
//!end
