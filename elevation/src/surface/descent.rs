//! Where does a line first go below the ground? By halving it until bounds decide.
//!
//! The height of a line's points above the ellipsoid is the signed distance from a convex body, and so a convex function of
//! the distance along the line. Its derivative is the dot product of direction and geodetic normal (the climb). Between two
//! points it is therefore above both tangents, and the climb only grows. That gives a lower bound of the line's height, and
//! the greatest angle by which the normal can turn, hence the places that lie below.

use glam::DVec3;

use super::{RayError, height_offset::HeightOffset};
use crate::{
    geodesy::Ellipsoid,
    height::{Region, Relief, lon_lat_deg},
};

/// Pieces of a line that are looked at, at most: some seconds of work.
const MOST_LOOKS: u32 = 1 << 22;
/// Pieces of this length are not cut any more.
const FINEST_M: f64 = 1e-3;
/// Where the ground is crossed is known to this distance.
const CROSSING_M: f64 = 1e-4;

/// Below this cosine of the latitude, and for pieces of more than this angle, longitudes bend too much to tell more than a cap
/// does.
const NEAR_A_POLE: f64 = 0.1;
const LONG_RAD: f64 = 0.05;

/// A line from near the ground.
pub(super) struct Line<'a> {
    pub relief: &'a Relief,
    /// Metres that a point moves at least while its geodetic normal turns by a radian.
    pub metres_per_radian: f64,
    pub entry_m: DVec3,
    /// Of unit length.
    pub direction: DVec3,
    pub length_m: f64,
    pub raise: HeightOffset,
}

/// A point of a line.
#[derive(Clone, Copy)]
struct Station {
    /// Distance along the line.
    t: f64,
    /// Geodetic normal there.
    n: DVec3,
    /// Longitude and latitude of the normal, degrees.
    lon_lat_deg: (f64, f64),
    /// Height above the ellipsoid.
    height_m: f64,
    /// Change of height by distance.
    climb: f64,
}

