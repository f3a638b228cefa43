// What is a ray, what is a hit, and what is a ray prepared for?
// Generated from kernels/src/lbvh/ray.rs: ./x generate

//!once kernels::lbvh::ray::LBVH_MISS
// In place of a primitive: the ray meets nothing.
const LBVH_MISS: u32 = 0xffffffffu;
//!end

//!once kernels::lbvh::ray::LBVH_LIMIT
// In place of a primitive or a number of them: the traversal took too many steps, the answer is not known.
const LBVH_LIMIT: u32 = 0xfffffffeu;
//!end

//!once kernels::lbvh::ray::LBVH_INVALID
// In place of a primitive: the ray has no direction, or a part of it is not a number or too large.
const LBVH_INVALID: u32 = 0xfffffffdu;
//!end

//!once kernels::lbvh::ray::Hit
// What a ray met, 16 bytes. `outcome`(Self::outcome) says it as an enum.
struct LbvhHit {
    // Where along the ray.
    t: f32,
    // The primitive, or `MISS`(Self::MISS), `LIMIT`(Self::LIMIT), `INVALID`(Self::INVALID).
    primitive: u32,
    // The point is (1 - u - v) a + u b + v c.
    u: f32,
    // See `u`.
    v: f32,
}
//!end

//!once kernels::lbvh::ray::Ray
// A ray, 32 bytes: the points `origin + t direction` for t from `t_min` to `t_max`, both included.
struct LbvhRay {
    // Where t is 0.
    origin: vec3f,
    // The smallest t.
    t_min: f32,
    // Of any length: t counts in its units.
    direction: vec3f,
    // The largest t.
    t_max: f32,
}
//!end

//!once kernels::lbvh::prepared_ray::LbvhPreparedRay
// A ray as boxes and triangles are tested with it: prepared once for all.
struct LbvhPreparedRay {
    // Where t is 0.
    origin: vec3f,
    // The smallest t.
    t_min: f32,
    // 1 / direction; 0 where the ray stands still.
    inverse: vec3f,
    // The largest t.
    t_max: f32,
    // x and y that a point moves for each unit of z, and t for each unit of z, after `axis` has become z.
    shear: vec3f,
    // The axis along which the direction is longest.
    axis: u32,
    // Whether the ray is one.
    valid: bool,
}
//!end

//!once kernels::lbvh::prepared_ray::lbvh_is_finite
// By bits: WGSL may assume that there are no others.
fn lbvh_is_finite(value: f32) -> bool {
    return (bitcast<u32>(value) & 0x7fffffffu) < 0x7f800000u;
}
//!end

//!once kernels::lbvh::prepared_ray::LBVH_LARGEST_ORIGIN
// 2^120: the most that a coordinate of the origin may be.
const LBVH_LARGEST_ORIGIN: f32 = 1.329228e36f;
//!end

//!once kernels::lbvh::prepared_ray::lbvh_is_coordinate
// Whether it may be a coordinate of an origin.
fn lbvh_is_coordinate(value: f32) -> bool {
    return lbvh_is_finite(value) && abs(value) <= LBVH_LARGEST_ORIGIN;
}
//!end

//!once kernels::lbvh::prepared_ray::LBVH_SMALLEST_DIRECTION
// 2^-60: the least that the largest part of a direction may be.
const LBVH_SMALLEST_DIRECTION: f32 = 8.6736174e-19f;
//!end

//!once kernels::lbvh::prepared_ray::LBVH_LARGEST_DIRECTION
// 2^60: the most that a part of a direction may be.
const LBVH_LARGEST_DIRECTION: f32 = 1.1529215e18f;
//!end

//!once kernels::lbvh::prepared_ray::LBVH_STILL
// 2^-100: along an axis of which the direction has less, a ray stands still.
const LBVH_STILL: f32 = 7.888609e-31f;
//!end

//!once kernels::lbvh::prepared_ray::lbvh_inverse
// 1 / part of a direction; 0 where the ray stands still.
fn lbvh_inverse(part: f32) -> f32 {
    if abs(part) >= LBVH_STILL {
        return 1.0f / part;
    }
    return 0.0f;
}
//!end

//!once kernels::lbvh::prepared_ray::lbvh_rotate
// Rotates the axes so that `axis` becomes z.
fn lbvh_rotate(value: vec3f, axis: u32) -> vec3f {
    return select(select(value, value.zxy, (axis == 1u)), value.yzx, (axis == 0u));
}
//!end

//!once kernels::lbvh::prepared_ray::LBVH_FAR
// Where a ray enters a box that it does not meet.
const LBVH_FAR: f32 = 0x1.fffffep+127f;
//!end

//!once kernels::lbvh::prepared_ray::lbvh_prepare_ray
// Prepares a ray for those tests.
fn lbvh_prepare_ray(ray: LbvhRay) -> LbvhPreparedRay {
    let origin = vec3f(ray.origin);
    let direction = vec3f(ray.direction);
    let size = abs(direction);
    let largest = max(size.x, max(size.y, size.z));
    let is_range = lbvh_is_finite(ray.t_min) && (lbvh_is_finite(ray.t_max) || bitcast<u32>(ray.t_max) == 0x7f800000u);
    let is_place = lbvh_is_coordinate(origin.x) && lbvh_is_coordinate(origin.y) && lbvh_is_coordinate(origin.z);
    let is_direction = lbvh_is_finite(direction.x) && lbvh_is_finite(direction.y) && lbvh_is_finite(direction.z);
    let has_length = largest >= LBVH_SMALLEST_DIRECTION && largest <= LBVH_LARGEST_DIRECTION;
    let inverse = vec3f(lbvh_inverse(direction.x), lbvh_inverse(direction.y), lbvh_inverse(direction.z));
    let axis = select(select(2u, 1u, (size.y == largest)), 0u, (size.x == largest));
    let turned: vec3f = lbvh_rotate(direction, axis);
    let t_of_z: f32 = lbvh_rotate(inverse, axis).z;
    return LbvhPreparedRay(origin, ray.t_min, inverse, min(ray.t_max, LBVH_FAR), vec3f(turned.x * t_of_z, turned.y * t_of_z, t_of_z), axis, is_range && is_place && is_direction && has_length);
}
//!end
