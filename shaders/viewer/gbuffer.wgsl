// What does the G-buffer hold of the ground for a shading pass?
// Generated from viewer/src/render/gbuffer.rs: ./x generate

//!once viewer::render::gbuffer::SLOPE_STEPS
// Steps of a bent slope from level to vertical.
const SLOPE_STEPS: f32 = 2047.0f;
//!end

//!once kernels::device::u32_from_f32
// `x as u32` as Rust has it.
fn u32_from_f32(x: f32) -> u32 {
    return select(u32(x), 0xffffffffu, x >= 4294967296.0f);
}
//!end

//!once viewer::render::gbuffer::slope_steps
// A slope as a number of steps: fine where the ground is level, coarse where it is steep.
fn slope_steps(slope: f32) -> u32 {
    return u32_from_f32(slope / (1.0f + abs(slope)) * SLOPE_STEPS + (SLOPE_STEPS + 1.5f));
}
//!end

//!once viewer::render::gbuffer::SLOPE_BITS
// Bits of the two slopes of a sample, and of the weight above them.
const SLOPE_BITS: u32 = 12u;
//!end

//!once viewer::render::gbuffer::WEIGHT_STEPS
// Steps of the weight.
const WEIGHT_STEPS: f32 = 255.0f;
//!end

//!once viewer::render::gbuffer::pack_slope
// Slopes along two axes, metres a metre, and a weight from 0 to 1, in 32 bits.
fn pack_slope(slope: vec2f, weight: f32) -> u32 {
    let along = slope_steps(slope.x) | (slope_steps(slope.y) << u32(SLOPE_BITS));
    return along | (u32_from_f32(weight * WEIGHT_STEPS + 0.5f) << u32(2 * SLOPE_BITS));
}
//!end

//!once viewer::render::gbuffer::STEEPEST
// Least part of the way to vertical that is left: the steepest slope is one less than its reciprocal.
const STEEPEST: f32 = 1.0f / 4096.0f;
//!end

//!once viewer::render::gbuffer::slope_of
// The slope of a number of steps.
fn slope_of(steps: u32) -> f32 {
    let bent = (f32(steps) - (SLOPE_STEPS + 1.0f)) / SLOPE_STEPS;
    return bent / max(1.0f - abs(bent), STEEPEST);
}
//!end

//!once viewer::render::gbuffer::unpack_slope
// Both slopes, and the weight as z.
fn unpack_slope(bits: u32) -> vec3f {
    let mask = (1u << u32(SLOPE_BITS)) - 1u;
    let weight = f32(bits >> u32(2 * SLOPE_BITS)) / WEIGHT_STEPS;
    return vec3f(slope_of(bits & mask), slope_of((bits >> u32(SLOPE_BITS)) & mask), weight);
}
//!end

//!once viewer::render::gbuffer::carried
// A vector across the unit vector `from`, turned with it along the shortest arc to the unit vector `to`. Nothing that an eye
// above `from` sees is opposite.
fn carried(v: vec3f, from_: vec3f, to: vec3f) -> vec3f {
    return v - (from_ + to) * (dot(v, to) / max(1.0f + dot(from_, to), 0.001f));
}
//!end

//!once viewer::render::gbuffer::first_axis
// A unit vector across another: the first axis of slopes; the second is across both.
fn first_axis(up: vec3f) -> vec3f {
    var pole: vec3f;
    if abs(up.z) < 0.9f {
        pole = vec3f(0.0f, 0.0f, 1.0f);
    } else {
        pole = vec3f(1.0f, 0.0f, 0.0f);
    }
    return normalize(cross(pole, up));
}
//!end

//!once viewer::render::gbuffer::slope_of_gradient
// A gradient across `n` as slopes along the axes of the unit normal `up` under the eye, which all of a frame share.
fn slope_of_gradient(gradient: vec3f, n: vec3f, up: vec3f) -> vec2f {
    let level = carried(gradient, n, up);
    let axis = first_axis(up);
    return vec2f(dot(level, axis), dot(level, cross(up, axis)));
}
//!end

//!once viewer::render::gbuffer::gradient_of_slope
// The way back.
fn gradient_of_slope(slope: vec2f, n: vec3f, up: vec3f) -> vec3f {
    let axis = first_axis(up);
    return carried(axis * slope.x + cross(up, axis) * slope.y, up, n);
}
//!end

//!once elevation::geodesy::single::AXIS_RATIO
// Semi-minor over semi-major axis.
const AXIS_RATIO: f32 = 0.9966472f;
//!end

//!once elevation::geodesy::single::ECCENTRICITY_SQUARED
// First eccentricity squared.
const ECCENTRICITY_SQUARED: f32 = 0.00669438f;
//!end

//!once elevation::geodesy::single::SEMI_MAJOR_M
// Semi-major axis, metres.
const SEMI_MAJOR_M: f32 = 6378137.0f;
//!end

//!once viewer::render::gbuffer::normal_at
// Unit geodetic normal at a place in metres from the middle of the Earth, in the space where the ellipsoid is a sphere.
fn normal_at(sphere_m: vec3f) -> vec3f {
    let radius_m = length(sphere_m);
    let stretch = AXIS_RATIO * radius_m / (radius_m - ECCENTRICITY_SQUARED * SEMI_MAJOR_M);
    return normalize(vec3f(sphere_m.x, sphere_m.y, sphere_m.z * stretch));
}
//!end
