//! Which ground stands highest in a vertical plane? Found best first, by bounds of the ground in pieces of the plane.
//!
//! The plane through the eye's normal and an azimuth meets the ellipsoid in a curve whose centre of curvature below the eye is C.
//! A point of the plane is (angle at C from the eye, distance from C): x = rho sin(angle), z = rho cos(angle) - rho of the eye.
//! For ground of height at most H in a piece, rho is at most that of the ellipsoid plus H. The elevation of a circle of that
//! radius is greatest at the near end of the piece or where the eye's tangent touches the circle.

use std::{cmp::Ordering, collections::BinaryHeap};

use elevation::{
    geodesy::{Ellipsoid, Geodetic, east_north_up},
    height::Region,
    surface::Surface,
};
use glam::DVec3;

use super::{Horizon, HorizonError, HorizonPoint};

/// Ground nearer than this is what the eye stands on.
const NEAREST_M: f64 = 1.0;
/// The farthest ground that is looked at, at least: 69 degrees, beyond what an eye 1 000 km above the Earth sees.
const FARTHEST_RAD: f64 = 1.2;
/// Pieces that are looked at, at most: some seconds of work.
const MOST_PIECES: usize = 1 << 20;
/// After so many the tolerance is a multiple: bounds of ground between tall neighbours close in slowly, and so they do along even slopes.
const MANY_PIECES: usize = 1 << 15;
/// The place of the highest ground is closed in on to this part of its distance.
const PLACE_PART: f64 = 1e-4;
/// How far an ellipsoid is from a sphere around C, at most.
struct Roundness {
    /// Angle by which its normal turns for each radian at C: its radius of curvature is at least b^2 / a, C within a e^2 of the
    /// middle, 43 km in the Earth.
    turn: f64,
    /// Angle between the normal and the direction from C for each radian at C: both start as one, curvatures differ by
    /// e^2 (1 + e^2) and a little, the torsion of a section is at most e^2 / 2.
    skew: f64,
    /// The second derivative of the ellipsoid's rho by the angle, metres: a e^2 for each of C's distance from the middle and of the
    /// section's flattening.
    bend_m: f64,
}

impl Roundness {
    fn of(ellipsoid: Ellipsoid) -> Self {
        let squared = ellipsoid.eccentricity_squared();
        Self {
            turn: 1.0 + 6.0 * ellipsoid.flattening(),
            skew: 2.02 * squared,
            bend_m: 2.4 * squared * ellipsoid.semi_major_m(),
        }
    }
}

/// A vertical half-plane at an eye.
pub(super) struct Slice<'a> {
    surface: &'a Surface,
    ellipsoid: Ellipsoid,
    roundness: Roundness,
    centre_m: DVec3,
    up: DVec3,
    forward: DVec3,
    /// Of the eye, from C, and of the ellipsoid there.
    eye_rho_m: f64,
    radius_m: f64,
    azimuth_rad: f64,
    refraction: f64,
}

/// A point of the ground in the plane.
#[derive(Clone, Copy)]
struct GroundPoint {
    /// At C, from the eye.
    angle: f64,
    elevation_rad: f64,
    position_m: DVec3,
    normal: DVec3,
    height_m: f64,
}

/// The ground between two angles at C, with an upper bound of its elevation: an entry of the search queue.
struct AngleInterval {
    /// No ground of it has a greater elevation.
    max_elevation_rad: f64,
    angles: (f64, f64),
    /// Bounds of its heights.
    heights_m: (f64, f64),
}

