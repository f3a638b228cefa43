// Which numbers may a box have? None that a device may flush.
// Generated from kernels/src/lbvh/flush.rs: ./x generate

//!once kernels::lbvh::flush::AABB_LIMIT
// Coordinates are clamped to this, 2^120, so that no sum or difference of two overflows.
const AABB_LIMIT: f32 = 1.329228e36f;
//!end

//!once kernels::lbvh::flush::AABB_LARGEST
// The largest number.
const AABB_LARGEST: f32 = 0x1.fffffep+127f;
//!end

//!once kernels::lbvh::flush::AABB_SMALLEST_NORMAL
// Bits of the smallest normal number.
const AABB_SMALLEST_NORMAL: u32 = 0x800000u;
//!end

//!once kernels::lbvh::flush::aabb_is_nan
// Whether it is not a number, by bits.
fn aabb_is_nan(value: f32) -> bool {
    return (bitcast<u32>(value) & 0x7fffffffu) > 0x7f800000u;
}
//!end

//!once kernels::lbvh::flush::aabb_flush
// Zero for both zeros and subnormals, which devices may or may not flush; by bits, so that none does it its own way.
fn aabb_flush(value: f32) -> f32 {
    let magnitude = bitcast<u32>(value) & 0x7fffffffu;
    if magnitude < AABB_SMALLEST_NORMAL {
        return 0.0f;
    }
    return value;
}
//!end

//!once kernels::lbvh::flush::aabb_flush_outward
// The same, away from the inside of a box: down for `way` -1, up for 1.
fn aabb_flush_outward(value: f32, way: f32) -> f32 {
    let bits = bitcast<u32>(value);
    let magnitude = bits & 0x7fffffffu;
    if magnitude >= AABB_SMALLEST_NORMAL {
        return value;
    }
    if magnitude != 0u && (bits >> 31u == 1u) == (way < 0.0f) {
        return way * bitcast<f32>(AABB_SMALLEST_NORMAL);
    }
    return 0.0f;
}
//!end
