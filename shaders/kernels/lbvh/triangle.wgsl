// Does a ray meet a triangle? Without leaks along edges and at corners.
//
// Woop, Benthin & Wald 2013, "Watertight Ray/Triangle Intersection": move the ray to the z axis by a shear that depends on the
// ray alone, then ask on which side of each edge the origin lies: a.x b.y > b.x a.y. The two rounded products are compared,
// not subtracted. Rounding keeps order, so a comparison is never wrong, at most undecided (equal: on the edge, which
// counts as inside); and two triangles at an edge compare the same two products. A compiler that contracts a subtraction of
// products to a fused multiply-add would break both; a comparison leaves it nothing to contract.
// Twin: kernels/src/lbvh/triangle.rs.

//!import kernels/lbvh/ray

struct LbvhEdge {
    above: bool,
    below: bool,
    area: f32,
}

fn lbvh_edge(a: vec3f, b: vec3f) -> LbvhEdge {
    let one = a.x * b.y;
    let other = b.x * a.y;
    return LbvhEdge(one > other, one < other, one - other);
}

fn lbvh_sheared(sight: LbvhSight, corner: vec3f) -> vec3f {
    let seen = lbvh_rotate(corner - sight.origin, sight.axis);
    return vec3f(seen.x - sight.shear.x * seen.z, seen.y - sight.shear.y * seen.z, seen.z);
}

// `best`, or the hit of this triangle where that is nearer; of equally near ones, the smaller number.
fn lbvh_hit_triangle(sight: LbvhSight, a: vec3f, b: vec3f, c: vec3f, primitive: u32, best: LbvhHit) -> LbvhHit {
    let p = lbvh_sheared(sight, a);
    let q = lbvh_sheared(sight, b);
    let r = lbvh_sheared(sight, c);
    let of_a = lbvh_edge(r, q);
    let of_b = lbvh_edge(p, r);
    let of_c = lbvh_edge(q, p);
    if (of_a.above || of_b.above || of_c.above) && (of_a.below || of_b.below || of_c.below) {
        return best;
    }
    let area = of_a.area + of_b.area + of_c.area;
    if area == 0.0 {
        return best;
    }
    let inverse = 1.0 / area;
    let t = (of_a.area * p.z + of_b.area * q.z + of_c.area * r.z) * inverse * sight.shear.z;
    let nearer = t < best.t || (t == best.t && primitive < best.primitive);
    if !(t >= sight.t_min && nearer) {
        return best;
    }
    return LbvhHit(t, primitive, of_b.area * inverse, of_c.area * inverse);
}