impl Line<'_> {
    /// Distance along the line to the first ground.
    pub fn first_ground(&self) -> Result<Option<f64>, RayError> {
        self.ground(true)
    }

    /// Whether there is ground in the way; wherever it is, which is found sooner.
    pub fn is_blocked(&self) -> Result<bool, RayError> {
        Ok(self.ground(false)?.is_some())
    }

    /// The same where no ground is known to be before one distance and after another. The pieces are those of the whole line.
    pub fn is_blocked_within(&self, from_m: f64, to_m: f64) -> Result<bool, RayError> {
        Ok(self.ground_within(false, from_m, to_m)?.is_some())
    }

    /// Distance along the line to ground: the first, or some.
    fn ground(&self, first: bool) -> Result<Option<f64>, RayError> {
        self.ground_within(first, 0.0, self.length_m)
    }

    /// The same of a part of the line.
    fn ground_within(&self, first: bool, from_m: f64, to_m: f64) -> Result<Option<f64>, RayError> {
        let (start, end) = (self.station(0.0), self.station(self.length_m));
        if from_m <= 0.0 && self.clearance_m(&start) <= 0.0 {
            return Ok(Some(0.0));
        }
        let mut waiting = Vec::with_capacity(48);
        waiting.push((start, end));
        let mut reached = start;
        for _ in 0..MOST_LOOKS {
            let Some((from, to)) = waiting.pop() else { return Ok(None) };
            if to.t < from_m || from.t > to_m {
                continue;
            }
            let middle = self.station(0.5 * (from.t + to.t));
            if self.lowest_m(&from, &middle, &to)
                > self.relief.bounds_m(&below(&from, &middle, &to, self.metres_per_radian)).1
            {
                continue;
            }
            if to.t - from.t <= FINEST_M {
                if self.clearance_m(&to) <= 0.0 {
                    return Ok(Some(self.crossing(from.t, to.t)));
                }
                continue;
            }
            if !first && self.clearance_m(&middle) <= 0.0 {
                return Ok(Some(middle.t));
            }
            reached = from;
            waiting.push((middle, to));
            waiting.push((from, middle));
        }
        Err(RayError::TooLong { limit: MOST_LOOKS, posting_m: self.relief.posting_m(reached.n) })
    }

    /// The nearest distance of those at which pieces of some millimetres are cut: ground there is found by every search.
    pub fn cut_near(&self, t: f64) -> f64 {
        let (mut from, mut to) = (0.0, self.length_m);
        while to - from > 4.0 * FINEST_M {
            let middle = 0.5 * (from + to);
            if t < middle { to = middle } else { from = middle }
        }
        // An end may be no cut: 0 is.
        from
    }

    /// How far the line, as it counts, is above the ground.
    pub fn clearance_at_m(&self, t: f64) -> f64 {
        self.clearance_m(&self.station(t))
    }

    /// From where on, up to a distance, bounds prove that the line keeps a margin above the ground: looked at backwards in so many
    /// pieces at most, each as long as bounds allow. `None` if a point of it is below the ground by the margin.
    pub fn clear_from(&self, from_m: f64, to_m: f64, margin_m: f64, most: u32) -> Option<f64> {
        let mut to = self.station(to_m);
        let mut above_m = None;
        let mut length_m = 0.25 * (to_m - from_m);
        for _ in 0..most {
            if to.t <= from_m {
                break;
            }
            let start = (to.t - length_m).max(from_m);
            let (from, middle) = (self.station(start), self.station(0.5 * (start + to.t)));
            let region = below(&from, &middle, &to, self.metres_per_radian);
            let lowest_m = self.lowest_m(&from, &middle, &to);
            let highest_m = self.relief.bounds_m(&region).1;
            let free_m = lowest_m - highest_m;
            if free_m > margin_m {
                (to, above_m) = (from, None);
                length_m *= 1.4;
                continue;
            }
            // What bounds leave free falls about evenly with the length, from what the far end is above the ground.
            let above_m = *above_m.get_or_insert_with(|| self.clearance_m(&to));
            length_m = (to.t - start) * (0.8 * above_m / (above_m - free_m)).clamp(1.0 / 16.0, 0.6);
            // Where ground may be far above the line it often is.
            if length_m > FINEST_M && self.clearance_m(&self.station(self.cut_near(middle.t))) < -margin_m {
                return None;
            }
        }
        Some(to.t)
    }

    /// By how much the far end of a line of so many metres, of which this is the part from `start_m` on, has to be lifted for all
    /// ground between two distances to be below it: the greatest of what is missing at t, times whole / t. Pieces are cut while
    /// they may need more than `enough(best so far)`. `hint` is a distance to begin with.
    pub fn lift_m(
        &self,
        [from_m, to_m]: [f64; 2],
        [start_m, whole_m]: [f64; 2],
        hint: f64,
        enough: impl Fn(f64) -> f64,
    ) -> Result<f64, RayError> {
        let far = |missing_m: f64, t: f64| missing_m * whole_m / (start_m + t).max(FINEST_M);
        let at = |station: &Station| far(-self.clearance_m(station), station.t);
        let (start, end) = (self.station(from_m), self.station(to_m));
        let mut best = at(&self.station(hint.clamp(from_m, to_m))).max(at(&start)).max(at(&end));
        let mut waiting = vec![(start, end)];
        let mut reached = start;
        for _ in 0..MOST_LOOKS {
            let Some((from, to)) = waiting.pop() else { return Ok(best) };
            let middle = self.station(0.5 * (from.t + to.t));
            let highest_m = self.relief.bounds_m(&below(&from, &middle, &to, self.metres_per_radian)).1;
            let missing_m = highest_m - self.lowest_m(&from, &middle, &to);
            // What is free counts most at the far end.
            let most = far(missing_m, if missing_m > 0.0 { from.t } else { to.t });
            if most <= enough(best) {
                continue;
            }
            best = best.max(at(&middle));
            if to.t - from.t > FINEST_M {
                reached = from;
                waiting.push((from, middle));
                waiting.push((middle, to));
            }
        }
        Err(RayError::TooLong { limit: MOST_LOOKS, posting_m: self.relief.posting_m(reached.n) })
    }

    fn station(&self, t: f64) -> Station {
        Station::at(self.relief.ellipsoid(), self.entry_m + self.direction * t, self.direction, t)
    }

    /// How far a point is above the ground.
    fn clearance_m(&self, at: &Station) -> f64 {
        at.height_m + self.raise.at(at.t) - self.relief.sample(at.n).height_m
    }

    /// A height below which the line is nowhere between two points, with the one in the middle.
    fn lowest_m(&self, from: &Station, middle: &Station, to: &Station) -> f64 {
        lowest_m(from, middle).min(lowest_m(middle, to)) + self.raise.least(from.t, to.t)
    }

    /// Where the line goes below the ground between a distance where it is above and one where it is not.
    fn crossing(&self, mut clear: f64, mut below: f64) -> f64 {
        while below - clear > CROSSING_M {
            let middle = 0.5 * (clear + below);
            if middle <= clear || middle >= below {
                break; // neighbouring numbers
            }
            if self.clearance_m(&self.station(middle)) > 0.0 {
                clear = middle;
            } else {
                below = middle;
            }
        }
        below
    }
}

