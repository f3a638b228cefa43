//! How urgent is a bisector by the length of its hypotenuse on screen? The input of the priority module that asks that.

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec4};
use kernels::device;

use crate::geodesy::{Ellipsoid, Geodetic};

/// The uniform `edge_length` of `shaders/terrain/pool/priority_edge_length.wgsl`: what it needs of the camera.
///
/// That module binds it in group 1, and imports `terrain/planet`, whose [`crate::expansion::PlanetView`] `planet` in group
/// 2 must be of the same eye. It judges edges on the bare ellipsoid, without a frustum. A value that is not a number
/// asks for no bisection.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct EdgeLength {
    /// Pixels per radian at the centre of the picture over the longest edge wanted in pixels.
    pub pixels_per_radian: f32,
    /// Cosine of the angle between the normals below the eye and at the horizon.
    pub horizon_cosine: f32,
    /// Fills the struct up to the next 16 bytes.
    pub padding: Vec2,
    /// Unit geodetic normal below the eye; the fourth component is not used.
    pub below: Vec4,
}

impl EdgeLength {
    /// For an eye over a planet and a picture of so many pixels per radian
    /// ([`crate::view::ViewFrustum::pixels_per_radian`]), in which no edge is to be longer than `longest_edge_px`.
    ///
    /// ```
    /// use terrain::{geodesy::{Ellipsoid, Geodetic}, pool::gpu::EdgeLength};
    /// let view = EdgeLength::new(Ellipsoid::WGS84, Geodetic::from_degrees(0.0, 90.0, 6_378_137.0), 624.0, 16.0);
    /// assert_eq!((view.pixels_per_radian, view.horizon_cosine), (39.0, 0.5));
    /// ```
    pub fn new(ellipsoid: Ellipsoid, eye: Geodetic, pixels_per_radian: f64, longest_edge_px: f64) -> Self {
        Self {
            pixels_per_radian: (pixels_per_radian / longest_edge_px) as f32,
            // An eye below the ellipsoid sees no farther than one on it.
            horizon_cosine: (ellipsoid.semi_major_m() / (ellipsoid.semi_major_m() + eye.height_m.max(0.0))) as f32,
            padding: Vec2::ZERO,
            below: eye.normal().as_vec3().extend(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::REACH_OVER_EDGE;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        const EDGE_LENGTH: &str = device::module!(REACH_OVER_EDGE, EdgeLength);
        let question = "What does the length of an edge on screen depend on?";
        crate::generated::check("pool/edge_length.wgsl", question, "pool/gpu/edge_length", EDGE_LENGTH);
    }
}
