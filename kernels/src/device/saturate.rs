//! What does `as` do with a float that is too large? In Rust it gives the largest integer; WGSL's conversion stops at the
//! largest `f32` below.

use super::helper::helpers;

helpers! {
    u32_from_f32, "// `x as u32` as Rust has it.
fn u32_from_f32(x: f32) -> u32 {
    return select(u32(x), 0xffffffffu, x >= 4294967296.0f);
}
";
    i32_from_f32, "// `x as i32` as Rust has it.
fn i32_from_f32(x: f32) -> i32 {
    return select(i32(x), 2147483647i, x >= 2147483648.0f);
}
";
}