impl Station {
    fn at(ellipsoid: Ellipsoid, p: DVec3, direction: DVec3, t: f64) -> Self {
        let n = ellipsoid.normal_outside(p);
        let (height_m, climb) = (ellipsoid.height_along_m(p, n), direction.dot(n));
        Self { t, n, lon_lat_deg: lon_lat_deg(n), height_m, climb }
    }
}

/// All places below a line between two points: in the cap round the one in the middle, and no farther east, west, north or south
/// than the three points and what the line bends between them.
///
/// With the direction's parts e, n, u to east, north and up, radii of curvature M and N at heights h, and the latitude b,
/// b' = n / (M + h) and l' = e / ((N + h) cos b). East and north turn with them: e' = l' (n sin b - u cos b) and
/// n' = -b' u - l' e sin b; h' = u, and M and N change by at most 0.07 for each metre, with a flattening of 0.02 at most. As e^2 + n^2 + u^2 = 1, with `r` metres
/// a radian at least, |b''| <= (1.14 + tan b) / r^2 and |l''| <= (1.14 + tan b) / (r^2 cos b). A function whose second
/// derivative is at most k leaves the range of its ends by at most k x^2 / 8 in x metres.
fn below(from: &Station, middle: &Station, to: &Station, metres_per_radian: f64) -> Region {
    let flattest = if from.climb <= 0.0 && to.climb >= 0.0 { 0.0 } else { from.climb.abs().min(to.climb.abs()) };
    let across = (1.0 - flattest * flattest).max(0.0).sqrt();
    let turn_rad = (to.t - from.t) / metres_per_radian;
    let radius_rad = 0.5 * turn_rad * across;
    // The cosine of the latitude farthest from the equator in the cap, at most; 1 / cos is more than tan.
    let cos_lat = (middle.n.x * middle.n.x + middle.n.y * middle.n.y).sqrt() - radius_rad;
    if cos_lat < NEAR_A_POLE || turn_rad > LONG_RAD {
        return Region::cap(middle.n, radius_rad);
    }
    let ((lon, lat), (lon_a, lat_a), (lon_b, lat_b)) = (middle.lon_lat_deg, from.lon_lat_deg, to.lon_lat_deg);
    let turn = |other: f64| (other - lon).abs().min(360.0 - (other - lon).abs());
    let bend_rad = (1.14 + 1.0 / cos_lat) * (0.5 * turn_rad) * (0.5 * turn_rad) / 8.0;
    let lon_rad = turn(lon_a).max(turn(lon_b)).to_radians() + bend_rad / cos_lat;
    let lat_rad = (lat_a - lat).abs().max((lat_b - lat).abs()).to_radians() + bend_rad;
    Region::part_of_cap(middle.n, radius_rad, middle.lon_lat_deg, (lon_rad, lat_rad))
}

