// Does a ray meet a triangle, without leaks along edges and at corners? (Woop, Benthin & Wald 2013)
// Generated from kernels/src/lbvh/triangle.rs: ./x generate

//!import kernels/lbvh/ray

//!once kernels::lbvh::triangle::lbvh_sheared
// A corner as the ray sees it, which comes along the z axis.
fn lbvh_sheared(ray: LbvhPreparedRay, corner: vec3f) -> vec3f {
    let seen: vec3f = lbvh_rotate(corner - ray.origin, ray.axis);
    return vec3f(seen.x - ray.shear.x * seen.z, seen.y - ray.shear.y * seen.z, seen.z);
}
//!end

//!once kernels::lbvh::triangle::LbvhEdge
// On which side of an edge the ray passes, seen along it, and twice the area that edge and ray span.
struct LbvhEdge {
    // On the one side.
    above: bool,
    // On the other.
    below: bool,
    // With the sign of the side, but rounded.
    area: f32,
}
//!end

//!once kernels::lbvh::triangle::lbvh_edge
// The two rounded products are compared, not their difference: rounding keeps order.
fn lbvh_edge(a: vec3f, b: vec3f) -> LbvhEdge {
    let one = a.x * b.y;
    let other = b.x * a.y;
    return LbvhEdge((one > other), (one < other), one - other);
}
//!end

//!once kernels::lbvh::triangle::lbvh_hit_triangle
// `best`, or the hit of this triangle where that is nearer; of equally near ones, the smaller number.
fn lbvh_hit_triangle(ray: LbvhPreparedRay, a: vec3f, b: vec3f, c: vec3f, primitive: u32, best: LbvhHit) -> LbvhHit {
    let p: vec3f = lbvh_sheared(ray, a);
    let q: vec3f = lbvh_sheared(ray, b);
    let r: vec3f = lbvh_sheared(ray, c);
    let of_a: LbvhEdge = lbvh_edge(r, q);
    let of_b: LbvhEdge = lbvh_edge(p, r);
    let of_c: LbvhEdge = lbvh_edge(q, p);
    if (of_a.above || of_b.above || of_c.above) && (of_a.below || of_b.below || of_c.below) {
        return best;
    }
    let area: f32 = of_a.area + of_b.area + of_c.area;
    if area == 0.0f {
        return best;
    }
    let inverse = 1.0f / area;
    let t = (of_a.area * p.z + of_b.area * q.z + of_c.area * r.z) * inverse * ray.shear.z;
    let nearer = t < best.t || (t == best.t && primitive < best.primitive);
    if !(t >= ray.t_min && nearer) {
        return best;
    }
    return LbvhHit(t, primitive, of_b.area * inverse, of_c.area * inverse);
}
//!end
