//! When does a ray meet a box? As device functions: what CPU and GPU compute from one source.
//! `shaders/kernels/lbvh/ray.wgsl` is generated from this file and [`super::ray`].

use super::ray::Ray as LbvhRay;
use crate::device;
use glam::{Vec3, Vec3Swizzles};
use std::hint::select_unpredictable;

/// Where a ray enters a box that it does not meet.
#[device]
pub const LBVH_FAR: f32 = f32::MAX;

/// 2^-20 of its distance: by how much a box is widened, more than all rounding in its test and in that of triangles.
#[device]
pub const LBVH_SLACK: f32 = 9.536_743e-7;

/// 2^-100: along an axis of which the direction has less, a ray stands still.
#[device]
pub const LBVH_STILL: f32 = 7.888_609e-31;

/// 2^-60: the least that the largest part of a direction may be.
#[device]
pub const LBVH_SMALLEST_DIRECTION: f32 = 8.673_617_4e-19;

/// 2^60: the most that a part of a direction may be.
#[device]
pub const LBVH_LARGEST_DIRECTION: f32 = 1.152_921_5e18;

/// 2^120: the most that a coordinate of the origin may be.
#[device]
pub const LBVH_LARGEST_ORIGIN: f32 = 1.329_228e36;

/// A ray as boxes and triangles are tested with it: prepared once for all.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LbvhPreparedRay {
    /// Where t is 0.
    pub origin: Vec3,
    /// The smallest t.
    pub t_min: f32,
    /// 1 / direction; 0 where the ray stands still.
    pub inverse: Vec3,
    /// The largest t.
    pub t_max: f32,
    /// x and y that a point moves for each unit of z, and t for each unit of z, after `axis` has become z.
    pub shear: Vec3,
    /// The axis along which the direction is longest.
    pub axis: u32,
    /// Whether the ray is one.
    pub valid: bool,
}

/// Rotates the axes so that `axis` becomes z.
#[device]
#[inline(always)]
pub fn lbvh_rotate(value: Vec3, axis: u32) -> Vec3 {
    select_unpredictable(axis == 0, value.yzx(), select_unpredictable(axis == 1, value.zxy(), value))
}

/// By bits: WGSL may assume that there are no others.
#[device]
#[inline]
pub fn lbvh_is_finite(value: f32) -> bool {
    value.to_bits() & 0x7fff_ffff < 0x7f80_0000
}

/// Whether it may be a coordinate of an origin.
#[device]
#[inline]
pub fn lbvh_is_coordinate(value: f32) -> bool {
    lbvh_is_finite(value) && value.abs() <= LBVH_LARGEST_ORIGIN
}

/// 1 / part of a direction; 0 where the ray stands still.
#[device]
#[inline]
pub fn lbvh_inverse(part: f32) -> f32 {
    if part.abs() >= LBVH_STILL {
        return 1.0 / part;
    }
    0.0
}

/// Prepares a ray for those tests.
#[device]
#[inline]
#[allow(clippy::manual_range_contains, reason = "WGSL has no ranges")]
pub fn lbvh_prepare_ray(ray: LbvhRay) -> LbvhPreparedRay {
    let origin = Vec3::from_array(ray.origin);
    let direction = Vec3::from_array(ray.direction);
    let size = direction.abs();
    let largest = size.x.max(size.y.max(size.z));
    let is_range = lbvh_is_finite(ray.t_min) && (lbvh_is_finite(ray.t_max) || ray.t_max.to_bits() == 0x7f80_0000);
    let is_place = lbvh_is_coordinate(origin.x) && lbvh_is_coordinate(origin.y) && lbvh_is_coordinate(origin.z);
    let is_direction = lbvh_is_finite(direction.x) && lbvh_is_finite(direction.y) && lbvh_is_finite(direction.z);
    let has_length = largest >= LBVH_SMALLEST_DIRECTION && largest <= LBVH_LARGEST_DIRECTION;
    let inverse = Vec3::new(lbvh_inverse(direction.x), lbvh_inverse(direction.y), lbvh_inverse(direction.z));
    let axis = select_unpredictable(size.x == largest, 0, select_unpredictable(size.y == largest, 1, 2u32));
    let turned: Vec3 = lbvh_rotate(direction, axis);
    let t_of_z: f32 = lbvh_rotate(inverse, axis).z;
    LbvhPreparedRay {
        origin,
        t_min: ray.t_min,
        inverse,
        t_max: ray.t_max.min(LBVH_FAR),
        shear: Vec3::new(turned.x * t_of_z, turned.y * t_of_z, t_of_z),
        axis,
        valid: is_range && is_place && is_direction && has_length,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_powers_of_two_that_they_are_said_to_be() {
        for (value, exponent) in [
            (LBVH_SLACK, -20),
            (LBVH_STILL, -100),
            (LBVH_SMALLEST_DIRECTION, -60),
            (LBVH_LARGEST_DIRECTION, 60),
            (LBVH_LARGEST_ORIGIN, 120),
        ] {
            assert_eq!(value.to_bits(), ((exponent + 127) as u32) << 23, "2^{exponent}");
        }
    }

    #[test]
    fn axes_turn_without_mirroring() {
        for (axis, turned) in [(0, [2.0, 3.0, 1.0]), (1, [3.0, 1.0, 2.0]), (2, [1.0, 2.0, 3.0])] {
            assert_eq!(lbvh_rotate(Vec3::new(1.0, 2.0, 3.0), axis).to_array(), turned);
        }
    }
}
