// Which colours have the views of the mesh, which numbers stand at the end of their ramp, and in which tile is a direction?
// Generated from viewer/src/render/view_colours.rs: ./x generate

//!once viewer::render::view_colours::LAST_OF_RAMP
// The last colour of the ramp, by number.
const LAST_OF_RAMP: u32 = 7u;
//!end

//!once viewer::render::view_colours::RAMP
// Colours of the ramp: red, green and blue of the picture.
const RAMP: array<vec3f, 8> = array<vec3f, 8>(vec3f(0.33f, 0.16f, 0.55f), vec3f(0.22f, 0.33f, 0.78f), vec3f(0.16f, 0.58f, 0.78f), vec3f(0.2f, 0.72f, 0.5f), vec3f(0.55f, 0.8f, 0.25f), vec3f(0.93f, 0.8f, 0.22f), vec3f(0.95f, 0.52f, 0.15f), vec3f(0.8f, 0.18f, 0.14f));
//!end

//!once viewer::render::view_colours::LAYERS
// How many layers have colours of their own.
const LAYERS: u32 = 7u;
//!end

//!once viewer::render::view_colours::LAYER_COLOURS
// Colours of layers, the first on top, again and again (M. Okabe and K. Ito, 2008: told apart by everybody).
const LAYER_COLOURS: array<vec3f, 7> = array<vec3f, 7>(vec3f(0.9f, 0.62f, 0.0f), vec3f(0.34f, 0.71f, 0.91f), vec3f(0.0f, 0.62f, 0.45f), vec3f(0.94f, 0.89f, 0.26f), vec3f(0.0f, 0.45f, 0.7f), vec3f(0.84f, 0.37f, 0.0f), vec3f(0.8f, 0.47f, 0.65f));
//!end

//!once viewer::render::view_colours::LAST_LAYER_COLOUR
// Colour of the last one, which is everywhere.
const LAST_LAYER_COLOUR: vec3f = vec3f(0.62f, 0.64f, 0.66f);
//!end

//!once viewer::render::view_colours::DEEPEST
// Depth of a triangle at the end of the ramp.
const DEEPEST: f32 = 42.0f;
//!end

//!once viewer::render::view_colours::FARTHEST_LOG10_M
// Distance there, decimal logarithm of metres.
const FARTHEST_LOG10_M: f32 = 7.0f;
//!end

//!once viewer::render::view_colours::FINEST_TILE
// Level of a tile there.
const FINEST_TILE: f32 = 14.0f;
//!end

//!once kernels::device::u32_from_f32
// `x as u32` as Rust has it.
fn u32_from_f32(x: f32) -> u32 {
    return select(u32(x), 0xffffffffu, x >= 4294967296.0f);
}
//!end

//!once viewer::render::view_colours::tile_of
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
