//! Which of a node's two children does a ray meet, and where? Both at once, a lane for each side of a box: the CPU's form of
//! [`lbvh_enter`] twice.

use super::{
    node::LbvhNode,
    ray::Ray,
    sight::{LBVH_FAR, LBVH_SLACK, LbvhSight, lbvh_enter, lbvh_sight},
};
use glam::{Mat4, Vec3, Vec4, Vec4Swizzles};

/// What children are asked with.
pub(super) struct Probe {
    pub sight: LbvhSight,
    /// Whether the ray stands still along no axis.
    moves: bool,
}

impl Probe {
    #[inline]
    pub fn of(ray: &Ray) -> Self {
        let sight = lbvh_sight(*ray);
        Self { sight, moves: sight.inverse.cmpne(Vec3::ZERO).all() }
    }

    /// Where the ray enters the boxes of a node's children, as [`lbvh_enter`] says for each: the same operations on the same
    /// numbers.
    #[inline(always)]
    pub fn enter_children(&self, node: &LbvhNode, t_max: f32) -> (f32, f32) {
        let Self { sight, moves } = self;
        if !moves {
            let enter = |low: [f32; 3], high: [f32; 3]| lbvh_enter(*sight, low.into(), high.into(), t_max);
            return (enter(node.left_low, node.left_high), enter(node.right_low, node.right_high));
        }
        // Low and high of the left, low and high of the right, axis by axis; then the words between them.
        let rows: &[f32; 16] = bytemuck::cast_ref(node);
        let sides = Mat4::from_cols_array(rows).transpose();
        let from = |axis: usize| sides.col(axis) - Vec4::splat(sight.origin[axis]);
        let (x, y, z) = (from(0), from(1), from(2));
        let reach = x.abs().max(y.abs()).max(z.abs());
        let slack = reach.max(reach.yxwz()) * (LBVH_SLACK * Vec4::new(-1.0, 1.0, -1.0, 1.0));
        let cut = |from: Vec4, inverse: f32| (from + slack) * inverse;
        let (x, y, z) = (cut(x, sight.inverse.x), cut(y, sight.inverse.y), cut(z, sight.inverse.z));
        let begin = x.min(x.yxwz()).max(y.min(y.yxwz())).max(z.min(z.yxwz())).max(Vec4::splat(sight.t_min));
        let end = x.max(x.yxwz()).min(y.max(y.yxwz())).min(z.max(z.yxwz())).min(Vec4::splat(t_max));
        let there = |low: [f32; 3], high: [f32; 3], begin: f32, end: f32| {
            if begin <= end && low[0] <= high[0] { begin } else { LBVH_FAR }
        };
        (there(node.left_low, node.left_high, begin.x, end.x), there(node.right_low, node.right_high, begin.z, end.z))
    }
}
