//! How near is the ground to an eye, as far as moves along verticals are seen?

use std::f64::consts::TAU;

use crate::{geodesy::east_north_up, height::Relief};
use glam::DVec3;

/// Directions in which the ground is looked at, and distances, over the eye's height above it. Level ground farther than twice
/// the height looks as near as half of that at most.
const DIRECTIONS: u32 = 12;
const DISTANCES: [f64; 6] = [0.25, 0.5, 0.75, 1.0, 1.5, 2.0];
/// Share of the eye's height that the places are apart, at least: packs and files need not answer more closely.
const APART: f64 = 1.0 / 32.0;

/// The distance in metres from which a move along a vertical, seen square, looks as large as the same move anywhere on the ground can
/// look to an eye. It is twice the eye's height above level ground, about its height above ground that slopes by 3 in 4,
/// and negative for an eye under the ground. It changes with the eye without a jump, but where that is right over a pole.
///
/// A vertical of which the eye, at a distance d, sees the foot at an angle a moves by `sin(a) / d` radians a metre: at x beside the
/// eye and h below it by `x / (x x + h h)`, of which `1 / 2 h` is the most.
pub(crate) fn nearest_m(relief: &Relief, eye_m: DVec3) -> f64 {
    let ellipsoid = relief.ellipsoid();
    let n = ellipsoid.normal_at(eye_m);
    let height_m = ellipsoid.height_along_m(eye_m, n);
    // Nowhere is the ground nearer than its highest place.
    let apart_m = APART * (height_m - relief.range_m().1).max(0.0);
    let clearance_m = height_m - relief.sample_spaced(n, apart_m).height_m;
    if clearance_m.is_nan() || clearance_m <= 0.0 {
        return 2.0 * clearance_m;
    }
    let (east, north, _) = east_north_up(n);
    let mut most = 0.5 / clearance_m;
    for distance in DISTANCES {
        // Nothing of the planet is farther aside than a quarter of a turn and seen.
        let (sin, cos) = (distance * clearance_m / ellipsoid.semi_major_m()).min(0.25 * TAU).sin_cos();
        for direction in 0..DIRECTIONS {
            let (across, along) = (TAU * f64::from(direction) / f64::from(DIRECTIONS)).sin_cos();
            let vertical = n * cos + (east * across + north * along) * sin;
            let relative_m =
                ellipsoid.ecef(vertical, relief.sample_spaced(vertical, APART * clearance_m).height_m) - eye_m;
            most = most.max(vertical.cross(relative_m).length() / relative_m.length_squared().max(1e-6));
        }
    }
    1.0 / most
}
