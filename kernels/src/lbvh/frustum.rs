//! What does a camera see? The inside of six planes, asked of a tree. Twin: `lbvh/region_frustum.wgsl`.

use super::{
    Aabb,
    overlap::{Region, sealed},
};
use crate::Element;

/// The inside of six planes, 96 bytes: points where `x px + y py + z pz + w >= 0` for each plane `[x, y, z, w]`.
///
/// A box touches it unless all of the box is outside of one plane: a few boxes near its edges are found although they are
/// outside, none is missed. Planes need not be normalised; one with a NaN has nothing inside.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Frustum {
    /// The planes.
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

impl Element for Frustum {
    const TYPE: &'static str = "LbvhRegion";
    const DECLARATION: &'static str = "//!import kernels/lbvh/region_frustum";
}

impl sealed::Sealed for Frustum {}

impl Region for Frustum {
    const MODULE: &'static str = "kernels/lbvh/region_frustum";

    fn usable(self) -> Self {
        self
    }

    fn touches(&self, bounds: Aabb) -> bool {
        /// 2^-20
        const SLACK: f32 = f32::from_bits((127 - 20) << 23);
        if bounds.is_empty() {
            return false;
        }
        self.planes.iter().all(|plane| {
            let (mut inside, mut size) = (plane[3], plane[3].abs());
            for (normal, (low, high)) in plane.iter().zip(bounds.low.iter().zip(&bounds.high)) {
                inside += normal * if *normal >= 0.0 { high } else { low };
                size += normal.abs() * low.abs().max(high.abs());
            }
            inside >= -size * SLACK
        })
    }
}
