//! Which of four triangles does a ray meet first? The watertight test of `lbvh/triangle.rs`, a lane for each.

use crate::lbvh::{
    Triangle,
    prepared_ray::{LbvhPreparedRay, lbvh_rotate},
    ray::Hit,
};
use glam::Vec4;

/// Triangles of a block at most.
pub(super) const BLOCK: usize = 4;

/// Triangles that are neighbours in the order of the tree, 160 bytes.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Block {
    /// Corner by corner, axis by axis. Unused lanes are NaN, which nothing meets.
    corners: [[Vec4; 3]; 3],
    primitives: [u32; BLOCK],
}

impl Block {
    /// Of one to [`BLOCK`] of the triangles.
    pub fn of(primitives: &[u32], triangles: &[Triangle]) -> Self {
        let mut block = Self { corners: [[Vec4::NAN; 3]; 3], primitives: [Hit::MISS; BLOCK] };
        for (lane, &primitive) in primitives.iter().enumerate() {
            let Triangle { a, b, c } = triangles[primitive as usize];
            for (lanes, corner) in block.corners.iter_mut().zip([a, b, c]) {
                for axis in 0..3 {
                    lanes[axis][lane] = corner[axis];
                }
            }
            block.primitives[lane] = primitive;
        }
        block
    }

    /// `best`, or the nearest hit of these triangles where that is nearer; of equally near ones, the smaller number. The
    /// operations of [`lbvh_hit_triangle`](crate::lbvh::triangle::lbvh_hit_triangle()) in their order, so the same bits.
    #[inline(always)]
    pub fn hit(&self, ray: &LbvhPreparedRay, best: Hit) -> Hit {
        let [x, y, z] = AXES[ray.axis as usize];
        let origin = lbvh_rotate(ray.origin, ray.axis).to_array().map(Vec4::splat);
        let [shear_x, shear_y, t_of_z] = ray.shear.to_array().map(Vec4::splat);
        let [p, q, r] = [0, 1, 2].map(|corner| {
            let corner = &self.corners[corner];
            let z = corner[z] - origin[2];
            [corner[x] - origin[0] - shear_x * z, corner[y] - origin[1] - shear_y * z, z]
        });
        let all = [edge(r, q), edge(p, r), edge(q, p)];
        let [above_a, above_b, above_c] = all.map(|(one, other)| one.cmpgt(other));
        let [below_a, below_b, below_c] = all.map(|(one, other)| one.cmplt(other));
        let passes = (above_a | above_b | above_c) & (below_a | below_b | below_c);
        if passes.all() {
            return best;
        }
        let [of_a, of_b, of_c] = all.map(|(one, other)| one - other);
        let area = of_a + of_b + of_c;
        let inverse = Vec4::ONE / area;
        let t = (of_a * p[2] + of_b * q[2] + of_c * r[2]) * inverse * t_of_z;
        let in_range = t.cmpge(Vec4::splat(ray.t_min)) & t.cmple(Vec4::splat(best.t));
        let meets = in_range & !(passes | area.cmpeq(Vec4::ZERO));
        let (t, u, v) = (t.to_array(), (of_b * inverse).to_array(), (of_c * inverse).to_array());
        let (mut nearest, mut lanes) = (best, meets.bitmask());
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize % BLOCK;
            lanes &= lanes - 1;
            let (t, primitive) = (t[lane], self.primitives[lane]);
            if t < nearest.t || (t == nearest.t && primitive < nearest.primitive) {
                nearest = Hit { t, primitive, u: u[lane], v: v[lane] };
            }
        }
        nearest
    }
}

/// Which axes are x, y and z after [`lbvh_rotate()`].
const AXES: [[usize; 3]; 3] = [[1, 2, 0], [2, 0, 1], [0, 1, 2]];

/// The two products whose order says on which side of an edge the origin lies.
#[inline(always)]
fn edge(a: [Vec4; 3], b: [Vec4; 3]) -> (Vec4, Vec4) {
    (a[0] * b[1], b[0] * a[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn axes_are_those_that_rotate_makes() {
        for (axis, axes) in AXES.into_iter().enumerate() {
            let turned = lbvh_rotate(Vec3::new(0.0, 1.0, 2.0), axis as u32);
            assert_eq!(turned.to_array(), axes.map(|axis| axis as f32));
        }
    }
}