/// The lowest point of two tangents to a convex function, between the points where they touch it.
fn lowest_m(from: &Station, to: &Station) -> f64 {
    if from.climb >= 0.0 {
        from.height_m
    } else if to.climb <= 0.0 {
        to.height_m
    } else {
        let length_m = to.t - from.t;
        // from + climb x = to - climb' (length - x)
        let x = (to.height_m - from.height_m - to.climb * length_m) / (from.climb - to.climb);
        from.height_m + from.climb * x.clamp(0.0, length_m)
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{PI, TAU};

    use rand::Rng;

    use super::*;
    use crate::geodesy::{Ellipsoid, east_north_up, n_vector};
    use crate::{
        height::{GlobalGrid, Registration},
        sample_spacing::SampleSpacing,
    };

    /// Law: whatever is below a line is in the region, everywhere on every body, whichever way the line goes, and where the region
    /// is small it is hardly larger than the line.
    #[test]
    fn the_region_holds_what_is_below() {
        let mut rng = crate::random::rng();
        let bodies = Ellipsoid::bodies().map(|ellipsoid| {
            let low = GlobalGrid::from_fn(4, 3, Registration::Node, |_, _| -12e3);
            let spacing = SampleSpacing::of(&Relief::from_grid_on(ellipsoid, low).unwrap());
            (ellipsoid, spacing.metres_per_radian())
        });
        for round in 0..32_000 {
            let (ellipsoid, metres_per_radian) = bodies[round / 4 % 4];
            let size = ellipsoid.size();
            let lat = [rng.random_range(-1.5..1.5), rng.random_range(-PI / 2.0..PI / 2.0)][round % 2];
            let start = n_vector(lat, rng.random_range(-PI..PI));
            let (east, north, up) = east_north_up(start);
            let (sin, cos) = rng.random_range(0.0..TAU).sin_cos();
            let climb = [0.0, rng.random_range(-1.0..1.0)][round / 2 % 2];
            let direction = (east * sin + north * cos + up * climb).normalize();
            let (origin, length) =
                (ellipsoid.ecef(start, rng.random_range(-12e3..9e3)), size * 10f64.powf(rng.random_range(-2.0..5.6)));
            let station = |t: f64| Station::at(ellipsoid, origin + direction * t, direction, t);
            let ends = [0.0, 0.5 * length, length].map(station);
            if ends.iter().any(|end| end.height_m < -12e3) {
                continue;
            }
            let region = below(&ends[0], &ends[1], &ends[2], metres_per_radian);
            for _ in 0..20 {
                let at = station(length * rng.random::<f64>());
                let (lon, lat) = at.lon_lat_deg;
                let lon = (lon - region.lon_deg).abs().min(360.0 - (lon - region.lon_deg).abs());
                assert!(
                    lon <= region.lon_reach_deg && (lat - region.lat_deg).abs() <= region.lat_reach_deg,
                    "{region:?}"
                );
                assert!(at.n.distance(region.n) <= region.radius_rad, "{region:?}");
            }
            let cos_lat = region.lat_deg.to_radians().cos();
            if length < 1e3 * size && cos_lat > 0.2 && climb == 0.0 {
                // The least radius of the meridian; what is below the ellipsoid looks larger on it.
                let wide_m = region.lat_reach_deg.to_radians() * metres_per_radian;
                assert!(wide_m < 0.51 * length * cos.abs() + 1e-3 * length + 1e-4, "{wide_m} for {length}, {cos}");
            }
        }
    }
}
