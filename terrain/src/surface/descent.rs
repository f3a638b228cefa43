//! Where does a line first go below the ground? By halving it until bounds decide.
//!
//! The height of a line's points above the ellipsoid is the signed distance from a convex body, and so a convex function of
//! the distance along the line; its derivative is the dot product of direction and geodetic normal (the climb). Between
//! two points it is therefore above both tangents, and the climb only grows. That gives a lower bound of the line's height,
//! and the greatest angle by which the normal can turn, hence the places that lie below.

use glam::DVec3;

use super::ray::{Raise, RayError};
use crate::{
    geodesy::{ecef, normal_at},
    height::{Region, Relief},
};

/// Pieces of a line that are looked at, at most: some seconds of work.
const MOST_LOOKS: u32 = 1 << 22;
/// Pieces of this length are not cut any more.
const FINEST_M: f64 = 1e-3;
/// Where the ground is crossed is known to this distance.
const CROSSING_M: f64 = 1e-4;

/// A line from near the ground.
pub(super) struct Line<'a> {
    pub relief: &'a Relief,
    /// Metres that a point moves at least while its geodetic normal turns by a radian.
    pub metres_per_radian: f64,
    pub entry_m: DVec3,
    /// Of unit length.
    pub direction: DVec3,
    pub length_m: f64,
    pub raise: Raise,
}

/// A point of a line.
#[derive(Clone, Copy)]
struct Station {
    /// Distance along the line.
    t: f64,
    /// Geodetic normal there.
    n: DVec3,
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

    /// Distance along the line to ground: the first, or some.
    fn ground(&self, first: bool) -> Result<Option<f64>, RayError> {
        let (start, end) = (self.station(0.0), self.station(self.length_m));
        if self.clearance_m(&start) <= 0.0 {
            return Ok(Some(0.0));
        }
        let mut waiting = Vec::with_capacity(48);
        waiting.push((start, end));
        let mut reached = start;
        for _ in 0..MOST_LOOKS {
            let Some((from, to)) = waiting.pop() else { return Ok(None) };
            let middle = self.station(0.5 * (from.t + to.t));
            if self.lowest_m(&from, &middle, &to) > self.relief.bounds_m(&self.below(&from, &middle, &to)).1 {
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

    fn station(&self, t: f64) -> Station {
        let p = self.entry_m + self.direction * t;
        let n = normal_at(p);
        Station { t, n, height_m: (p - ecef(n, 0.0)).dot(n), climb: self.direction.dot(n) }
    }

    /// How far a point is above the ground.
    fn clearance_m(&self, at: &Station) -> f64 {
        at.height_m + self.raise.at(at.t) - self.relief.sample(at.n).height_m
    }

    /// A height below which the line is nowhere between two points, with the one in the middle.
    fn lowest_m(&self, from: &Station, middle: &Station, to: &Station) -> f64 {
        lowest_m(from, middle).min(lowest_m(middle, to)) + self.raise.least(from.t, to.t)
    }

    /// All places below the line between two points.
    fn below(&self, from: &Station, middle: &Station, to: &Station) -> Region {
        let flattest = if from.climb <= 0.0 && to.climb >= 0.0 { 0.0 } else { from.climb.abs().min(to.climb.abs()) };
        let across = (1.0 - flattest * flattest).max(0.0).sqrt();
        Region::cap(middle.n, 0.5 * (to.t - from.t) * across / self.metres_per_radian)
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