impl<'a> Slice<'a> {
    pub fn new(surface: &'a Surface, eye: Geodetic, azimuth_rad: f64, refraction: f64) -> Self {
        let ellipsoid = surface.relief().ellipsoid();
        let up = eye.normal();
        let (east, north, _) = east_north_up(up);
        let (sin, cos) = azimuth_rad.sin_cos();
        // Euler's formula for the curvature of a normal section.
        let [prime_vertical_m, meridian_m] = ellipsoid.radii_m(up.z);
        let radius_m = 1.0 / (cos * cos / meridian_m + sin * sin / prime_vertical_m);
        Self {
            surface,
            ellipsoid,
            roundness: Roundness::of(ellipsoid),
            centre_m: ellipsoid.ecef(up, -radius_m),
            up,
            forward: east * sin + north * cos,
            eye_rho_m: radius_m + eye.height_m,
            radius_m,
            azimuth_rad,
            refraction,
        }
    }

    /// The ground with the greatest elevation, to the tolerance.
    pub fn highest(&self) -> Result<HorizonPoint, HorizonError> {
        let nearest_rad = NEAREST_M / self.eye_rho_m;
        let mut best = self.ground(nearest_rad);
        let mut queue = BinaryHeap::new();
        let range_m = self.surface.relief().range_m();
        let mut near = nearest_rad;
        // From the eye to its horizon on a sphere below all ground, and on to the highest ground behind it.
        let lowest_m = self.ellipsoid.semi_minor_m().powi(2) / self.ellipsoid.semi_major_m() + range_m.0;
        let beyond = |height_m: f64| (lowest_m / (lowest_m + (height_m - range_m.0).max(0.0))).acos();
        let eye_height_m = self.eye_rho_m - self.radius_m;
        let farthest = (1.1 * (beyond(eye_height_m) + beyond(range_m.1))).clamp(FARTHEST_RAD, 3.0);
        while near < farthest {
            let far = (2.0 * near).min(farthest);
            queue.extend(self.interval((near, far), range_m, &mut best));
            near = far;
        }
        for pieces in 0..MOST_PIECES {
            let times = if pieces < MANY_PIECES { 1.0 } else { Horizon::MOST_TOLERANCES };
            let open = loop {
                let Some(interval) = queue.pop() else { return Ok(self.summit(best)) };
                // Pieces nearer to the eye have a wider tolerance: the rest may still be open.
                if interval.max_elevation_rad <= best.elevation_rad + times * Horizon::TOLERANCE_RAD {
                    return Ok(self.summit(best));
                }
                if self.is_open(&interval, &best, times) {
                    break interval;
                }
            };
            let AngleInterval { angles: (near, far), heights_m, .. } = open;
            let middle = 0.5 * (near + far);
            for half in [(near, middle), (middle, far)] {
                queue.extend(self.interval(half, heights_m, &mut best));
            }
        }
        Err(HorizonError::TooLong { limit: MOST_PIECES, azimuth_deg: self.azimuth_rad.to_degrees() })
    }

    /// The highest ground about a point that is hardly lower: along level ground, as the sea is, the place says more than the elevation.
    fn summit(&self, mut best: GroundPoint) -> HorizonPoint {
        let nearest_rad = NEAREST_M / self.eye_rho_m;
        let mut step = 0.25 * best.angle;
        while step > PLACE_PART * best.angle {
            let beside = [best.angle - step, best.angle + step].map(|angle| self.ground(angle.max(nearest_rad)));
            match beside.into_iter().find(|other| other.elevation_rad > best.elevation_rad) {
                Some(higher) => best = higher,
                None => step *= 0.5,
            }
        }
        self.point(&best)
    }

    fn point(&self, ground_point: &GroundPoint) -> HorizonPoint {
        HorizonPoint {
            azimuth_rad: self.azimuth_rad,
            elevation_rad: ground_point.elevation_rad,
            distance_m: ground_point.position_m.distance(self.at(0.0, self.eye_rho_m)),
            place: self.ellipsoid.geodetic(ground_point.position_m),
        }
    }

