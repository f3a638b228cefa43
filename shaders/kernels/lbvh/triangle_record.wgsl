// How is a triangle kept in a buffer? Nine floats: `vec3f` would be 16 bytes apart. By hand, as Rust has arrays:
// the same bytes as `kernels::lbvh::Triangle`.

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

fn triangle_of(a: vec3f, b: vec3f, c: vec3f) -> Triangle {
    return Triangle(a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z);
}

fn triangle_a(triangle: Triangle) -> vec3f {
    return vec3f(triangle.a_x, triangle.a_y, triangle.a_z);
}

fn triangle_b(triangle: Triangle) -> vec3f {
    return vec3f(triangle.b_x, triangle.b_y, triangle.b_z);
}

fn triangle_c(triangle: Triangle) -> vec3f {
    return vec3f(triangle.c_x, triangle.c_y, triangle.c_z);
}
