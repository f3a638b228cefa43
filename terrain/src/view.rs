//! Who is looking? The camera as the terrain sees it, checked and turned into culling planes and a horizon.

mod nearest;
mod occluder;

use derive_setters::Setters;
use glam::{DVec3, Mat4, Vec3, camera::rh};

use crate::{
    geodesy::Ellipsoid,
    metric::{self, GroundBounds, Horizon, Metric, Quality},
};
pub(crate) use nearest::nearest_m;
pub use occluder::Occluder;

/// A perspective camera in Earth-centred, Earth-fixed metres.
#[derive(Clone, Copy, Debug, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct View {
    /// Eye position, ECEF metres.
    pub eye_m: DVec3,
    /// Direction of view; any length.
    pub forward: DVec3,
    /// Up direction of the picture; any length, not parallel to `forward`.
    pub up: DVec3,
    /// Vertical field of view in radians, above 0 and below pi.
    pub fov_y_rad: f64,
    /// Width and height of the picture in pixels, each at least 1.
    pub size_px: (u32, u32),
}

/// Why a view cannot be drawn.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// A component of eye, forward or up is NaN or infinite, or a direction has no length.
    #[error("the camera has no place or direction: eye {eye_m}, forward {forward}, up {up}")]
    NotFinite {
        /// Eye position as given.
        eye_m: DVec3,
        /// Forward direction as given.
        forward: DVec3,
        /// Up direction as given.
        up: DVec3,
    },
    /// The field of view is not between 0 and pi.
    #[error("a field of view of {fov_y_deg} degrees is not possible: choose more than 0 and less than 180")]
    FieldOfView {
        /// Vertical field of view as given, in degrees.
        fov_y_deg: f64,
    },
    /// The picture has no pixels.
    #[error("a picture of {0}x{1} pixels has no content: both sides must be at least 1")]
    Size(u32, u32),
}

/// Distance of the eye of an orthographic view, over the height of its picture.
const ORTHOGRAPHIC_DISTANCE: f64 = 1_000.0;

/// Updates for which tiles are asked beforehand: a quarter of a second at 60 a second.
const AHEAD_UPDATES: f64 = 15.0;

/// Margin by which the frustum is widened, so that a turning camera finds the ground refined.
const FRUSTUM_MARGIN: f64 = 1.15;

/// Culling planes, horizon and pixel scale of a view, prepared for many visibility tests.
///
/// ```
/// use glam::DVec3;
/// use terrain::{View, geodesy::{Ellipsoid, Geodetic}, view::Occluder};
/// let eye_m = Geodetic::from_degrees(46.0, 8.0, 500_000.0).to_ecef(Ellipsoid::WGS84);
/// let view = View::perspective(eye_m, -eye_m, DVec3::Z, 0.8, (320, 180));
/// let frustum = view.frustum(Occluder::below(Ellipsoid::WGS84, 0.0))?;
/// let below_m = Geodetic::from_degrees(46.0, 8.0, 0.0).to_ecef(Ellipsoid::WGS84) - eye_m;
/// assert!(frustum.may_show(below_m, 0.0) && !frustum.beyond_horizon(below_m, 0.0, 1_000.0, 0.0));
/// // Behind the eye, and on the other side of the planet.
/// assert!(!frustum.may_show(-below_m, 0.0));
/// assert!(frustum.beyond_horizon(-2.0 * eye_m, 0.0, 1_000.0, 0.0));
/// # Ok::<(), terrain::view::ViewError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ViewFrustum {
    /// Eye position, ECEF metres.
    pub eye_m: DVec3,
    /// Pixels per radian at the centre of the picture: `height / 2 / tan(fov_y / 2)`.
    pub pixels_per_radian: f64,
    /// Inward unit normals of the four side planes, all through the eye.
    pub(crate) sides: [DVec3; 4],
    pub(crate) horizon: Horizon,
}

impl View {
    /// A camera at `eye_m` that looks along `forward`.
    ///
    /// ```
    /// use glam::DVec3;
    /// let eye_m = DVec3::new(9e6, 0.0, 0.0);
    /// let view = terrain::View::perspective(eye_m, -eye_m, DVec3::Z, 1.0, (800, 600));
    /// assert_eq!(view.with_fov_y_rad(0.5).size_px, (800, 600));
    /// ```
    pub fn perspective(eye_m: DVec3, forward: DVec3, up: DVec3, fov_y_rad: f64, size_px: (u32, u32)) -> Self {
        Self { eye_m, forward, up, fov_y_rad, size_px }
    }

