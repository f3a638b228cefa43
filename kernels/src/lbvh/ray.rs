//! What is a ray, what is a hit, and when does a ray meet a box? Twin: `lbvh/ray.wgsl`.

use super::node::LbvhNode;
use crate::Element;
use glam::{BVec3A, Mat4, Vec3A, Vec4, Vec4Swizzles};

/// A ray, 32 bytes: the points `origin + t direction` for t from `t_min` to `t_max`, both included.
///
/// It is valid if all numbers are finite (`t_max` may be infinite), coordinates are at most 2^120 in size, and the largest
/// part of the direction is within 2^-60 to 2^60.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Ray {
    /// Where t is 0.
    pub origin: [f32; 3],
    /// The smallest t.
    pub t_min: f32,
    /// Of any length: t counts in its units.
    pub direction: [f32; 3],
    /// The largest t.
    pub t_max: f32,
}

impl Element for Ray {
    const TYPE: &'static str = "LbvhRay";
    const DECLARATION: &'static str = "//!import kernels/lbvh/ray";
}

impl Ray {
    /// The half-line from `origin`.
    pub fn new(origin: [f32; 3], direction: [f32; 3]) -> Self {
        Self { origin, t_min: 0.0, direction, t_max: f32::MAX }
    }
}

/// What a ray met, 16 bytes. [`outcome`](Self::outcome) says it as an enum.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Hit {
    /// Where along the ray.
    pub t: f32,
    /// The primitive, or [`MISS`](Self::MISS), [`LIMIT`](Self::LIMIT), [`INVALID`](Self::INVALID).
    pub primitive: u32,
    /// The point is (1 - u - v) a + u b + v c.
    pub u: f32,
    /// See `u`.
    pub v: f32,
}

impl Element for Hit {
    const TYPE: &'static str = "LbvhHit";
    const DECLARATION: &'static str = "//!import kernels/lbvh/ray";
}

/// What came of a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// It met a primitive.
    Hit(Hit),
    /// It met none.
    Miss,
    /// The traversal took too many steps: whether there is a hit is not known. Ask with more steps.
    Limit,
    /// The ray is not valid, see [`Ray`].
    Invalid,
}

impl Hit {
    /// `primitive` where nothing was met.
    pub const MISS: u32 = u32::MAX;
    /// `primitive` where the limit of steps was reached.
    pub const LIMIT: u32 = u32::MAX - 1;
    /// `primitive` where the ray is not valid.
    pub const INVALID: u32 = u32::MAX - 2;

    /// The case that `primitive` stands for.
    pub fn outcome(self) -> Outcome {
        match self.primitive {
            Self::MISS => Outcome::Miss,
            Self::LIMIT => Outcome::Limit,
            Self::INVALID => Outcome::Invalid,
            _ => Outcome::Hit(self),
        }
    }
}

/// 2^-20, 2^-60, 2^60, 2^-100, 2^120
pub(super) const SLACK: f32 = power_of_two(-20);
const SMALLEST_DIRECTION: f32 = power_of_two(-60);
const LARGEST_DIRECTION: f32 = power_of_two(60);
pub(super) const STILL: f32 = power_of_two(-100);
const LARGEST_ORIGIN: f32 = power_of_two(120);

const fn power_of_two(exponent: i32) -> f32 {
    f32::from_bits(((exponent + 127) as u32) << 23)
}

/// What a ray is asked with: computed once for all boxes and triangles.
pub(super) struct Sight {
    pub origin: [f32; 3],
    pub t_min: f32,
    pub t_max: f32,
    pub shear: [f32; 3],
    pub axis: usize,
    pub valid: bool,
    origin4: Vec3A,
    /// 1 / direction; 0 where the ray stands still.
    inverse: Vec3A,
    still: BVec3A,
    moves: bool,
}

/// Where a ray enters a box that it does not meet.
pub(super) const FAR: f32 = f32::MAX;

/// Rotates the axes so that `axis` becomes z.
#[inline]
pub(super) fn rotate([x, y, z]: [f32; 3], axis: usize) -> [f32; 3] {
    match axis {
        0 => [y, z, x],
        1 => [z, x, y],
        _ => [x, y, z],
    }
}

