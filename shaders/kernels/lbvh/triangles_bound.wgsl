// What are the primitives? Triangles of a buffer, nine floats each.

//!import kernels/params
//!import kernels/lbvh/triangle

struct Triangle {
    a_x: f32,
    a_y: f32,
    a_z: f32,
    b_x: f32,
    b_y: f32,
    b_z: f32,
    c_x: f32,
    c_y: f32,
    c_z: f32,
}

@group(0) @binding(4) var<storage, read> triangles: array<Triangle>;

fn lbvh_hit(sight: LbvhSight, primitive: u32, best: LbvhHit) -> LbvhHit {
    let t = triangles[params.aux_first + primitive];
    let a = vec3f(t.a_x, t.a_y, t.a_z);
    let b = vec3f(t.b_x, t.b_y, t.b_z);
    let c = vec3f(t.c_x, t.c_y, t.c_z);
    return lbvh_hit_triangle(sight, a, b, c, primitive, best);
}
