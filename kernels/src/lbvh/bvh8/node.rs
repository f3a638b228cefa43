//! Which of eight boxes does a ray meet, and where? A lane for each.

use super::lanes::{LANES, Lanes};
use crate::lbvh::{
    aabb::Aabb,
    node::LBVH_NONE as NONE,
    prepared_ray::{LBVH_SLACK, LBVH_STILL},
    ray::Ray,
};

/// An inner node with the boxes of its children, 224 bytes. Node 0 is the root.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Node {
    /// Low and high sides, axis by axis.
    planes: [[f32; LANES]; 6],
    /// A node, or a block with bit 31 set, or none, whose box no ray meets.
    pub children: [u32; LANES],
}

impl Node {
    /// Without children.
    pub const EMPTY: Self = Self {
        planes: {
            let (low, high) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
            [low, high, low, high, low, high]
        },
        children: [NONE; LANES],
    };

    pub fn set(&mut self, lane: usize, bounds: Aabb, child: u32) {
        for axis in 0..3 {
            self.planes[2 * axis][lane] = bounds.low[axis];
            self.planes[2 * axis + 1][lane] = bounds.high[axis];
        }
        self.children[lane] = child;
    }

    /// Where the ray enters each box, and a bit for each that it meets before `t_max`.
    #[inline(always)]
    pub fn enter(&self, probe: &Probe, t_max: f32) -> (Lanes, u32) {
        let cut = |plane: usize, origin: f32, inverse: f32| {
            (Lanes::load(&self.planes[plane]) - Lanes::splat(origin)) * Lanes::splat(inverse)
        };
        let near = |axis: usize| cut(probe.near[axis], probe.before[axis], probe.inverse[axis]);
        let far = |axis: usize| cut(probe.near[axis] ^ 1, probe.behind[axis], probe.inverse[axis]);
        let begin = near(0).max(near(1)).max(near(2).max(Lanes::splat(probe.t_min)));
        let end = far(0).min(far(1)).min(far(2).min(Lanes::splat(t_max)));
        (begin, begin.at_most(end))
    }
}

/// What boxes are asked with, once for each ray.
///
/// Boxes count as wider by 2^-20 of the distance to the farthest side of the scene, so never by less than in the binary tree
/// ([`children`](crate::lbvh::children)), for the reason given there. As that is one number for all boxes, the
/// origin moves instead: along the ray for the sides where it enters, back for those where it leaves.
pub(super) struct Probe {
    /// The origin, moved along.
    before: [f32; 3],
    /// The origin, moved back.
    behind: [f32; 3],
    /// 1 / direction. Where the ray stands still, so large that boxes beside it begin after they end, and boxes around it begin
    /// before and end after all that can be met.
    inverse: [f32; 3],
    /// The planes where the ray enters.
    near: [usize; 3],
    t_min: f32,
}

impl Probe {
    /// Of a valid ray in a scene within `bounds`.
    pub fn of(ray: &Ray, bounds: &Aabb) -> Self {
        let reach = |axis: usize| {
            let origin = ray.origin[axis];
            (bounds.low[axis] - origin).abs().max((bounds.high[axis] - origin).abs())
        };
        let slack = LBVH_SLACK * reach(0).max(reach(1)).max(reach(2));
        // Outwards by one more number: beside a large coordinate the slack may be rounded away.
        let (less, more) = (ray.origin.map(|x| (x - slack).next_down()), ray.origin.map(|x| (x + slack).next_up()));
        let moves = ray.direction.map(|x| x.abs() >= LBVH_STILL);
        let back: [bool; 3] = std::array::from_fn(|axis| moves[axis] && ray.direction[axis] < 0.0);
        Self {
            before: std::array::from_fn(|axis| if back[axis] { less[axis] } else { more[axis] }),
            behind: std::array::from_fn(|axis| if back[axis] { more[axis] } else { less[axis] }),
            inverse: std::array::from_fn(|axis| if moves[axis] { 1.0 / ray.direction[axis] } else { f32::MAX }),
            near: std::array::from_fn(|axis| 2 * axis + usize::from(back[axis])),
            t_min: ray.t_min,
        }
    }
}
