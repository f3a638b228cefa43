// Which texel is a vertex, and what does it hold? Height in the high 24 bits, code of the error in the low 8.
// Generated from elevation/src/tile/texel.rs: ./x generate

//!once elevation::cube::face::FacePoint
// A point by face and integer face coordinates, each 0 ..= `ONE`.
struct FacePoint {
    // Face `2 axis + side`: axis 0..3 for x, y, z; side 0 where that coordinate is `ONE`, 1 where it is 0.
    face: u32,
    // First face coordinate.
    u: u32,
    // Second face coordinate.
    v: u32,
}
//!end

//!once elevation::tile::texel::MAX_TILE_LEVEL
// Deepest tiles: texels are units of the integer cube, 9 mm apart.
const MAX_TILE_LEVEL: u32 = 22u;
//!end

//!once elevation::tile::texel::birth_level
// Level of the tile that a vertex is read from: the first whose texels have it, on its lowest face.
fn birth_level(p: FacePoint) -> u32 {
    let finest = u32(countTrailingZeros(p.u | p.v));
    return MAX_TILE_LEVEL - min(finest, MAX_TILE_LEVEL);
}
//!end

//!once elevation::tile::texel::tile_over
// Column and row of the tile of a level that holds a point; between two tiles the higher one, except at the far edge.
fn tile_over(p: FacePoint, level: u32) -> vec2u {
    let last = (1u << level) - 1u;
    return min(vec2u(p.u, p.v) >> vec2u(30u - level), vec2u(last));
}
//!end

//!once elevation::tile::texel::TILE_QUADS_LOG2
// Quads on a side of a tile are 2 to this power.
const TILE_QUADS_LOG2: u32 = 8u;
//!end

//!once elevation::tile::texel::texel_over
// Column and row, in that tile, of the texel at or below a point.
fn texel_over(p: FacePoint, level: u32, tile: vec2u) -> vec2u {
    return (vec2u(p.u, p.v) >> vec2u(MAX_TILE_LEVEL - level)) - (tile << vec2u(u32(TILE_QUADS_LOG2)));
}
//!end

//!once elevation::tile::texel::HEIGHT_STEP_M
// Heights of texels are multiples of this, in metres.
const HEIGHT_STEP_M: f32 = 1.0f / 512.0f;
//!end

//!once elevation::tile::texel::HEIGHT_BASE_M
// Height in metres of a texel whose high 24 bits are zero.
const HEIGHT_BASE_M: f32 = -16384.0f;
//!end

//!once elevation::tile::texel::height_of
// Height in metres of a texel, the high 24 bits; exact.
fn height_of(texel: u32) -> f32 {
    return f32(texel >> 8u) * HEIGHT_STEP_M + HEIGHT_BASE_M;
}
//!end

//!once elevation::tile::texel::ERROR_CODES_PER_OCTAVE
// Codes of an error that make an octave.
const ERROR_CODES_PER_OCTAVE: f32 = 10.0f;
//!end

//!once elevation::tile::texel::LOWEST_ERROR_EXPONENT
// Binary exponent of the error in metres whose code would be 0.
const LOWEST_ERROR_EXPONENT: f32 = -10.0f;
//!end

//!once elevation::tile::texel::error_of_code
// Error in metres of a code.
fn error_of_code(code: u32) -> f32 {
    return exp2(f32(code) * (1.0f / ERROR_CODES_PER_OCTAVE) + LOWEST_ERROR_EXPONENT);
}
//!end

//!once elevation::tile::texel::error_of
// Error in metres of a texel, the low 8 bits. Code 0 is anything below the least error, which is let go.
fn error_of(texel: u32) -> f32 {
    let code = texel & 0xffu;
    if code == 0u {
        return 0.0f;
    }
    return error_of_code(code);
}
//!end
