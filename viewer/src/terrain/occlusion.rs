//! Does ground stand between the eye and a place?

use glam::DVec3;
use terrain::surface::Surface;

/// Frames between two looks at whether a place is hidden.
pub const LOOK_EVERY: u64 = 6;

/// A place counts as hidden where a ray to it meets ground this part of the way before it, and this many metres.
#[derive(Debug, Clone, Copy)]
pub struct OcclusionTolerance {
    /// Part of the way.
    pub part: f64,
    /// Metres besides.
    pub m: f64,
}

impl OcclusionTolerance {
    /// For what is to be shown.
    pub const NEW: OcclusionTolerance = OcclusionTolerance { part: 5e-4, m: 1.0 };
    /// For what is shown: it stays until it is well behind a ridge, so that it does not come and go on the ridge itself.
    pub const SHOWN: OcclusionTolerance = OcclusionTolerance { part: 4e-3, m: 4.0 };
}

/// Whether ground, as it is drawn, stands between the eye and a place.
pub fn is_hidden(surface: &Surface, eye_m: DVec3, position_m: DVec3, tolerance: OcclusionTolerance) -> bool {
    let way = position_m - eye_m;
    let distance_m = way.length();
    let Some(ray) = way.try_normalize() else { return false };
    let nearest_m = distance_m * (1.0 - tolerance.part) - tolerance.m;
    surface.ray(eye_m, ray, nearest_m).is_ok_and(|hit| hit.is_some())
}
