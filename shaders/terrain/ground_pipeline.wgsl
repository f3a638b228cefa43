//!import terrain/vertex
//!import terrain/shade
//!variant by_height terrain/shade=terrain/shade_by_height
// How does the ground reach a shader of the caller's? `terrain/shade` is a virtual module with `fn shade(ground: Ground) -> vec4f`.

struct Ground {
    @builtin(position) pixel: vec4f,
    // Metres relative to the eye, ECEF axes.
    @location(0) position_m: vec3f,
    // Metres above the datum.
    @location(1) height_m: f32,
    // Geodetic normal, about a unit long.
    @location(2) up: vec3f,
    // Normal of the relief where vertices have one, else of the triangle; about a unit long.
    @location(3) normal: vec3f,
}

@group(0) @binding(0) var<uniform> clip_from_eye: mat4x4f;

@vertex
fn ground_vertex(vertex: TerrainVertex) -> Ground {
    let clip = clip_from_eye * vec4f(vertex.position_m, 1.0);
    return Ground(clip, vertex.position_m, vertex.height_m, vertex.direction, vertex.surface_normal.xyz);
}

@fragment
fn ground_fragment(in: Ground) -> @location(0) vec4f {
    let outward = cross(dpdy(in.position_m), dpdx(in.position_m));
    let has_normal = dot(in.normal, in.normal) > 0.25;
    var ground = in;
    ground.normal = select(outward * inverseSqrt(max(dot(outward, outward), 1e-30)), in.normal, has_normal);
    return shade(ground);
}
