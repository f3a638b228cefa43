//! How far is a box or a triangle from a point? As device functions: what CPU and GPU compute from one source.
//! `shaders/kernels/lbvh/distance.wgsl` is generated from this file, which a test compares.

use super::{
    prepared_ray::{LBVH_FAR, LBVH_SLACK},
    ray::Hit as LbvhHit,
};
use crate::device;
use glam::Vec3;
use std::hint::select_unpredictable;

/// 2^60: the most that a coordinate of a point may be.
#[device]
pub const LBVH_LARGEST_POINT: f32 = 1.152_921_5e18;

/// 2^62: the longest reach that counts, farther than any two points are apart.
#[device]
pub const LBVH_LONGEST_REACH: f32 = 4.611_686e18;

/// False where a coordinate is not a number or too large, or `reach` is negative or not a number.
#[device]
#[inline]
pub fn lbvh_is_point(point: Vec3, reach: f32) -> bool {
    point.abs().cmple(Vec3::splat(LBVH_LARGEST_POINT)).all() && reach >= 0.0
}

/// What squares of distances are compared with.
#[device]
#[inline]
pub fn lbvh_square_of_reach(reach: f32) -> f32 {
    reach.min(LBVH_LONGEST_REACH) * reach.min(LBVH_LONGEST_REACH)
}

/// A square of a distance, less what rounding may have added to it; `LBVH_FAR` of an empty box.
#[device]
#[inline]
pub fn lbvh_square_to_box(point: Vec3, low: Vec3, high: Vec3) -> f32 {
    if low.x > high.x {
        return LBVH_FAR;
    }
    let apart = (low - point).max(point - high).max(Vec3::ZERO);
    (apart.dot(apart) * (1.0 - LBVH_SLACK)).min(LBVH_FAR)
}

/// Where on the way from 0 to `side` the nearest point to `point` lies, 0 to 1; 0 where the side has no length.
#[device]
#[inline]
pub fn lbvh_along(point: Vec3, side: Vec3) -> f32 {
    let length = side.dot(side);
    select_unpredictable(length == 0.0, 0.0, (point.dot(side) / length).clamp(0.0, 1.0))
}

/// `best`, or the point that is `apart` where that is nearer; of equally near ones, that of the smaller number.
#[device]
#[inline]
pub fn lbvh_nearer(apart: Vec3, primitive: u32, u: f32, v: f32, best: LbvhHit) -> LbvhHit {
    let square = apart.dot(apart);
    let nearer = square < best.t || (square == best.t && primitive < best.primitive);
    if !nearer {
        return best;
    }
    LbvhHit { t: square, primitive, u, v }
}

/// `best`, or this triangle's point nearest to `point` where that is nearer: the foot of the perpendicular if it lies inside, or
/// the nearest point of the nearest side. `t` is the square of the distance.
#[device]
#[inline]
pub fn lbvh_near_triangle(point: Vec3, a: Vec3, b: Vec3, c: Vec3, primitive: u32, best: LbvhHit) -> LbvhHit {
    let ab = b - a;
    let ac = c - a;
    let ap = point - a;
    let normal = ab.cross(ac);
    let area = normal.dot(normal);
    let u = ap.cross(ac).dot(normal) / area;
    let v = ab.cross(ap).dot(normal) / area;
    if area > 0.0 && u >= 0.0 && v >= 0.0 && u + v <= 1.0 {
        return lbvh_nearer(ap - u * ab - v * ac, primitive, u, v, best);
    }
    let of_ab: f32 = lbvh_along(ap, ab);
    let of_ac: f32 = lbvh_along(ap, ac);
    let of_bc: f32 = lbvh_along(ap - ab, ac - ab);
    let mut nearest: LbvhHit = lbvh_nearer(ap - of_ab * ab, primitive, of_ab, 0.0, best);
    nearest = lbvh_nearer(ap - of_ac * ac, primitive, 0.0, of_ac, nearest);
    lbvh_nearer(ap - ab - of_bc * (ac - ab), primitive, 1.0 - of_bc, of_bc, nearest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lbvh::{Point as LbvhPoint, generated};

    #[test]
    fn the_shader_is_what_this_file_generates() {
        let wgsl =
            device::module!(LbvhPoint, lbvh_is_point, lbvh_square_of_reach, lbvh_square_to_box, lbvh_near_triangle);
        let imports = [("kernels/lbvh/ray", generated::RAY)];
        generated::check("distance.wgsl", "How far is a box or a triangle from a point?", "distance", &imports, wgsl);
    }

    #[test]
    fn numbers_are_the_powers_of_two_that_they_are_said_to_be() {
        assert_eq!(LBVH_LARGEST_POINT.to_bits(), (60 + 127) << 23);
        assert_eq!(LBVH_LONGEST_REACH.to_bits(), (62 + 127) << 23);
    }
}
