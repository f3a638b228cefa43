// Which numbers stand at the end of the views' ramp, and in which tile is a direction?
// Generated from viewer/src/render/views.rs: OROGEN_BLESS=1 cargo test -p viewer --lib views

//!once viewer::render::views::DEEPEST
// Depth of a triangle at the end of the ramp.
const DEEPEST: f32 = 42.0f;
//!end

//!once viewer::render::views::FARTHEST_LOG10_M
// Distance there, decimal logarithm of metres.
const FARTHEST_LOG10_M: f32 = 7.0f;
//!end

//!once viewer::render::views::FINEST_TILE
// Level of a tile there.
const FINEST_TILE: f32 = 14.0f;
//!end

//!once kernels::device::u32_from_f32
// `x as u32` as Rust has it.
fn u32_from_f32(x: f32) -> u32 {
    return select(u32(x), 0xffffffffu, x >= 4294967296.0f);
}
//!end

//!once viewer::render::views::tile_of
// Column and row of the tile of a level that a direction lies in, on the face of the cube that it meets.
fn tile_of(direction: vec3f, level: u32) -> vec2u {
    let a = abs(direction);
    var gnomonic = direction.yz / direction.x;
    if a.y > a.x && a.y >= a.z {
        gnomonic = direction.zx / direction.y;
    } else {
        if a.z > a.x && a.z > a.y {
            gnomonic = direction.xy / direction.z;
        }
    }
    let s = vec2f(atan(gnomonic.x), atan(gnomonic.y)) * (2.0f * 0.31830987f) + 0.5f;
    return vec2u(u32_from_f32((clamp(s, vec2f(0.0f), vec2f(1.0f)) * f32(1u << level)).x), u32_from_f32((clamp(s, vec2f(0.0f), vec2f(1.0f)) * f32(1u << level)).y));
}
//!end
