//! What hides the ground beyond the horizon? An ellipsoid below all ground that is near enough to hide anything.

use glam::DVec3;

use crate::{
    geodesy::Ellipsoid,
    height::{Region, Relief},
};

/// The occluder of horizon culling: the ellipsoid lowered, or raised, to below the ground of a region, and how high ground
/// can be that stands out behind it.
#[derive(Clone, Copy, Debug)]
pub struct Occluder {
    pub(crate) inverse_axes: DVec3,
    pub(crate) highest_m: f64,
}

/// By how much angles are widened, and how near to their limits bounds have to come.
const CLOSE: f64 = 1.01;

/// Most steps in which bounds close in.
const STEPS: u32 = 8;

/// The occluder stays so much below the ground, a part of the eye's height above it and metres: what comes into view as the eye
/// rises is refined beforehand.
const SLACK: f64 = 0.125;
const SLACK_M: f64 = 10.0;

impl Occluder {
    /// The ellipsoid, a metre below the lowest ground, if nothing is known of the highest.
    pub fn below(ellipsoid: Ellipsoid, lowest_ground_m: f64) -> Self {
        // Axes that are lowered by as much are not everywhere as far below the ellipsoid.
        let rise_m = lowest_ground_m - 1.0 - ellipsoid.flattening().powi(2) * lowest_ground_m.abs();
        let (a, b) = (ellipsoid.semi_major_m() + rise_m, ellipsoid.semi_minor_m() + rise_m);
        Self { inverse_axes: DVec3::new(1.0 / a, 1.0 / a, 1.0 / b), highest_m: f64::INFINITY }
    }

    /// What hides ground from an eye.
    ///
    /// A ray dips below a level no farther from the eye than the horizon over it. So if all ground so near is above the level, the
    /// ray has met ground before, and what it comes to then is hidden. The higher the level, the nearer its horizon, and the
    /// higher the lowest ground before it: from the lowest ground of all, levels close in on the highest. Ground that stands out behind
    /// is no farther than its own horizon from the eye's, and closes in likewise.
    ///
    /// ```
    /// use terrain::{geodesy::{Ellipsoid, Geodetic}, height::{GlobalGrid, Registration, Relief}, view::Occluder};
    /// let plain = Relief::from_grid(GlobalGrid::from_fn(36, 19, Registration::Node, |_, lat| 3_000.0 * f64::from(lat > 0.0)))?;
    /// let eye = Geodetic::from_degrees(60.0, 5.0, 3_100.0);
    /// let view = terrain::View::perspective(eye.to_ecef(Ellipsoid::WGS84), glam::DVec3::Y, eye.normal(), 0.8, (640, 360));
    /// let frustum = view.frustum(Occluder::around(&plain, view.eye_m)).unwrap();
    /// // 111 km to the north, on a plain that is seen from 100 m above: 36 km away is the horizon.
    /// let place = Geodetic::from_degrees(61.0, 5.0, 3_000.0);
    /// assert!(frustum.beyond_horizon(place.to_ecef(Ellipsoid::WGS84) - view.eye_m, place.height_m, 1_000.0, 100.0));
    /// let near = Geodetic::from_degrees(60.2, 5.0, 3_000.0);
    /// assert!(!frustum.beyond_horizon(near.to_ecef(Ellipsoid::WGS84) - view.eye_m, near.height_m, 1_000.0, 100.0));
    /// # Ok::<(), terrain::height::HeightError>(())
    /// ```
    pub fn around(relief: &Relief, eye_m: DVec3) -> Self {
        let (mut lowest_m, mut highest_m) = relief.range_m();
        let ellipsoid = relief.ellipsoid();
        // The least radius of curvature: horizons are nowhere farther.
        let radius_m = ellipsoid.semi_minor_m() * ellipsoid.semi_minor_m() / ellipsoid.semi_major_m();
        let (n, eye_height_m) = (ellipsoid.normal_at(eye_m), ellipsoid.height_m(eye_m));
        let above_lowest_m = eye_height_m - lowest_m;
        if !n.is_finite() || above_lowest_m.is_nan() || above_lowest_m <= 0.0 {
            return Self::below(ellipsoid, lowest_m);
        }
        let horizon_rad = |low_m: f64, high_m: f64| ((radius_m + low_m) / (radius_m + high_m)).min(1.0).acos();
        let bounds_m =
            |radius_rad: f64| relief.bounds_m(&Region::cap(n, (CLOSE * radius_rad).min(std::f64::consts::PI)));
        for _ in 0..STEPS {
            let (ground_m, _) = bounds_m(horizon_rad(lowest_m, eye_height_m));
            let next_m = ground_m - SLACK * (eye_height_m - ground_m).max(0.0) - SLACK_M;
            let gained_m = next_m - lowest_m;
            lowest_m = lowest_m.max(next_m);
            if gained_m <= (CLOSE - 1.0) * (eye_height_m - lowest_m) {
                break;
            }
        }
        for _ in 0..STEPS {
            let radius_rad = horizon_rad(lowest_m, eye_height_m) + horizon_rad(lowest_m, highest_m);
            let (_, ground_m) = bounds_m(radius_rad);
            let gained_m = highest_m - ground_m;
            highest_m = highest_m.min(ground_m);
            if gained_m <= (CLOSE - 1.0) * (highest_m - lowest_m) {
                break;
            }
        }
        Self { highest_m, ..Self::below(ellipsoid, lowest_m) }
    }
}
