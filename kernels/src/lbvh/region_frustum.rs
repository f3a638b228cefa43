//! What does a camera see? The inside of six planes, asked of a tree. `shaders/kernels/lbvh/region_frustum.wgsl` is generated
//! from this file, which a test compares.

use super::{
    Aabb,
    overlap::{Region, sealed},
    prepared_ray::LBVH_SLACK,
};
use crate::device;
use Frustum as LbvhRegion;
use glam::{Vec3, Vec4, Vec4Swizzles};

/// The inside of six planes, 96 bytes: points where `x px + y py + z pz + w >= 0` for each plane `[x, y, z, w]`.
///
/// A box touches it unless all of the box is outside of one plane: a few boxes near its edges are found although they are
/// outside, none is missed. Planes need not be normalised; one with a NaN has nothing inside.
#[device(name = "LbvhRegion")]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Frustum {
    /// The planes.
    #[vector]
    pub planes: [[f32; 4]; 6],
}

impl Frustum {
    /// What lands in wgpu's clip space, `-w <= x, y <= w` and `0 <= z <= w`, by a matrix given by its columns (Gribb & Hartmann
    /// 2001). Depth may be reversed, and the far plane at infinity.
    ///
    /// ```
    /// use kernels::lbvh::{Aabb, Frustum, Lbvh, OverlapOptions, overlap};
    /// let boxes = [-3.0f32, 0.0, 3.0].map(|x| Aabb::around([[x, 0.0, 0.0], [x + 0.5, 0.5, 0.5]]));
    /// let identity = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    /// let seen = overlap(&Lbvh::build(&boxes)?, &[Frustum::from_clip(identity)], OverlapOptions::ALL);
    /// assert_eq!(seen, [Some(vec![1])]);
    /// # Ok::<(), kernels::KernelError>(())
    /// ```
    #[must_use]
    pub fn from_clip(columns: [[f32; 4]; 4]) -> Self {
        let row = |i: usize| columns.map(|column| column[i]);
        let (x, y, z, w) = (row(0), row(1), row(2), row(3));
        let plus = |a: [f32; 4], b: [f32; 4]| std::array::from_fn(|i| a[i] + b[i]);
        let minus = |a: [f32; 4], b: [f32; 4]| std::array::from_fn(|i| a[i] - b[i]);
        Self { planes: [plus(w, x), minus(w, x), plus(w, y), minus(w, y), z, minus(w, z)] }
    }
}

impl sealed::Sealed for Frustum {}

impl Region for Frustum {
    const MODULE: &'static str = "kernels/lbvh/region_frustum";

    fn usable(self) -> Self {
        lbvh_usable_region(self)
    }

    fn touches(&self, bounds: Aabb) -> bool {
        lbvh_touches(*self, bounds.low.into(), bounds.high.into())
    }
}

/// The region as `lbvh_touches` takes it: as it is.
#[device]
pub fn lbvh_usable_region(region: LbvhRegion) -> LbvhRegion {
    region
}

/// False only where all of the box is outside of one plane, by more than rounding can feign. A plane with a NaN has nothing inside.
#[device]
#[inline]
pub fn lbvh_touches(region: LbvhRegion, low: Vec3, high: Vec3) -> bool {
    if low.x > high.x {
        return false;
    }
    let reach = low.abs().max(high.abs());
    for i in 0u32..6 {
        let plane = Vec4::from_array(region.planes[i as usize]);
        let normal = plane.xyz();
        let farthest = Vec3::select(normal.cmpge(Vec3::ZERO), high, low);
        let inside = normal.dot(farthest) + plane.w;
        let slack = (normal.abs().dot(reach) + plane.w.abs()) * LBVH_SLACK;
        let is_inside = inside >= -slack;
        if !is_inside {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lbvh::generated;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        let wgsl = device::module!(lbvh_usable_region, lbvh_touches);
        let imports = [("kernels/lbvh/ray", generated::RAY)];
        let question = "What is asked about, and does it touch a box? The inside of six planes.";
        generated::check("region_frustum.wgsl", question, "region_frustum", &imports, wgsl);
    }
}
