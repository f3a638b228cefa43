//!import terrain/bisection
//!import terrain/place
// Where is a vertex, seen from the eye? Evaluates, in f32, what terrain/src/expansion.rs prepares in f64.

struct PlacedPoint {
    // Point at the base height minus eye, metres.
    position_m: vec3f,
    // Unit geodetic normal.
    normal: vec3f,
}

@group(2) @binding(0) var<uniform> planet: PlanetView;

// A vertex of the bisection at height `height_m`, relative to the eye. A pure function of the point and the view.
fn place(point: vec3u, height_m: f32) -> PlacedPoint {
    var placed = place_on(on_face(point));
    placed.position_m += (height_m - planet.base_m) * placed.normal;
    return placed;
}

// The point at the base height above face coordinates. The same place by another face's coordinates may differ in rounding: where
// triangles share a vertex, take its canonical face.
fn place_on(p: FacePoint) -> PlacedPoint {
    let du = i32(p.u) - i32(planet.faces[p.face].anchor.x);
    let dv = i32(p.v) - i32(planet.faces[p.face].anchor.y);
    if max(abs(du), abs(dv)) <= i32(planet.faces[p.face].reach) {
        return place_near(p.face, vec2f(f32(du), f32(dv)) * (2.0 / f32(ONE)));
    }
    return place_far(p);
}

fn place_near(face: u32, offset: vec2f) -> PlacedPoint {
    return PlacedPoint(cubic(offset, planet.faces[face].position), cubic(offset, planet.faces[face].normal));
}

fn place_far(p: FacePoint) -> PlacedPoint {
    let normal = normal_of(p);
    return PlacedPoint(ellipsoid_m(normal) + planet.base_m * normal - planet.eye_m, normal);
}
