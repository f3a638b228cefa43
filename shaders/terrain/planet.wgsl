//!import terrain/bisection
// Where is a vertex, seen from the eye? Evaluates, in f32, what terrain/src/expansion.rs prepares in f64; here only, the
// CPU has its positions in f64. No builtin tan: its precision is not specified.

struct FaceExpansion {
    // Coefficients of 1, x, y, x^2, xy, y^2, x^3, x^2 y, x y^2, y^3.
    position: array<vec4f, 10>,
    normal: array<vec4f, 10>,
    anchor: vec2u,
    reach: u32,
    padding: u32,
}

struct PlanetView {
    faces: array<FaceExpansion, 6>,
    eye_m: vec3f,
    // Height at which positions lie that are given without one, metres.
    base_m: f32,
}

struct Placed {
    // Point at the base height minus eye, metres.
    position_m: vec3f,
    // Unit geodetic normal.
    normal: vec3f,
}

@group(2) @binding(0) var<uniform> planet: PlanetView;

const SEMI_MAJOR_M: f32 = 6378137.0;
// (b / a)^2 of WGS84.
const AXIS_RATIO_SQUARED: f32 = 0.99330562;

// A vertex of the bisection at height `height_m`, relative to the eye. A pure function of the point and the view.
fn place(point: vec3u, height_m: f32) -> Placed {
    var placed = place_on(on_face(point));
    placed.position_m += (height_m - planet.base_m) * placed.normal;
    return placed;
}

// The point at the base height above face coordinates. The same place by another face's coordinates may differ in rounding: where
// triangles share a vertex, take its canonical face.
fn place_on(p: FacePoint) -> Placed {
    let du = i32(p.u) - i32(planet.faces[p.face].anchor.x);
    let dv = i32(p.v) - i32(planet.faces[p.face].anchor.y);
    if max(abs(du), abs(dv)) <= i32(planet.faces[p.face].reach) {
        return place_near(p.face, vec2f(f32(du), f32(dv)) * (2.0 / f32(ONE)));
    }
    return place_far(p);
}

fn place_near(face: u32, offset: vec2f) -> Placed {
    return Placed(cubic(offset, planet.faces[face].position), cubic(offset, planet.faces[face].normal));
}

// Sum of the terms of FaceExpansion, small ones first.
fn cubic(offset: vec2f, terms: array<vec4f, 10>) -> vec3f {
    let x = offset.x;
    let y = offset.y;
    let cubes = x * (x * (x * terms[6] + y * terms[7]) + y * y * terms[8]) + y * y * y * terms[9];
    let squares = x * (x * terms[3] + y * terms[4]) + y * y * terms[5];
    return (terms[0] + ((x * terms[1] + y * terms[2]) + (squares + cubes))).xyz;
}

fn place_far(p: FacePoint) -> Placed {
    let warped = vec2f(warp(p.u), warp(p.v));
    let axis = p.face >> 1u;
    var direction = vec3f(0.0);
    if (p.face & 1u) == 0u {
        direction[axis] = 1.0;
        direction[(axis + 1u) % 3u] = warped.x;
        direction[(axis + 2u) % 3u] = warped.y;
    } else {
        direction[axis] = -1.0;
        direction[(axis + 2u) % 3u] = warped.x;
        direction[(axis + 1u) % 3u] = warped.y;
    }
    let normal = direction * inverseSqrt(dot(direction, direction));
    let scaled = normal * vec3f(1.0, 1.0, AXIS_RATIO_SQUARED);
    let ellipsoid_m = scaled * (SEMI_MAJOR_M * inverseSqrt(dot(scaled, normal)));
    return Placed(ellipsoid_m + planet.base_m * normal - planet.eye_m, normal);
}

// tan(pi/4 s) of an integer face coordinate, as the quotient of the Taylor polynomials of sine and cosine: on
// |x| <= pi/4 they are exact to f32.
fn warp(i: u32) -> f32 {
    let x = f32(i32(i) - i32(ONE / 2u)) * (1.5707963267948966 / f32(ONE));
    let z = x * x;
    let sine = x * (1.0 + z * (-1.0 / 6.0 + z * (1.0 / 120.0 + z * (-1.0 / 5040.0 + z * (1.0 / 362880.0)))));
    let cosine = 1.0 + z * (-0.5 + z * (1.0 / 24.0 + z * (-1.0 / 720.0 + z * (1.0 / 40320.0 + z * (-1.0 / 3628800.0)))));
    return sine / cosine;
}