    /// Looks at ground between two angles, whose heights are within bounds; `None` if it cannot be the highest.
    fn interval(&self, angles: (f64, f64), within_m: (f64, f64), best: &mut GroundPoint) -> Option<AngleInterval> {
        let (near, far) = angles;
        let middle = self.ground(0.5 * (near + far));
        if middle.elevation_rad > best.elevation_rad {
            *best = middle;
        }
        // The normal turns along the piece, and leans a little with the height, as it is not quite along the line from C.
        let off_m = (within_m.1 - middle.height_m).max(middle.height_m - within_m.0);
        let Roundness { turn, skew, .. } = self.roundness;
        let radius_rad = 0.5 * (far - near) * turn + skew * far * off_m / (0.99 * self.ellipsoid.semi_minor_m());
        let (low_m, high_m) = self.surface.relief().bounds_m(&Region::cap(middle.normal, radius_rad));
        let heights_m = (low_m.max(within_m.0), high_m.min(within_m.1));
        let max_elevation_rad = self.max_elevation_rad(angles, heights_m);
        let interval = AngleInterval { max_elevation_rad, angles, heights_m };
        self.is_open(&interval, best, 1.0).then_some(interval)
    }

    /// Whether ground of a piece may be higher than the best by more than so many times the tolerance.
    fn is_open(&self, interval: &AngleInterval, best: &GroundPoint, times: f64) -> bool {
        let away_m = interval.angles.0 * self.eye_rho_m;
        let tolerance_rad = Horizon::TOLERANCE_RAD.max(Horizon::TOLERANCE_M / away_m);
        interval.max_elevation_rad > best.elevation_rad + times * tolerance_rad
    }

    /// An elevation that no ground between two angles exceeds, if its heights are within bounds.
    fn max_elevation_rad(&self, (near, far): (f64, f64), (low_m, high_m): (f64, f64)) -> f64 {
        let ends = [near, far].map(|angle| self.ellipsoid_rho_m(angle));
        let bend_m = self.roundness.bend_m * (far - near) * (far - near) / 8.0;
        // A height is along the normal, rho along the line from C.
        let lean_m = 0.55 * (self.roundness.skew * far).powi(2) * low_m.abs().max(high_m.abs());
        let most_m = ends[0].max(ends[1]) + bend_m + lean_m + high_m;
        let least_m = ends[0].min(ends[1]) - bend_m - lean_m + low_m;
        let touching = (most_m / self.eye_rho_m).min(1.0).acos();
        let (_, straight_rad) = self.distance_and_elevation(touching.clamp(near, far), most_m);
        let rise_m = |angle: f64, rho_m: f64| (rho_m * angle.cos() - self.eye_rho_m).abs();
        let away_m = if self.refraction >= 0.0 {
            (most_m * far.sin()).hypot(rise_m(near, most_m).max(rise_m(far, least_m)))
        } else {
            least_m * near.sin()
        };
        straight_rad + self.refraction * away_m / (2.0 * self.ellipsoid.mean_radius_m())
    }

    /// The ground at an angle: the point of the plane whose height above the ellipsoid is that of the ground there.
    fn ground(&self, angle: f64) -> GroundPoint {
        let (mut rho_m, slope) = (self.ellipsoid_rho_m(angle), self.up * angle.cos() + self.forward * angle.sin());
        // The place below hardly depends on rho, so a few rounds settle it to far below a millimetre.
        for round in 0.. {
            let position_m = self.at(angle, rho_m);
            let normal = self.ellipsoid.normal_at(position_m);
            let height_m = self.surface.height_m(normal);
            let missing_m = height_m - self.ellipsoid.height_along_m(position_m, normal);
            if missing_m.abs() < 1e-5 || round == 12 {
                let (distance_m, straight_rad) = self.distance_and_elevation(angle, rho_m);
                let elevation_rad =
                    straight_rad + self.refraction * distance_m / (2.0 * self.ellipsoid.mean_radius_m());
                return GroundPoint { angle, elevation_rad, position_m, normal, height_m };
            }
            rho_m += missing_m / slope.dot(normal);
        }
        unreachable!("the last round returns")
    }

