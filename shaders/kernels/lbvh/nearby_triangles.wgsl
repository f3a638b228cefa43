// Which primitives are near a point? Triangles of a buffer.

//!import kernels/lbvh/triangles_bound
//!import kernels/lbvh/distance

fn lbvh_near_primitive(point: vec3f, primitive: u32, best: LbvhHit) -> LbvhHit {
    let t = triangles[params.aux_first + primitive];
    return lbvh_near_triangle(point, triangle_a(t), triangle_b(t), triangle_c(t), primitive, best);
}
