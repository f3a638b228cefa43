//! How high does a point stand over the horizontal at an eye? Tangents of elevation that compare as lines of sight do.
//!
//! z is the height above the horizontal plane at the eye, r the distance along it. Light that bends by the curvature c sees a
//! ground point below a target exactly if `z / r + c r / 2` is less there. Terms of second order are left out: the arc is
//! counted along the normal of the place, not across the line. [`EyeFrame::rise_tolerance`] bounds those; what is
//! closer than it is left to the ray.

use elevation::geodesy::Ellipsoid;
use glam::DVec3;

/// Depth in metres that no ground has, below the ellipsoid: less than the least radius of curvature and so much is no radius of its ground.
const DEEPEST_M: f64 = 35_000.0;
/// Steeper lines, and longer ones, are left to the ray.
const STEEPEST: f64 = 1.0;
const LONGEST_RAD: f64 = 0.28;
/// By so much a line has to keep above ground that is called free, in metres: far more than places are off, whatever the slope.
const FREE_M: f64 = 1e-4;

/// What is horizontal and up at an eye.
pub struct EyeFrame {
    pub eye_m: DVec3,
    /// Less than the least radius of curvature, metres.
    pub radius_m: f64,
    ellipsoid: Ellipsoid,
    up: DVec3,
    /// Half of the curvature of light per metre.
    bend: f64,
    /// How far, by metre, places below a line may be off the direction of its target, see [`EyeFrame::max_deviation`].
    height_m: f64,
}

/// A place as the eye sees it, whatever its height h: z = `z_m + h nu` above the horizontal plane, and r^2 a polynomial of h.
#[derive(Clone, Copy, Default)]
pub struct PlaceInFrame {
    z_m: f64,
    nu: f64,
    square: [f64; 3],
}

impl EyeFrame {
    /// At an eye with a unit normal, and heights above the ellipsoid up to some.
    pub fn new(ellipsoid: Ellipsoid, normal: DVec3, eye_height_m: f64, highest_m: f64, refraction: f64) -> Self {
        Self {
            radius_m: ellipsoid.semi_minor_m().powi(2) / ellipsoid.semi_major_m() - DEEPEST_M,
            ellipsoid,
            eye_m: ellipsoid.ecef(normal, eye_height_m),
            up: normal,
            bend: 0.5 * refraction / ellipsoid.mean_radius_m(),
            height_m: highest_m.abs().max(eye_height_m.abs()),
        }
    }

    /// By how much the air may lift or press lines over so many metres, by metre.
    pub fn bend_at(&self, r_m: f64) -> f64 {
        (self.bend * r_m).abs()
    }

    /// A place by its unit normal.
    pub fn place(&self, n: DVec3) -> PlaceInFrame {
        let base = self.ellipsoid.ecef(n, 0.0) - self.eye_m;
        let (z_m, nu) = (base.dot(self.up), n.dot(self.up));
        let square = [base.length_squared() - z_m * z_m, 2.0 * (base.dot(n) - z_m * nu), 1.0 - nu * nu];
        PlaceInFrame { z_m, nu, square: square.map(|c| c.max(0.0)) }
    }

    /// Height above the horizontal, distance along it, and what compares.
    pub fn rise(&self, place: &PlaceInFrame, height_m: f64) -> (f64, f64, f64) {
        let z_m = place.z_m + height_m * place.nu;
        let [a, b, c] = place.square;
        let r_m = (a + height_m * (b + height_m * c)).max(0.0).sqrt();
        (z_m, r_m, z_m / r_m + self.bend * r_m)
    }

    /// The greatest rise of ground at most so high within so many metres round a place, as it is for a line that keeps above it.
    ///
    /// Away from the place by d along the ground, r changes by d at most, and z by d times the sine of the angle between the verticals
    /// there and at the eye.
    pub fn greatest(&self, place: &PlaceInFrame, high_m: f64, reach_m: f64) -> f64 {
        let (z_m, r_m, _) = self.rise(place, high_m);
        let reach_m = reach_m * (1.0 + 1.1 * high_m.max(0.0) / self.radius_m) + 1e-3;
        let z_m = z_m + reach_m * 1.05 * (r_m + reach_m) / self.radius_m + FREE_M;
        let nearest_m = r_m - reach_m;
        if nearest_m <= 0.0 {
            return f64::INFINITY;
        }
        let farthest_m = r_m + reach_m;
        let tangent = z_m / if z_m > 0.0 { nearest_m } else { farthest_m };
        tangent + (self.bend * nearest_m).max(self.bend * farthest_m)
    }

    /// By how much the rise of ground below a line may be above that of the target without being in its way; `None` where rises do
    /// not compare.
    ///
    /// Let X be the point of the line above a place with the normal n, and G that of the ground, d higher along n. Then G rises by
    /// `d (n.u - tan n.w) / r` more than the line, u up and w horizontal at the eye: positive as long as the angle of the
    /// verticals, a, and the slope of the line are not large, and G is free while d is less than what the air lifts the line by,
    /// `c (r_T - r) r / (2 cos^2)`. Put in, with c r / 2 at both ends, all but
    /// `c r_T / 2 (1 - (n.u - tan n.w) / cos^2)` cancels, which is less than `c r_T / 2 (a^2 + 1.1 |tan| a + tan^2)`.
    pub fn rise_tolerance(&self, z_m: f64, r_m: f64) -> Option<f64> {
        let (slope, angle) = ((z_m / r_m).abs(), r_m / self.radius_m);
        // Not a number, too.
        let compares = slope <= STEEPEST && angle <= LONGEST_RAD;
        let second = 2.0 * (angle * angle + slope * angle + slope * slope) + 0.01;
        compares.then(|| (self.bend * r_m).abs() * second + 1e-12)
    }

    /// How much of a distance along a line lies before a place that is a share of the way to the target on the ground, at least.
    ///
    /// On a sphere the place below t on a line with the elevation e is `R atan(t cos e / (R + t sin e))` away: of the whole L it has
    /// the share `t / L (1 + (L - t) sin e / R)` but for a third of the square of the angle, times how much is left.
    pub fn share(&self, share: f64, z_m: f64, r_m: f64) -> f64 {
        let angle = r_m / self.radius_m;
        let bend = 1.1 * angle * ((z_m / r_m).abs() + angle);
        share * (1.0 - (1.0 - share) * bend) - 1e-12
    }

    /// How far places below a line are off the geodesic to its target at most, by metre of distance along it.
    ///
    /// A normal section leaves the geodesic by `e^2 s^2 / (12 a^2)` radians, and a target's height h turns it by `e^2 h / (2 a)`
    /// (Bomford, Geodesy, 2.15): a few times that.
    pub fn max_deviation(&self, distance_m: f64) -> f64 {
        let a_m = self.ellipsoid.semi_major_m();
        let far = distance_m / a_m;
        (self.ellipsoid.eccentricity_squared() + 1e-5) * (far * far + 2.0 * self.height_m / a_m)
    }
}