    fn at(&self, angle: f64, rho_m: f64) -> DVec3 {
        self.centre_m + (self.up * angle.cos() + self.forward * angle.sin()) * rho_m
    }

    /// Distance and elevation of a point as seen from the eye along a straight line.
    fn distance_and_elevation(&self, angle: f64, rho_m: f64) -> (f64, f64) {
        let half_sin = (0.5 * angle).sin();
        let (x_m, z_m) = (rho_m * angle.sin(), rho_m - self.eye_rho_m - 2.0 * rho_m * half_sin * half_sin);
        (x_m.hypot(z_m), z_m.atan2(x_m))
    }

    /// Distance from C to the ellipsoid: the positive root of |C + rho d| = a with z scaled to make the ellipsoid a sphere.
    fn ellipsoid_rho_m(&self, angle: f64) -> f64 {
        let round = self.ellipsoid.sphere_scale();
        let (c, d) = (self.centre_m * round, (self.up * angle.cos() + self.forward * angle.sin()) * round);
        let (along, squared) = (c.dot(d), d.length_squared());
        ((along * along + squared * (self.ellipsoid.semi_major_m().powi(2) - c.length_squared())).sqrt() - along)
            / squared
    }
}

impl PartialEq for AngleInterval {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for AngleInterval {}

impl PartialOrd for AngleInterval {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for AngleInterval {
    fn cmp(&self, other: &Self) -> Ordering {
        self.max_elevation_rad.total_cmp(&other.max_elevation_rad)
    }
}

#[cfg(test)]
mod tests {
    use std::{
        f64::consts::{FRAC_PI_2, PI, TAU},
        sync::Arc,
    };

    use elevation::height::{GlobalGrid, Registration, Relief};
    use rand::Rng;

    use super::*;
    use crate::{random::rng, terrains::bodies};

    /// Law: in every plane through a normal of every body, as far as it is looked at, the ellipsoid is no less round than is said.
    #[test]
    fn ellipsoids_are_as_round_as_said() {
        const STEP: f64 = 1e-3;
        let mut rng = rng();
        for ellipsoid in bodies() {
            let bare = GlobalGrid::from_fn(8, 5, Registration::Node, |_, _| 0.0);
            let surface = Surface::new(Arc::new(Relief::from_grid_on(ellipsoid, bare).unwrap()));
            let Roundness { turn, skew, bend_m } = Roundness::of(ellipsoid);
            for _ in 0..5_000 {
                let (lat_rad, lon_rad) = (rng.random_range(-FRAC_PI_2..FRAC_PI_2), rng.random_range(-PI..PI));
                let eye = Geodetic { lat_rad, lon_rad, height_m: 0.0 };
                let slice = Slice::new(&surface, eye, rng.random_range(0.0..TAU), 0.0);
                let angle = rng.random_range(STEP..FARTHEST_RAD);
                let [before_m, rho_m, after_m] =
                    [angle - STEP, angle, angle + STEP].map(|angle| slice.ellipsoid_rho_m(angle));
                let bent_m = (before_m - 2.0 * rho_m + after_m).abs() / (STEP * STEP);
                // Rounding is a hundredth of a metre.
                assert!(bent_m <= bend_m + 0.05, "{bent_m} of {bend_m} m at {angle} of {eye:?} on {ellipsoid:?}");
                let [normal, next] = [(angle, rho_m), (angle + STEP, after_m)]
                    .map(|(angle, rho_m)| ellipsoid.normal_at(slice.at(angle, rho_m)));
                let turned = normal.distance(next) / STEP;
                assert!(turned <= turn + 1e-6, "{turned} of {turn} at {angle} of {eye:?} on {ellipsoid:?}");
                let off = normal.distance(slice.up * angle.cos() + slice.forward * angle.sin());
                assert!(off <= skew * angle + 1e-9, "{off} of {skew} at {angle} of {eye:?} on {ellipsoid:?}");
            }
        }
    }
}