    /// An orthographic picture of `height_m` metres from its lower to its upper edge, in whose middle is `middle_m`: a map, where
    /// `forward` goes down.
    ///
    /// The eye is a thousand heights away. What lies `z` metres before or behind the plane through the middle is drawn at most
    /// `z / 2000` metres, on that plane, off its place in an orthographic picture: half a metre for a kilometre of relief. Errors of
    /// height are hardly seen from straight above, so the mesh may be coarse: colour a map by [`ShadingTiles`](crate::ShadingTiles),
    /// or ask for a small [`Quality::pixel_error`].
    ///
    /// ```
    /// use terrain::{View, geodesy::{Ellipsoid, Geodetic}};
    /// let place = Geodetic::from_degrees(46.0, 8.0, 0.0);
    /// let map = View::orthographic(place.to_ecef(Ellipsoid::WGS84), -place.normal(), glam::DVec3::Z, 20_000.0, (640, 480));
    /// let north = Geodetic::from_degrees(46.05, 8.0, 0.0); // 5.6 km
    /// let clip = map.clip_from_eye(1.0) * (north.to_ecef(Ellipsoid::WGS84) - map.eye_m).as_vec3().extend(1.0);
    /// assert!((clip.x / clip.w).abs() < 1e-3 && (clip.y / clip.w - 0.556).abs() < 1e-3);
    /// ```
    pub fn orthographic(middle_m: DVec3, forward: DVec3, up: DVec3, height_m: f64, size_px: (u32, u32)) -> Self {
        let eye_m = middle_m - forward.normalize() * (ORTHOGRAPHIC_DISTANCE * height_m);
        let fov_y_rad = 2.0 * (0.5 / ORTHOGRAPHIC_DISTANCE).atan();
        Self { eye_m, forward, up, fov_y_rad, size_px }
    }

    /// From metres beside the eye, on ECEF axes, to clip space: reverse Z without a far plane, `near_m` where depth is 1. Of a view
    /// that [`frustum`](Self::frustum) refuses it may hold NaN.
    ///
    /// ```
    /// use glam::{DVec3, Vec3};
    /// let eye_m = DVec3::new(9e6, 0.0, 0.0);
    /// let view = terrain::View::perspective(eye_m, -eye_m, DVec3::Z, 1.0, (800, 600));
    /// let clip = view.clip_from_eye(100.0) * Vec3::new(-1e6, 0.0, 0.0).extend(1.0);
    /// assert_eq!((clip.x / clip.w, clip.y / clip.w), (0.0, 0.0));
    /// assert!((clip.z / clip.w - 1e-4).abs() < 1e-9);
    /// ```
    pub fn clip_from_eye(&self, near_m: f32) -> Mat4 {
        let aspect = self.size_px.0 as f32 / self.size_px.1 as f32;
        rh::proj::directx::perspective_infinite_reverse(self.fov_y_rad as f32, aspect, near_m)
            * rh::view::look_to_mat4(Vec3::ZERO, self.forward.normalize().as_vec3(), self.up.normalize().as_vec3())
    }

    /// The view from where the eye will be soon if it goes on as it came from `last`; none for an eye that rests.
    pub(crate) fn predicted_from(&self, ellipsoid: Ellipsoid, last: &Self) -> Option<Self> {
        let motion_m = self.eye_m - last.eye_m;
        let length_m = motion_m.length();
        // A leap says nothing about what follows: not further than the ground is away.
        let far_m = (self.eye_m.length() - ellipsoid.semi_minor_m()).max(100.0);
        (length_m > 0.0).then(|| Self { eye_m: self.eye_m + motion_m * AHEAD_UPDATES.min(far_m / length_m), ..*self })
    }

