//! Does a ray meet a triangle, without leaks along edges and at corners? As device functions: what CPU and GPU compute from one
//! source. `shaders/kernels/lbvh/triangle.wgsl` is generated from this file, which a test compares.
//!
//! Woop, Benthin & Wald 2013, "Watertight Ray/Triangle Intersection": move the ray to the z axis by a shear that depends on the
//! ray alone. Then ask on which side of each edge the origin lies: a.x b.y > b.x a.y. The two rounded products are compared,
//! not subtracted. Rounding keeps order, so a comparison is never wrong, at most undecided (equal: on the edge, which counts as
//! inside); and two triangles at an edge compare the same two products. A compiler that contracts a subtraction of products to
//! a fused multiply-add would break both; a comparison leaves it nothing to contract.

use super::{
    aabb::Aabb,
    prepared_ray::{LbvhPreparedRay, lbvh_rotate},
    ray::{Hit, Hit as LbvhHit},
};
use crate::{Element, device};
use glam::Vec3;

/// A triangle, 36 bytes. Neighbours must have the same bits at the corners they share: then no ray passes between them.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Triangle {
    /// One corner.
    pub a: [f32; 3],
    /// The next.
    pub b: [f32; 3],
    /// The last.
    pub c: [f32; 3],
}

impl Element for Triangle {
    const TYPE: &'static str = "Triangle";
    const DECLARATION: &'static str = "//!import kernels/lbvh/triangle_record";
}

impl Triangle {
    /// The box around it; empty if a coordinate is not a number.
    pub fn bounds(&self) -> Aabb {
        let corners = [self.a, self.b, self.c];
        if corners.as_flattened().iter().any(|x| x.is_nan()) { Aabb::EMPTY } else { Aabb::around(corners) }
    }

    /// `best`, or the hit of this triangle where that is nearer; of equally near ones, the smaller number.
    #[inline(always)]
    pub(super) fn hit(&self, ray: &LbvhPreparedRay, primitive: u32, best: Hit) -> Hit {
        let [a, b, c] = self.corners();
        lbvh_hit_triangle(*ray, a, b, c, primitive, best)
    }

    /// As vectors.
    #[inline(always)]
    pub(super) fn corners(&self) -> [Vec3; 3] {
        [self.a.into(), self.b.into(), self.c.into()]
    }
}

/// On which side of an edge the ray passes, seen along it, and twice the area that edge and ray span.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LbvhEdge {
    /// On the one side.
    pub above: bool,
    /// On the other.
    pub below: bool,
    /// With the sign of the side, but rounded.
    pub area: f32,
}

/// The two rounded products are compared, not their difference: rounding keeps order.
#[device]
#[inline(always)]
pub fn lbvh_edge(a: Vec3, b: Vec3) -> LbvhEdge {
    let one = a.x * b.y;
    let other = b.x * a.y;
    LbvhEdge { above: one > other, below: one < other, area: one - other }
}

/// A corner as the ray sees it, which comes along the z axis.
#[device]
#[inline(always)]
pub fn lbvh_sheared(ray: LbvhPreparedRay, corner: Vec3) -> Vec3 {
    let seen: Vec3 = lbvh_rotate(corner - ray.origin, ray.axis);
    Vec3::new(seen.x - ray.shear.x * seen.z, seen.y - ray.shear.y * seen.z, seen.z)
}

/// `best`, or the hit of this triangle where that is nearer; of equally near ones, the smaller number.
#[device]
#[inline(always)]
pub fn lbvh_hit_triangle(ray: LbvhPreparedRay, a: Vec3, b: Vec3, c: Vec3, primitive: u32, best: LbvhHit) -> LbvhHit {
    let p: Vec3 = lbvh_sheared(ray, a);
    let q: Vec3 = lbvh_sheared(ray, b);
    let r: Vec3 = lbvh_sheared(ray, c);
    let of_a: LbvhEdge = lbvh_edge(r, q);
    let of_b: LbvhEdge = lbvh_edge(p, r);
    let of_c: LbvhEdge = lbvh_edge(q, p);
    if (of_a.above || of_b.above || of_c.above) && (of_a.below || of_b.below || of_c.below) {
        return best;
    }
    let area: f32 = of_a.area + of_b.area + of_c.area;
    if area == 0.0 {
        return best;
    }
    let inverse = 1.0 / area;
    let t = (of_a.area * p.z + of_b.area * q.z + of_c.area * r.z) * inverse * ray.shear.z;
    let nearer = t < best.t || (t == best.t && primitive < best.primitive);
    if !(t >= ray.t_min && nearer) {
        return best;
    }
    LbvhHit { t, primitive, u: of_b.area * inverse, v: of_c.area * inverse }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lbvh::generated;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        let question =
            "Does a ray meet a triangle, without leaks along edges and at corners? (Woop, Benthin & Wald 2013)";
        let imports = [("kernels/lbvh/ray", generated::RAY)];
        generated::check("triangle.wgsl", question, "triangle", &imports, lbvh_hit_triangle::WGSL);
    }
}
