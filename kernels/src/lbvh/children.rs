//! Which of a node's two children does a ray meet, and where? Both at once, a lane for each side of a box.
//!
//! Boxes are widened by [`LBVH_SLACK`] of their distance, so that no triangle is missed because of its box (Ize 2013, "Robust BVH Ray
//! Traversal"; Woop, Benthin & Wald 2013, section 4). On a device: `shaders/kernels/lbvh/probe.wgsl`.

use super::{
    node::LbvhNode,
    prepared_ray::{LBVH_FAR, LBVH_SLACK, LbvhPreparedRay, lbvh_prepare_ray},
    ray::Ray,
};
use glam::{Mat4, Vec3, Vec4, Vec4Swizzles};

/// What children are asked with.
pub(super) struct Probe {
    pub prepared: LbvhPreparedRay,
    /// Whether the ray stands still along no axis.
    moves: bool,
}

impl Probe {
    #[inline]
    pub fn of(ray: &Ray) -> Self {
        let prepared = lbvh_prepare_ray(*ray);
        Self { prepared, moves: prepared.inverse.cmpne(Vec3::ZERO).all() }
    }

    /// Where the ray enters the boxes of a node's children, at least `t_min`; [`LBVH_FAR`] where it does not meet one before `t_max`.
    #[inline(always)]
    pub fn enter_children(&self, node: &LbvhNode, t_max: f32) -> (f32, f32) {
        if self.moves { self.enter::<true>(node, t_max) } else { self.enter::<false>(node, t_max) }
    }

    /// `MOVES` where it stands still along no axis.
    #[inline(always)]
    fn enter<const MOVES: bool>(&self, node: &LbvhNode, t_max: f32) -> (f32, f32) {
        let prepared = &self.prepared;
        // Low and high of the left, low and high of the right, axis by axis; then the words between them.
        let rows: &[f32; 16] = bytemuck::cast_ref(node);
        let sides = Mat4::from_cols_array(rows).transpose();
        let from = |axis: usize| sides.col(axis) - Vec4::splat(prepared.origin[axis]);
        let (x, y, z) = (from(0), from(1), from(2));
        let reach = x.abs().max(y.abs()).max(z.abs());
        let outwards = Vec4::new(-1.0, 1.0, -1.0, 1.0);
        let slack = reach.max(reach.yxwz()) * (LBVH_SLACK * outwards);
        // Where the ray enters and leaves what lies between the sides of an axis.
        let cut = |from: Vec4, inverse: f32| {
            let side = from + slack;
            if !MOVES && inverse == 0.0 {
                let inside = (side * outwards).min(side.yxwz() * outwards.yxwz()).cmpge(Vec4::ZERO);
                let end = Vec4::select(inside, Vec4::splat(LBVH_FAR), Vec4::splat(-LBVH_FAR));
                return (-end, end);
            }
            let t = side * inverse;
            (t.min(t.yxwz()), t.max(t.yxwz()))
        };
        let (x, y, z) = (cut(x, prepared.inverse.x), cut(y, prepared.inverse.y), cut(z, prepared.inverse.z));
        let begin = x.0.max(y.0).max(z.0).max(Vec4::splat(prepared.t_min));
        let end = x.1.min(y.1).min(z.1).min(Vec4::splat(t_max));
        let there = |low: [f32; 3], high: [f32; 3], begin: f32, end: f32| {
            if begin <= end && low[0] <= high[0] { begin } else { LBVH_FAR }
        };
        (there(node.left_low, node.left_high, begin.x, end.x), there(node.right_low, node.right_high, begin.z, end.z))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lbvh::Aabb;

    /// One box by itself.
    fn enter(ray: LbvhPreparedRay, low: Vec3, high: Vec3, t_max: f32) -> f32 {
        if low.x > high.x {
            return LBVH_FAR;
        }
        let mut lower = low - ray.origin;
        let mut upper = high - ray.origin;
        let reach = lower.abs().max(upper.abs());
        let slack = reach.x.max(reach.y.max(reach.z)) * LBVH_SLACK;
        lower -= slack;
        upper += slack;
        let a = lower * ray.inverse;
        let b = upper * ray.inverse;
        let far = Vec3::splat(LBVH_FAR);
        let still = ray.inverse.cmpeq(Vec3::ZERO);
        let inside = lower.cmple(Vec3::ZERO) & upper.cmpge(Vec3::ZERO);
        let begin = Vec3::select(still, Vec3::select(inside, -far, far), a.min(b));
        let end = Vec3::select(still, Vec3::select(inside, far, -far), a.max(b));
        let enters = begin.x.max(begin.y).max(begin.z.max(ray.t_min));
        let leaves = end.x.min(end.y).min(end.z.min(t_max));
        if enters <= leaves { enters } else { LBVH_FAR }
    }

    /// Law: the bits of one box after the other, for rays that stand still along any axes, beside, before and in boxes.
    #[test]
    fn both_boxes_at_once_are_met_as_one_after_the_other() {
        let numbers = [-3.0f32, -1.0, 0.0, 0.7, 2.0];
        let five = |k: usize| numbers[k % 5];
        let mut met = 0;
        for k in 0..5usize.pow(6) {
            let place = [five(k), five(k / 5), five(k / 25)];
            let direction = [k / 125, k / 625, k / 3125].map(|k| [0.0, 1.5, -0.3, 0.0, 4.0][k % 5]);
            let (low, high) = ([-1.0, five(k / 7).min(1.0), -1.0], [five(k / 11).max(-1.0), 1.0, 0.7]);
            let mut node: LbvhNode = bytemuck::Zeroable::zeroed();
            node.set_boxes(
                Aabb { low, high },
                if k % 3 == 0 { Aabb::EMPTY } else { Aabb { low: [0.7; 3], high: [2.0; 3] } },
            );
            let probe = Probe::of(&Ray { t_min: five(k / 13), ..Ray::new(place, direction) });
            let t_max = 2.0 + five(k / 17);
            let one = |bounds: Aabb| enter(probe.prepared, bounds.low.into(), bounds.high.into(), t_max);
            let (left, right) = probe.enter_children(&node, t_max);
            assert_eq!(
                (left, right),
                (one(node.left_box()), one(node.right_box())),
                "{place:?} {direction:?} {node:?}"
            );
            met += usize::from(left != LBVH_FAR) + usize::from(right != LBVH_FAR);
        }
        assert!(met > 1000, "{met}");
    }
}
