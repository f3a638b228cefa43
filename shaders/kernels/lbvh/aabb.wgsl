// What is a box, and what does a wrong one mean? The elements that a linear BVH is built from.
//
// Scalars, because `vec3f` would be 16 bytes apart. Twin: kernels/src/lbvh/aabb.rs.

struct Aabb {
    low_x: f32,
    low_y: f32,
    low_z: f32,
    high_x: f32,
    high_y: f32,
    high_z: f32,
}

// Coordinates are clamped to this, 2^120, so that no sum or difference of two overflows.
const AABB_LIMIT: f32 = 0x1p120f;
const AABB_SMALLEST_NORMAL: u32 = 0x00800000u;
const AABB_LARGEST: f32 = 3.4028234663852886e38f;

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

// Zero for both zeros and subnormals, which devices may or may not flush; by bits, so that none does it its own way.
fn aabb_flush(value: f32) -> f32 {
    let bits = bitcast<u32>(value);
    return select(value, 0.0, (bits & 0x7fffffffu) < AABB_SMALLEST_NORMAL);
}

// The same, away from the inside of the box: down for `way` -1, up for 1.
fn aabb_flush_outward(value: f32, way: f32) -> f32 {
    let bits = bitcast<u32>(value);
    let magnitude = bits & 0x7fffffffu;
    if magnitude >= AABB_SMALLEST_NORMAL {
        return value;
    }
    let outward = magnitude != 0u && ((bits >> 31u) == 1u) == (way < 0.0);
    return select(0.0, way * bitcast<f32>(AABB_SMALLEST_NORMAL), outward);
}

fn aabb_is_nan(value: f32) -> bool {
    return (bitcast<u32>(value) & 0x7fffffffu) > 0x7f800000u;
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
