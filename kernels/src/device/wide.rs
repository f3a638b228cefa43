//! 64 bits on a device: a `u64` is a `vec2u` of low and high word there, with these helpers where words depend on each other.

use super::helper::helpers;

helpers! {
    u64_shl, "// `value << by` of low and high word, by less than 64.
fn u64_shl(value: vec2u, by: u32) -> vec2u {
    let part = by & 31u;
    let low = value.x << part;
    // A shift by 32 in two, where `part` is 0.
    let high = (value.y << part) | ((value.x >> 1u) >> (31u - part));
    return select(vec2u(low, high), vec2u(0u, low), by >= 32u);
}
";
    u64_shr, "// `value >> by` of low and high word, by less than 64.
fn u64_shr(value: vec2u, by: u32) -> vec2u {
    let part = by & 31u;
    let high = value.y >> part;
    // A shift by 32 in two, where `part` is 0.
    let low = (value.x >> part) | ((value.y << 1u) << (31u - part));
    return select(vec2u(low, high), vec2u(high, 0u), by >= 32u);
}
";
    u64_rotate_left, "// `value` rotated of low and high word, by any number.
fn u64_rotate_left(value: vec2u, by: u32) -> vec2u {
    let part = by & 31u;
    let words = select(value, value.yx, (by & 32u) != 0u);
    // A shift by 32 in two, where `part` is 0.
    return (words << vec2u(part)) | ((words.yx >> vec2u(1u)) >> vec2u(31u - part));
}
";
    u64_add, "// `a + b` of low and high word.
fn u64_add(a: vec2u, b: vec2u) -> vec2u {
    let low = a.x + b.x;
    return vec2u(low, a.y + b.y + u32(low < a.x));
}
";
    u64_sub, "// `a - b` of low and high word.
fn u64_sub(a: vec2u, b: vec2u) -> vec2u {
    return vec2u(a.x - b.x, a.y - b.y - u32(a.x < b.x));
}
";
    u64_mul, "// `a * b` of low and high word; the product of the low words by 16 bits.
fn u64_mul(a: vec2u, b: vec2u) -> vec2u {
    let p = a.x & 0xffffu;
    let q = a.x >> 16u;
    let r = b.x & 0xffffu;
    let s = b.x >> 16u;
    let middle = ((p * r) >> 16u) + ((p * s) & 0xffffu) + ((q * r) & 0xffffu);
    let carried = q * s + ((p * s) >> 16u) + ((q * r) >> 16u) + (middle >> 16u);
    return vec2u(a.x * b.x, carried + a.x * b.y + a.y * b.x);
}
";
    u64_less, "// `a < b` of low and high word.
fn u64_less(a: vec2u, b: vec2u) -> bool {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}
";
    u64_min, "// The lesser of two, each low and high word.
fn u64_min(a: vec2u, b: vec2u) -> vec2u {
    return select(b, a, a.y < b.y || (a.y == b.y && a.x < b.x));
}
";
    u64_max, "// The greater of two, each low and high word.
fn u64_max(a: vec2u, b: vec2u) -> vec2u {
    return select(a, b, a.y < b.y || (a.y == b.y && a.x < b.x));
}
";
    u64_count_ones, "// Set bits of low and high word.
fn u64_count_ones(value: vec2u) -> u32 {
    return countOneBits(value.x) + countOneBits(value.y);
}
";
    u64_leading_zeros, "// Zeros above the highest set bit of low and high word; 64 of zero.
fn u64_leading_zeros(value: vec2u) -> u32 {
    return select(countLeadingZeros(value.y), 32u + countLeadingZeros(value.x), value.y == 0u);
}
";
    u64_trailing_zeros, "// Zeros below the lowest set bit of low and high word; 64 of zero.
fn u64_trailing_zeros(value: vec2u) -> u32 {
    return select(countTrailingZeros(value.x), 32u + countTrailingZeros(value.y), value.x == 0u);
}
";
}

/// Types whose operators are WGSL's own. `#[device]` asks for it where it does not see the type of an operand.
#[diagnostic::on_unimplemented(
    message = "`#[device]` does not see that this is a `{Self}`, which needs WGSL of its own",
    label = "bind it first: `let name: {Self} = …`"
)]
#[doc(hidden)]
pub trait Narrow {}

macro_rules! narrow {
    ($($ty:ty),* $(,)?) => { $(impl Narrow for $ty {})* };
}

narrow!(
    u32,
    i32,
    f32,
    bool,
    glam::BVec2,
    glam::BVec3,
    glam::BVec4,
    glam::Vec2,
    glam::Vec3,
    glam::Vec4,
    glam::IVec2,
    glam::IVec3,
    glam::IVec4,
    glam::UVec2,
    glam::UVec3,
    glam::UVec4,
    glam::Mat4,
);

/// Its argument, of a type that WGSL has.
#[doc(hidden)]
pub const fn narrow<T: Narrow>(value: T) -> T {
    value
}
