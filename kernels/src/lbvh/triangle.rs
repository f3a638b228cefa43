//! Does a ray meet a triangle, without leaks? Twin: `lbvh/triangle.wgsl`, which derives it.

use super::{
    aabb::Aabb,
    ray::{Hit, Sight, rotate},
};
use crate::Element;

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
    pub(super) fn hit(&self, sight: &Sight, primitive: u32, best: Hit) -> Hit {
        let sheared = |corner: [f32; 3]| {
            let [x, y, z] = rotate(std::array::from_fn(|i| corner[i] - sight.origin[i]), sight.axis);
            [x - sight.shear[0] * z, y - sight.shear[1] * z, z]
        };
        let (p, q, r) = (sheared(self.a), sheared(self.b), sheared(self.c));
        let (of_a, of_b, of_c) = (edge(r, q), edge(p, r), edge(q, p));
        let all = [of_a, of_b, of_c];
        if all.iter().any(|(one, other)| one > other) && all.iter().any(|(one, other)| one < other) {
            return best;
        }
        let [of_a, of_b, of_c] = all.map(|(one, other)| one - other);
        let area = of_a + of_b + of_c;
        if area == 0.0 {
            return best;
        }
        let inverse = 1.0 / area;
        let t = (of_a * p[2] + of_b * q[2] + of_c * r[2]) * inverse * sight.shear[2];
        let nearer = t < best.t || (t == best.t && primitive < best.primitive);
        if t >= sight.t_min && nearer { Hit { t, primitive, u: of_b * inverse, v: of_c * inverse } } else { best }
    }
}

/// The two products whose order says on which side of an edge the origin lies.
#[inline]
fn edge(a: [f32; 3], b: [f32; 3]) -> (f32, f32) {
    (a[0] * b[1], b[0] * a[1])
}
