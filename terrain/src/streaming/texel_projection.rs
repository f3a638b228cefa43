//! How large are texels on the ground in a view?

use super::ground::{Ground, Visibility};
use crate::{geodesy::Ellipsoid, view::ViewFrustum};

/// No ground is nearer than this, metres.
const NEAREST_M: f64 = 0.5;

/// A view of the ground, and how high above the ellipsoid its eye is.
#[derive(Clone)]
pub struct TexelProjection {
    frustum: ViewFrustum,
    height_m: f64,
}

impl TexelProjection {
    pub fn new(ellipsoid: Ellipsoid, frustum: ViewFrustum) -> Self {
        Self { height_m: ellipsoid.height_m(frustum.eye_m), frustum }
    }

    /// Pixels that a texel of a size covers where the ground is nearest; 0 behind the horizon.
    pub(super) fn pixels(&self, ground: &Ground, texel_m: f64) -> f64 {
        let Some(Visibility { nearest_m, weight }) = ground.visibility(&self.frustum, self.height_m) else {
            return 0.0;
        };
        weight * texel_m * self.frustum.pixels_per_radian / nearest_m.max(NEAREST_M)
    }
}
