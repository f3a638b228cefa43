// What is a ray, what is a hit, and when does a ray meet a box? Twin: kernels/src/lbvh/ray.rs.

struct LbvhRay {
    origin: vec3f,
    t_min: f32,
    // Of any length: `t` counts in its units.
    direction: vec3f,
    t_max: f32,
}

struct LbvhHit {
    t: f32,
    // The primitive, or one of the constants below.
    primitive: u32,
    // The point is (1 - u - v) a + u b + v c.
    u: f32,
    v: f32,
}

// The ray meets nothing.
const LBVH_MISS: u32 = 0xffffffffu;
// The traversal took too many steps: the answer is not known.
const LBVH_LIMIT: u32 = 0xfffffffeu;
// The ray has no direction, or a part of it is not a number or too large.
const LBVH_INVALID: u32 = 0xfffffffdu;

// What a ray is asked with: computed once for all boxes and triangles.
struct LbvhSight {
    origin: vec3f,
    t_min: f32,
    // 1 / direction; 0 where the ray stands still.
    inverse: vec3f,
    t_max: f32,
    // x and y that a point moves for each unit of z, and t for each unit of z, after `axis` has become z.
    shear: vec3f,
    axis: u32,
    valid: bool,
}

const LBVH_FAR: f32 = 3.4028234663852886e38f;

// Rotates the axes so that `axis` becomes z.
fn lbvh_rotate(value: vec3f, axis: u32) -> vec3f {
    return select(select(value.xyz, value.zxy, axis == 1u), value.yzx, axis == 0u);
}

fn lbvh_is_finite(value: f32) -> bool {
    return (bitcast<u32>(value) & 0x7fffffffu) < 0x7f800000u;
}

fn lbvh_sight(ray: LbvhRay) -> LbvhSight {
    var sight: LbvhSight;
    sight.origin = ray.origin;
    sight.t_min = ray.t_min;
    sight.t_max = min(ray.t_max, LBVH_FAR);
    let size = abs(ray.direction);
    let largest = max(size.x, max(size.y, size.z));
    var finite = lbvh_is_finite(ray.t_min) && (lbvh_is_finite(ray.t_max) || bitcast<u32>(ray.t_max) == 0x7f800000u);
    for (var i = 0u; i < 3u; i += 1u) {
        finite = finite && lbvh_is_finite(ray.origin[i]) && lbvh_is_finite(ray.direction[i]);
        finite = finite && abs(ray.origin[i]) <= 0x1p120f;
        if size[i] >= 0x1p-100f {
            sight.inverse[i] = 1.0 / ray.direction[i];
        } else {
            sight.inverse[i] = 0.0;
        }
    }
    sight.valid = finite && largest >= 0x1p-60f && largest <= 0x1p60f;
    sight.axis = select(select(2u, 1u, size.y == largest), 0u, size.x == largest);
    let turned = lbvh_rotate(ray.direction, sight.axis);
    let t_of_z = lbvh_rotate(sight.inverse, sight.axis).z;
    sight.shear = vec3f(turned.x * t_of_z, turned.y * t_of_z, t_of_z);
    return sight;
}

// Where the ray enters a box, at least t_min; LBVH_FAR where it does not meet it before `t_max`.
//
// The box is widened by 2^-20 of its distance, more than all rounding here and in the triangle test, so that no triangle is
// missed because of its box (Ize 2013, "Robust BVH Ray Traversal"; Woop, Benthin & Wald 2013, section 4).
fn lbvh_enter(sight: LbvhSight, low: vec3f, high: vec3f, t_max: f32) -> f32 {
    if low.x > high.x {
        return LBVH_FAR;
    }
    var lower = low - sight.origin;
    var upper = high - sight.origin;
    let reach = max(abs(lower), abs(upper));
    let slack = max(reach.x, max(reach.y, reach.z)) * 0x1p-20f;
    lower -= slack;
    upper += slack;
    let a = lower * sight.inverse;
    let b = upper * sight.inverse;
    let still = sight.inverse == vec3f(0.0);
    let inside = (lower <= vec3f(0.0)) & (upper >= vec3f(0.0));
    let begin = select(min(a, b), select(vec3f(LBVH_FAR), vec3f(-LBVH_FAR), inside), still);
    let end = select(max(a, b), select(vec3f(-LBVH_FAR), vec3f(LBVH_FAR), inside), still);
    let near = max(max(begin.x, begin.y), max(begin.z, sight.t_min));
    let far = min(min(end.x, end.y), min(end.z, t_max));
    return select(LBVH_FAR, near, near <= far);
}
