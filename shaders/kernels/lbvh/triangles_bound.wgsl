// What are the primitives? Triangles of a buffer.

//!import kernels/params
//!import kernels/lbvh/triangle
//!import kernels/lbvh/triangle_record

@group(0) @binding(4) var<storage, read> triangles: array<Triangle>;

fn lbvh_hit(ray: LbvhPreparedRay, primitive: u32, best: LbvhHit) -> LbvhHit {
    let t = triangles[params.aux_first + primitive];
    return lbvh_hit_triangle(ray, triangle_a(t), triangle_b(t), triangle_c(t), primitive, best);
}
