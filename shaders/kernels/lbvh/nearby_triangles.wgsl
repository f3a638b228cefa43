// How far is a triangle from a point? The foot of the perpendicular if it lies inside, or the nearest point of the nearest side.
// Twin: kernels/src/lbvh/near.rs.

//!import kernels/lbvh/triangles_bound

// Where on the way from 0 to `side` the nearest point to `point` lies, 0 to 1; 0 where the side has no length.
fn lbvh_along(point: vec3f, side: vec3f) -> f32 {
    let length = dot(side, side);
    return select(clamp(dot(point, side) / length, 0.0, 1.0), 0.0, length == 0.0);
}

fn lbvh_nearer(apart: vec3f, primitive: u32, u: f32, v: f32, best: LbvhHit) -> LbvhHit {
    let square = dot(apart, apart);
    let nearer = square < best.t || (square == best.t && primitive < best.primitive);
    if !nearer {
        return best;
    }
    return LbvhHit(square, primitive, u, v);
}

fn lbvh_near_primitive(point: vec3f, primitive: u32, best: LbvhHit) -> LbvhHit {
    let t = triangles[params.aux_first + primitive];
    let a = triangle_a(t);
    let ab = triangle_b(t) - a;
    let ac = triangle_c(t) - a;
    let ap = point - a;
    let normal = cross(ab, ac);
    let area = dot(normal, normal);
    let u = dot(cross(ap, ac), normal) / area;
    let v = dot(cross(ab, ap), normal) / area;
    if area > 0.0 && u >= 0.0 && v >= 0.0 && u + v <= 1.0 {
        return lbvh_nearer(ap - u * ab - v * ac, primitive, u, v, best);
    }
    let of_ab = lbvh_along(ap, ab);
    let of_ac = lbvh_along(ap, ac);
    let of_bc = lbvh_along(ap - ab, ac - ab);
    var nearest = lbvh_nearer(ap - of_ab * ab, primitive, of_ab, 0.0, best);
    nearest = lbvh_nearer(ap - of_ac * ac, primitive, 0.0, of_ac, nearest);
    return lbvh_nearer(ap - ab - of_bc * (ac - ab), primitive, 1.0 - of_bc, of_bc, nearest);
}
