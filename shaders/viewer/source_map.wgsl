// Where are the squares around the eye, and what is there a texel of?
// Generated from viewer/src/render/source_map.rs: ./x generate

//!once viewer::render::source_map::SourceSquare
// A square on the plane that touches the unit sphere at `up`.
struct SourceSquare {
    // Its axes, and half of its side.
    east: vec3f,
    half: f32,
    north: vec3f,
    // The layer of what lies beyond all squares.
    last: f32,
    up: vec3f,
    spare: f32,
}
//!end

//!once viewer::render::source_map::SOURCE_SQUARES
// Squares.
const SOURCE_SQUARES: u32 = 7u;
//!end

//!once viewer::render::source_map::SOURCE_TEXELS
// Texels along the side of each.
const SOURCE_TEXELS: u32 = 128u;
//!end
