//! Who is looking? The camera as the terrain sees it, checked and turned into culling planes and a horizon.

use glam::{DVec3, Mat4, Vec3, camera::rh};

use crate::geodesy::{SEMI_MAJOR_M, SEMI_MINOR_M};

/// A perspective camera in Earth-centred, Earth-fixed metres.
#[derive(Clone, Copy, Debug, PartialEq)]
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

/// Margin by which the frustum is widened, so that a turning camera finds the ground refined.
const FRUSTUM_MARGIN: f64 = 1.15;

/// What a view shows, ready for many tests.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Eye position, ECEF metres.
    pub eye_m: DVec3,
    /// Pixels per radian at the centre of the picture: `height / 2 / tan(fov_y / 2)`.
    pub pixels_per_radian: f64,
    /// Inward unit normals of the four side planes, all through the eye.
    pub(crate) sides: [DVec3; 4],
    pub(crate) horizon: Option<Horizon>,
}

/// The cap of the occluding ellipsoid that the eye sees, in the space where that ellipsoid is the unit sphere.
#[derive(Clone, Debug)]
pub(crate) struct Horizon {
    pub towards_eye: DVec3,
    pub cos_cap: f64,
    pub sin_cap: f64,
}

/// The occluder of horizon culling: the WGS84 ellipsoid lowered below all ground.
#[derive(Clone, Copy, Debug)]
pub struct Occluder {
    pub(crate) inverse_axes: DVec3,
}

/// A bounding sphere prepared for horizon tests against one [`Occluder`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Cap {
    /// Direction of the sphere's centre in the occluder's unit-sphere space.
    direction: DVec3,
    /// Angular radius of the sphere plus how far beyond the horizon its highest point shows.
    cos_reach: f64,
    sin_reach: f64,
}

impl View {
    /// From metres beside the eye, on ECEF axes, to clip space: reverse Z without a far plane, `near_m` where depth is 1. Of a view
    /// that [`frame`](Self::frame) refuses it may hold NaN.
    ///
    /// ```
    /// use glam::{DVec3, Vec3};
    /// let eye_m = DVec3::new(9e6, 0.0, 0.0);
    /// let view = terrain::View { eye_m, forward: -eye_m, up: DVec3::Z, fov_y_rad: 1.0, size_px: (800, 600) };
    /// let clip = view.clip_from_eye(100.0) * Vec3::new(-1e6, 0.0, 0.0).extend(1.0);
    /// assert_eq!((clip.x / clip.w, clip.y / clip.w), (0.0, 0.0));
    /// assert!((clip.z / clip.w - 1e-4).abs() < 1e-9);
    /// ```
    pub fn clip_from_eye(&self, near_m: f32) -> Mat4 {
        let aspect = self.size_px.0 as f32 / self.size_px.1 as f32;
        rh::proj::directx::perspective_infinite_reverse(self.fov_y_rad as f32, aspect, near_m)
            * rh::view::look_to_mat4(Vec3::ZERO, self.forward.normalize().as_vec3(), self.up.normalize().as_vec3())
    }

    /// Checks the view and prepares its tests.
    ///
    /// # Errors
    /// [`ViewError`] for NaN or infinite values, a field of view outside (0, pi), a picture without pixels.
    pub fn frame(&self, occluder: Occluder) -> Result<Frame, ViewError> {
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
        let scaled = self.eye_m * occluder.inverse_axes;
        let distance = scaled.length();
        let horizon = (distance > 1.0).then(|| {
            let cos_cap = 1.0 / distance;
            Horizon { towards_eye: scaled / distance, cos_cap, sin_cap: (1.0 - cos_cap * cos_cap).max(0.0).sqrt() }
        });
        Ok(Frame {
            eye_m: self.eye_m,
            pixels_per_radian: 0.5 * f64::from(height) / half_height,
            sides: sides.map(DVec3::normalize),
            horizon,
        })
    }
}

impl Frame {
    /// False only if the sphere round `relative_m` (centre minus eye) is wholly outside the widened frustum.
    pub fn may_show(&self, relative_m: DVec3, radius_m: f64) -> bool {
        self.sides.iter().all(|inward| inward.dot(relative_m) >= -radius_m)
    }

