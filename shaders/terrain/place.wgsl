// What is known of the eye, and where are face coordinates, in f32? No builtin tan: its precision is not specified.
// Generated from terrain/src/expansion/place.rs: ./x generate

//!once terrain::expansion::place::FaceExpansion
// One face of the cube as the GPU reads it.
struct FaceExpansion {
    // Position at the base height minus eye, metres: coefficients of 1, x, y, x^2, xy, y^2, x^3, x^2 y, x y^2, y^3, offsets
    // in units of half a face.
    position: array<vec4f, 10>,
    // Unit geodetic normal, likewise.
    normal: array<vec4f, 10>,
    // Integer face coordinates of the anchor.
    anchor: vec2u,
    // Offset in integer units up to which the expansion is used.
    reach: u32,
    // Fills the struct to a multiple of 16 bytes.
    padding: u32,
}
//!end

//!once terrain::expansion::place::PlanetView
// What the GPU needs to place vertices for one eye.
struct PlanetView {
    // The six faces.
    faces: array<FaceExpansion, 6>,
    // Eye, ECEF metres, for vertices far away.
    eye_m: vec3f,
    // Height of positions that are given without one, metres above the ellipsoid.
    base_m: f32,
    // What heights of texels are multiplied by: `height_scale`(crate::tile::height_scale).
    height_scale: f32,
    // Fills the struct, with the next one, to a multiple of 16 bytes.
    padding: u32,
    // See there.
    more_padding: vec2u,
}
//!end

//!once terrain::expansion::place::cubic
// Sum of the terms of an expansion, small ones first.
fn cubic(offset: vec2f, terms: array<vec4f, 10>) -> vec3f {
    let x = offset.x;
    let y = offset.y;
    let cubes = x * (x * (x * terms[6u] + y * terms[7u]) + y * y * terms[8u]) + y * y * y * terms[9u];
    let squares = x * (x * terms[3u] + y * terms[4u]) + y * y * terms[5u];
    let sum = terms[0u] + (x * terms[1u] + y * terms[2u] + (squares + cubes));
    return sum.xyz;
}
//!end

//!once elevation::cube::face::ONE
// Integer coordinate of the far side of the cube: 2^30 units per edge, about 9.3 mm on the Earth.
const ONE: u32 = 1u << 30u;
//!end

//!once terrain::expansion::place::warp
// tan(pi/4 s) of an integer face coordinate, as the quotient of the Taylor polynomials of sine and cosine: on |x| <= pi/4
// they are exact to f32.
fn warp(i: u32) -> f32 {
    let middle = ONE / 2u;
    let offset = i32(i) - i32(middle);
    let x = f32(offset) * (1.5707964f / 1073741800.0f);
    let z = x * x;
    let sine = x * (1.0f + z * (-1.0f / 6.0f + z * (1.0f / 120.0f + z * (-1.0f / 5040.0f + z * (1.0f / 362880.0f)))));
    let cosine = 1.0f + z * (-0.5f + z * (1.0f / 24.0f + z * (-1.0f / 720.0f + z * (1.0f / 40320.0f + z * (-1.0f / 3628800.0f)))));
    return sine / cosine;
}
//!end

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

//!once terrain::expansion::place::normal_of
// Unit geodetic normal of face coordinates.
fn normal_of(p: FacePoint) -> vec3f {
    let u = warp(p.u);
    let v = warp(p.v);
    let axis: u32 = p.face >> 1u;
    let next = (axis + 1u) % 3u;
    let last = (axis + 2u) % 3u;
    var direction = vec3f(0.0f);
    if (p.face & 1) == 0 {
        direction[axis] = 1.0f;
        direction[next] = u;
        direction[last] = v;
    } else {
        direction[axis] = -1.0f;
        direction[last] = u;
        direction[next] = v;
    }
    return normalize(direction);
}
//!end

//!once elevation::geodesy::single::AXIS_RATIO_SQUARED
// The square of that.
const AXIS_RATIO_SQUARED: f32 = 0.9933056f;
//!end

//!once elevation::geodesy::single::SEMI_MAJOR_M
// Semi-major axis, metres.
const SEMI_MAJOR_M: f32 = 6378137.0f;
//!end

//!once terrain::expansion::place::ellipsoid_m
// Point of the ellipsoid with a unit geodetic normal, ECEF metres.
fn ellipsoid_m(normal: vec3f) -> vec3f {
    let scaled = normal * vec3f(1.0f, 1.0f, AXIS_RATIO_SQUARED);
    return scaled * (SEMI_MAJOR_M / sqrt(dot(scaled, normal)));
}
//!end
