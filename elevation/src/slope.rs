//! How steep is the relief at a place? Central differences, for the answers of queries and the normals of vertices alike.

use glam::DVec3;

use crate::geodesy::{Ellipsoid, east_north_up};

/// Rise of the ground over horizontal distance.
///
/// ```
/// use elevation::{geodesy::{Ellipsoid, n_vector}, slope::Slope};
/// let n = n_vector(0.8, 0.1);
/// // Rises by 3 m in 10 m to the east and by 4 m in 10 m to the north.
/// let slope = Slope::of_rises([3.0, 4.0], [[10.0, 0.0], [0.0, 10.0]]);
/// assert_eq!(slope.steepness(), 0.5);
/// assert!((slope.aspect_rad().to_degrees() - 216.87).abs() < 0.01); // down to the south-west
/// assert!((slope.normal(n).angle_between(n).tan() - 0.5).abs() < 1e-12);
/// assert_eq!(Slope::of(Ellipsoid::WGS84, |_| 7.0, n, 10.0).steepness(), 0.0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Slope {
    to_east: f64,
    to_north: f64,
}

impl Slope {
    /// Slope at the unit normal `n` of a height at each normal, from heights about `step_m` to each side, over their distance on the
    /// ellipsoid.
    pub fn of(ellipsoid: Ellipsoid, height_m: impl Fn(DVec3) -> f64, n: DVec3, step_m: f64) -> Self {
        let (east, north, _) = east_north_up(n);
        let towards = |direction: DVec3| {
            let side = |sign: f64| {
                let n = (n + direction * (sign * step_m / ellipsoid.semi_major_m())).normalize();
                (height_m(n), ellipsoid.ecef(n, 0.0))
            };
            let ((ahead_m, ahead), (behind_m, behind)) = (side(1.0), side(-1.0));
            (ahead_m - behind_m) / ahead.distance(behind)
        };
        Self { to_east: towards(east), to_north: towards(north) }
    }

    /// Slope from the rises along two directions and the metres, eastward and northward, of each.
    pub fn of_rises([a, b]: [f64; 2], [[ax, ay], [bx, by]]: [[f64; 2]; 2]) -> Self {
        let determinant = ax * by - ay * bx;
        Self { to_east: (a * by - b * ay) / determinant, to_north: (b * ax - a * bx) / determinant }
    }

    /// Rises over distance to the east (x) and to the north (y).
    #[cfg(test)]
    pub(crate) fn rises(self) -> DVec3 {
        DVec3::new(self.to_east, self.to_north, 0.0)
    }

    /// Rise over distance in the steepest direction.
    pub fn steepness(self) -> f64 {
        self.to_east.hypot(self.to_north)
    }

    /// Direction of steepest descent, radians clockwise from north; 0 where the ground is level.
    pub fn aspect_rad(self) -> f64 {
        let aspect_rad = (-self.to_east).atan2(-self.to_north).rem_euclid(std::f64::consts::TAU);
        if self.steepness() > 0.0 { aspect_rad } else { 0.0 }
    }

    /// Unit normal of the ground, ECEF, over the unit geodetic normal `n`.
    pub fn normal(self, n: DVec3) -> DVec3 {
        let (east, north, up) = east_north_up(n);
        (up - self.to_east * east - self.to_north * north).normalize()
    }
}

/// Difference of heights one step ahead and one behind that the slope between them makes, from that difference and the one of twice as many
/// steps: the difference of fourth order.
///
/// A wave of four steps keeps 0.85 of its slope by it; by the first difference alone 0.64.
#[inline]
pub(crate) fn rise(of_one_m: f64, of_two_m: f64) -> f64 {
    (8.0 * of_one_m - of_two_m) / 6.0
}

/// Gradient in the tangent plane of `n` that gives the height differences `ds`, `dt` along the steps `s`, `t`.
///
/// `G = (ds (t x n) + dt (n x s)) / (n . (s x t))`: indeed `G . s = ds (t x n) . s / (n . (s x t)) = ds`, and so for t.
#[inline]
pub(crate) fn gradient(n: DVec3, s: DVec3, t: DVec3, ds: f64, dt: f64) -> DVec3 {
    (t.cross(n) * ds + n.cross(s) * dt) / n.dot(s.cross(t))
}