    /// True only if the whole sphere lies behind the horizon.
    pub fn beyond_horizon(&self, cap: &Cap) -> bool {
        let Some(horizon) = &self.horizon else { return false };
        // Hidden iff angle > cap + reach, that is cos(angle) < cos(cap + reach), if that sum is below pi.
        let cos_sum = horizon.cos_cap * cap.cos_reach - horizon.sin_cap * cap.sin_reach;
        let sin_sum = horizon.sin_cap * cap.cos_reach + horizon.cos_cap * cap.sin_reach;
        sin_sum > 0.0 && horizon.towards_eye.dot(cap.direction) < cos_sum
    }
}

impl Occluder {
    /// The ellipsoid with semi-axes reduced by the depth of the lowest ground, plus a metre.
    pub fn below(lowest_ground_m: f64) -> Self {
        let drop_m = 1.0 - lowest_ground_m.min(0.0);
        let (a, b) = (SEMI_MAJOR_M - drop_m, SEMI_MINOR_M - drop_m);
        Self { inverse_axes: DVec3::new(1.0 / a, 1.0 / a, 1.0 / b) }
    }

    /// Prepares a bounding sphere (ECEF metres).
    pub fn cap(&self, centre_m: DVec3, radius_m: f64) -> Cap {
        // A millionth of a radian (6 m) covers rounding.
        const MARGIN_RAD: f64 = 1e-6;
        let scaled = centre_m * self.inverse_axes;
        let length = scaled.length();
        let radius = radius_m * self.inverse_axes.z;
        let angular = if radius < length { (radius / length).asin() } else { std::f64::consts::PI };
        let beyond = (1.0 / (length + radius)).min(1.0).acos();
        let reach = (angular + beyond + MARGIN_RAD).min(std::f64::consts::PI);
        Cap { direction: scaled / length, cos_reach: reach.cos(), sin_reach: reach.sin() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geodesy::{ecef, n_vector};
    use rand::{Rng, SeedableRng, rngs::StdRng};

    fn looking_down(eye_m: DVec3) -> View {
        let up = eye_m.any_orthonormal_vector();
        View { eye_m, forward: -eye_m, up, fov_y_rad: 1.0, size_px: (640, 480) }
    }

    /// Law: a sphere is called hidden only if no point of it can see the eye past the occluder (dense sampling).
    #[test]
    fn horizon_never_hides_a_visible_point() {
        let mut rng = StdRng::seed_from_u64(3);
        let occluder = Occluder::below(-10_376.0);
        let scale = occluder.inverse_axes;
        let mut hidden = 0;
        for _ in 0..3_000 {
            let mut place = || n_vector(rng.random_range(-1.57..1.57), rng.random_range(-3.1..3.1));
            let (under_eye, under_target) = (place(), place());
            let eye = ecef(under_eye, 10f64.powf(rng.random_range(0.5..7.5)));
            let near = (under_eye + under_target * rng.random_range(0.0..2.0)).normalize();
            let centre = ecef(near, rng.random_range(-10_000.0..9_000.0));
            let radius = 10f64.powf(rng.random_range(0.0..5.5));
            let frame = looking_down(eye).frame(occluder).unwrap();
            if !frame.beyond_horizon(&occluder.cap(centre, radius)) {
                continue;
            }
            hidden += 1;
            let v = eye * scale;
            for _ in 0..50 {
                let direction = DVec3::from_array(std::array::from_fn(|_| rng.random_range(-1.0..1.0))).normalize();
                let p = (centre + direction * radius) * scale;
                // The segment v-p must pass through the unit sphere.
                let d = p - v;
                let closest = v + d * (-v.dot(d) / d.length_squared()).clamp(0.0, 1.0);
                assert!(closest.length() < 1.0, "visible point called hidden: eye {eye}, centre {centre}, {radius}");
            }
        }
        assert!(hidden > 300, "only {hidden} hidden spheres were tested");
    }

    #[test]
    fn absurd_views_are_refused() {
        let good = looking_down(DVec3::X * 7e6);
        let occluder = Occluder::below(0.0);
        assert!(good.frame(occluder).is_ok());
        assert!(matches!(View { eye_m: DVec3::NAN, ..good }.frame(occluder), Err(ViewError::NotFinite { .. })));
        assert!(matches!(View { up: good.forward, ..good }.frame(occluder), Err(ViewError::NotFinite { .. })));
        assert!(matches!(View { fov_y_rad: 0.0, ..good }.frame(occluder), Err(ViewError::FieldOfView { .. })));
        assert!(matches!(View { size_px: (0, 5), ..good }.frame(occluder), Err(ViewError::Size(0, 5))));
    }
}