impl Sight {
    pub fn of(ray: &Ray) -> Self {
        let size = ray.direction.map(f32::abs);
        let largest = size[0].max(size[1].max(size[2]));
        let finite = ray.t_min.is_finite()
            && (ray.t_max.is_finite() || ray.t_max == f32::INFINITY)
            && ray.direction.iter().all(|x| x.is_finite())
            && ray.origin.iter().all(|x| x.abs() <= LARGEST_ORIGIN);
        let inverse = std::array::from_fn(|i| if size[i] >= STILL { 1.0 / ray.direction[i] } else { 0.0 });
        let axis = (0..2).find(|axis| size[*axis] == largest).unwrap_or(2);
        let [x, y, _] = rotate(ray.direction, axis);
        let t_of_z = rotate(inverse, axis)[2];
        Self {
            origin: ray.origin,
            t_min: ray.t_min,
            t_max: ray.t_max.min(f32::MAX),
            shear: [x * t_of_z, y * t_of_z, t_of_z],
            axis,
            valid: finite && (SMALLEST_DIRECTION..=LARGEST_DIRECTION).contains(&largest),
            origin4: Vec3A::from_array(ray.origin),
            inverse: Vec3A::from_array(inverse),
            still: Vec3A::from_array(inverse).cmpeq(Vec3A::ZERO),
            moves: inverse.iter().all(|x| *x != 0.0),
        }
    }

    /// Where the ray enters the boxes of a node's children, as [`enter`](Self::enter) says for each, in one go: a lane for each
    /// low and high side, the same operations on the same numbers.
    #[inline(always)]
    pub fn enter_children(&self, node: &LbvhNode, t_max: f32) -> (f32, f32) {
        if !self.moves {
            let enter = |low, high| self.enter(low, high, t_max);
            return (enter(node.left_low, node.left_high), enter(node.right_low, node.right_high));
        }
        // Low and high of the left, low and high of the right, axis by axis; then the words between them.
        let rows: &[f32; 16] = bytemuck::cast_ref(node);
        let sides = Mat4::from_cols_array(rows).transpose();
        let from = |axis: usize| sides.col(axis) - Vec4::splat(self.origin[axis]);
        let (x, y, z) = (from(0), from(1), from(2));
        let reach = x.abs().max(y.abs()).max(z.abs());
        let slack = reach.max(reach.yxwz()) * (SLACK * Vec4::new(-1.0, 1.0, -1.0, 1.0));
        let cut = |from: Vec4, inverse: f32| (from + slack) * inverse;
        let (x, y, z) = (cut(x, self.inverse.x), cut(y, self.inverse.y), cut(z, self.inverse.z));
        let begin = x.min(x.yxwz()).max(y.min(y.yxwz())).max(z.min(z.yxwz())).max(Vec4::splat(self.t_min));
        let end = x.max(x.yxwz()).min(y.max(y.yxwz())).min(z.max(z.yxwz())).min(Vec4::splat(t_max));
        let there = |low: [f32; 3], high: [f32; 3], begin: f32, end: f32| {
            if begin <= end && low[0] <= high[0] { begin } else { FAR }
        };
        (there(node.left_low, node.left_high, begin.x, end.x), there(node.right_low, node.right_high, begin.z, end.z))
    }

    /// Where the ray enters a box, at least `t_min`; [`FAR`] where it does not meet it before `t_max`. The box is widened by
    /// 2^-20 of its distance, for the reason that the WGSL gives.
    #[inline]
    pub fn enter(&self, low: [f32; 3], high: [f32; 3], t_max: f32) -> f32 {
        if low[0] > high[0] {
            return FAR;
        }
        let (lower, upper) = (Vec3A::from_array(low) - self.origin4, Vec3A::from_array(high) - self.origin4);
        let slack = Vec3A::splat(lower.abs().max(upper.abs()).max_element() * SLACK);
        let (lower, upper) = (lower - slack, upper + slack);
        let (a, b) = (lower * self.inverse, upper * self.inverse);
        let (mut begin, mut end) = (a.min(b), a.max(b));
        if !self.moves {
            let inside = lower.cmple(Vec3A::ZERO) & upper.cmpge(Vec3A::ZERO);
            let all = Vec3A::splat(FAR);
            begin = Vec3A::select(self.still, Vec3A::select(inside, -all, all), begin);
            end = Vec3A::select(self.still, Vec3A::select(inside, all, -all), end);
        }
        let near = begin.max_element().max(self.t_min);
        let far = end.min_element().min(t_max);
        if near <= far { near } else { FAR }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_and_hits_mean_the_same_bytes_in_wgsl() {
        // Rust names without the prefix that keeps a user's WGSL free of clashes.
        use Hit as LbvhHit;
        use Ray as LbvhRay;
        let composed = shaders::Composer::new().compose("kernels/lbvh/ray").unwrap();
        shaders::assert_layout!(composed, LbvhRay { origin, t_min, direction, t_max });
        shaders::assert_layout!(composed, LbvhHit { t, primitive, u, v });
    }

    #[test]
    fn axes_turn_without_mirroring() {
        for (axis, turned) in [(0, [2.0, 3.0, 1.0]), (1, [3.0, 1.0, 2.0]), (2, [1.0, 2.0, 3.0])] {
            assert_eq!(rotate([1.0, 2.0, 3.0], axis), turned);
        }
    }
}