    /// Checks the view and prepares its tests.
    ///
    /// # Errors
    /// [`ViewError`] for NaN or infinite values, a field of view outside (0, pi), a picture without pixels.
    pub fn frustum(&self, occluder: Occluder) -> Result<ViewFrustum, ViewError> {
        let forward = self.forward.try_normalize();
        let right = forward.zip(self.up.try_normalize()).and_then(|(forward, up)| {
            let right = forward.cross(up);
            // Parallel to rounding.
            (right.length_squared() > 1e-24).then(|| right.normalize())
        });
        let (Some(forward), Some(right), true) = (forward, right, self.eye_m.is_finite()) else {
            return Err(ViewError::NotFinite { eye_m: self.eye_m, forward: self.forward, up: self.up });
        };
        if !(self.fov_y_rad > 0.0 && self.fov_y_rad < std::f64::consts::PI) {
            return Err(ViewError::FieldOfView { fov_y_deg: self.fov_y_rad.to_degrees() });
        }
        let (width, height) = self.size_px;
        if width == 0 || height == 0 {
            return Err(ViewError::Size(width, height));
        }
        let up = right.cross(forward);
        let half_height = (0.5 * self.fov_y_rad).tan();
        let (x, y) =
            (half_height * f64::from(width) / f64::from(height) * FRUSTUM_MARGIN, half_height * FRUSTUM_MARGIN);
        let sides = [right + x * forward, -right + x * forward, up + y * forward, -up + y * forward];
        Ok(ViewFrustum {
            eye_m: self.eye_m,
            pixels_per_radian: 0.5 * f64::from(height) / half_height,
            sides: sides.map(DVec3::normalize),
            horizon: horizon(occluder, self.eye_m),
        })
    }
}

impl ViewFrustum {
    /// The metric of this view over ground of which `nearest_m` is known ([`nearest_m`]).
    pub(crate) fn metric(&self, quality: &Quality, nearest_m: f64) -> Metric {
        Metric {
            sides: self.sides.map(|side| side.extend(0.0).as_vec4()),
            horizon: self.horizon,
            nearest_m: nearest_m as f32,
            pixels_over_error: (self.pixels_per_radian / quality.pixel_error) as f32,
            pixels_over_edge: (self.pixels_per_radian / quality.min_edge_px) as f32,
            morph_scale: (quality.morph_end - 1.0).recip() as f32,
        }
    }

    /// False only if the sphere round `relative_m` (centre minus eye) is wholly outside the widened frustum.
    pub fn may_show(&self, relative_m: DVec3, radius_m: f64) -> bool {
        self.sides.iter().all(|inward| inward.dot(relative_m) >= -radius_m)
    }

    /// True only if all ground round `relative_m` (place minus eye) is hidden by the occluder that the frame was made with: no
    /// farther than `reach_m` from the place along the ground, and no higher above it than `rise_m`. The place is `height_m` above
    /// the ellipsoid.
    pub fn beyond_horizon(&self, relative_m: DVec3, height_m: f64, reach_m: f64, rise_m: f64) -> bool {
        let [height_m, reach_m, rise_m] = [height_m, reach_m, rise_m].map(|m| m as f32);
        let bounds = GroundBounds { height_m, reach_m, rise_m, bound_m: reach_m + rise_m };
        metric::beyond_horizon(self.horizon, relative_m.as_vec3(), bounds)
    }
}

/// What an occluder hides from an eye.
fn horizon(occluder: Occluder, eye_m: DVec3) -> Horizon {
    let Occluder { inverse_axes, highest_m } = occluder;
    let scaled = eye_m * inverse_axes;
    let distance = scaled.length();
    // An eye inside the occluder sees everything: its horizon is far beyond it.
    let (towards_eye, sine, cosine) = if distance > 1.0 {
        let sine = 1.0 / distance;
        (scaled / distance, sine, (1.0 - sine * sine).max(0.0).sqrt())
    } else {
        (DVec3::Z, 1e-30, 1.0)
    };
    Horizon {
        towards_eye: towards_eye.extend(sine).as_vec4(),
        to_unit: inverse_axes.extend(cosine).as_vec4(),
        unit_per_m: inverse_axes.max_element() as f32,
        eye_distance: distance as f32,
        depth: (cosine * cosine / sine) as f32,
        highest_m: highest_m as f32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looking_down(eye_m: DVec3) -> View {
        let up = eye_m.any_orthonormal_vector();
        View { eye_m, forward: -eye_m, up, fov_y_rad: 1.0, size_px: (640, 480) }
    }

    #[test]
    fn absurd_views_are_refused() {
        let good = looking_down(DVec3::X * 7e6);
        let occluder = Occluder::below(Ellipsoid::WGS84, 0.0);
        assert!(good.frustum(occluder).is_ok());
        assert!(matches!(View { eye_m: DVec3::NAN, ..good }.frustum(occluder), Err(ViewError::NotFinite { .. })));
        assert!(matches!(View { up: good.forward, ..good }.frustum(occluder), Err(ViewError::NotFinite { .. })));
        assert!(matches!(View { fov_y_rad: 0.0, ..good }.frustum(occluder), Err(ViewError::FieldOfView { .. })));
        assert!(matches!(View { size_px: (0, 5), ..good }.frustum(occluder), Err(ViewError::Size(0, 5))));
    }
}
