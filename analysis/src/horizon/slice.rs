//! Which ground stands highest in a vertical plane? Found best first, by bounds of the ground in pieces of the plane.
//!
//! The plane through the eye's normal and an azimuth meets the ellipsoid in a curve whose centre of curvature below the eye is C.
//! A point of the plane is (angle at C from the eye, distance from C): x = rho sin(angle), z = rho cos(angle) - rho of the eye.
//! For ground of height at most H in a piece, rho is at most that of the ellipsoid plus H, and the elevation of a circle of
//! that radius is greatest at the near end of the piece or where the eye's tangent touches the circle.

use std::{cmp::Ordering, collections::BinaryHeap};

use elevation::{
    geodesy::{Geodetic, SEMI_MAJOR_M, SEMI_MINOR_M, east_north_up, ecef, from_ecef, normal_at, radii_m},
    height::Region,
    surface::{MEAN_RADIUS_M, Surface},
};
use glam::DVec3;

use super::{Horizon, HorizonError, HorizonPoint};

/// Ground nearer than this is what the eye stands on.
const NEAREST_M: f64 = 1.0;
/// The farthest ground: 69 degrees of the Earth, beyond what an eye 1 000 km high sees.
const FARTHEST_RAD: f64 = 1.2;
/// Pieces that are looked at, at most: some seconds of work.
const MOST_PIECES: usize = 1 << 20;
/// The ellipsoid's normal turns at most so much for each radian at C: its radius of curvature is at least b^2 / a, C within
/// 43 km of the middle.
const TURN: f64 = 1.02;
/// Between the normal and the direction from C there is at most this angle for each radian at C: both start as one, curvatures
/// differ by e^2 (1 + e^2) and a little, the torsion of a section is at most e^2 / 2.
const SKEW: f64 = 0.0135;
/// The second derivative of the ellipsoid's rho by the angle, at most: 43 km for each of C's distance from the middle and
/// of the section's flattening.
const BEND_M: f64 = 1e5;

/// A vertical half-plane at an eye.
pub(super) struct Slice<'a> {
    surface: &'a Surface,
    centre_m: DVec3,
    up: DVec3,
    forward: DVec3,
    /// Of the eye, from C.
    eye_rho_m: f64,
    azimuth_rad: f64,
    refraction: f64,
}

/// Ground in the plane.
#[derive(Clone, Copy)]
struct Spot {
    elevation_rad: f64,
    position_m: DVec3,
    normal: DVec3,
    height_m: f64,
}

/// Ground between two angles at C.
struct Piece {
    /// No ground of it has a greater elevation.
    most_rad: f64,
    angles: (f64, f64),
    /// Bounds of its heights.
    heights_m: (f64, f64),
}

impl<'a> Slice<'a> {
    pub fn new(surface: &'a Surface, eye: Geodetic, azimuth_rad: f64, refraction: f64) -> Self {
        let up = eye.normal();
        let (east, north, _) = east_north_up(up);
        let (sin, cos) = azimuth_rad.sin_cos();
        // Euler's formula for the curvature of a normal section.
        let [prime_vertical_m, meridian_m] = radii_m(up.z);
        let radius_m = 1.0 / (cos * cos / meridian_m + sin * sin / prime_vertical_m);
        Self {
            surface,
            centre_m: ecef(up, -radius_m),
            up,
            forward: east * sin + north * cos,
            eye_rho_m: radius_m + eye.height_m,
            azimuth_rad,
            refraction,
        }
    }

    /// The ground with the greatest elevation, to the tolerance.
    pub fn highest(&self) -> Result<HorizonPoint, HorizonError> {
        let nearest_rad = NEAREST_M / self.eye_rho_m;
        let mut best = self.ground(nearest_rad);
        let mut waiting = BinaryHeap::new();
        let range_m = self.surface.relief().range_m();
        let mut near = nearest_rad;
        while near < FARTHEST_RAD {
            let far = (2.0 * near).min(FARTHEST_RAD);
            waiting.extend(self.piece((near, far), range_m, &mut best));
            near = far;
        }
        for _ in 0..MOST_PIECES {
            let open = loop {
                let Some(piece) = waiting.pop() else { return Ok(self.point(&best)) };
                // Pieces nearer to the eye have a wider tolerance: the rest may still be open.
                if piece.most_rad <= best.elevation_rad + Horizon::TOLERANCE_RAD {
                    return Ok(self.point(&best));
                }
                if self.is_open(&piece, &best) {
                    break piece;
                }
            };
            let Piece { angles: (near, far), heights_m, .. } = open;
            let middle = 0.5 * (near + far);
            for half in [(near, middle), (middle, far)] {
                waiting.extend(self.piece(half, heights_m, &mut best));
            }
        }
        Err(HorizonError::TooLong { limit: MOST_PIECES, azimuth_deg: self.azimuth_rad.to_degrees() })
    }

    fn point(&self, spot: &Spot) -> HorizonPoint {
        HorizonPoint {
            azimuth_rad: self.azimuth_rad,
            elevation_rad: spot.elevation_rad,
            distance_m: spot.position_m.distance(self.at(0.0, self.eye_rho_m)),
            place: Geodetic { height_m: spot.height_m, ..from_ecef(spot.position_m) },
        }
    }

    /// Looks at ground between two angles, whose heights are within bounds; `None` if it cannot be the highest.
    fn piece(&self, angles: (f64, f64), within_m: (f64, f64), best: &mut Spot) -> Option<Piece> {
        let (near, far) = angles;
        let middle = self.ground(0.5 * (near + far));
        if middle.elevation_rad > best.elevation_rad {
            *best = middle;
        }
        // The normal turns along the piece, and leans a little with the height, as it is not quite along the line from C.
        let off_m = (within_m.1 - middle.height_m).max(middle.height_m - within_m.0);
        let radius_rad = 0.5 * (far - near) * TURN + SKEW * far * off_m / (0.99 * SEMI_MINOR_M);
        let (low_m, high_m) = self.surface.relief().bounds_m(&Region::cap(middle.normal, radius_rad));
        let heights_m = (low_m.max(within_m.0), high_m.min(within_m.1));
        let most_rad = self.most_rad(angles, heights_m);
        let piece = Piece { most_rad, angles, heights_m };
        self.is_open(&piece, best).then_some(piece)
    }

    /// Whether ground of a piece may be higher than the best by more than the tolerance.
    fn is_open(&self, piece: &Piece, best: &Spot) -> bool {
        let away_m = piece.angles.0 * self.eye_rho_m;
        piece.most_rad > best.elevation_rad + Horizon::TOLERANCE_RAD.max(Horizon::TOLERANCE_M / away_m)
    }

    /// An elevation that no ground between two angles exceeds, if its heights are within bounds.
    fn most_rad(&self, (near, far): (f64, f64), (low_m, high_m): (f64, f64)) -> f64 {
        let ends = [near, far].map(|angle| self.ellipsoid_rho_m(angle));
        let bend_m = BEND_M * (far - near) * (far - near) / 8.0;
        // A height is along the normal, rho along the line from C.
        let lean_m = 1e-4 * far * far * low_m.abs().max(high_m.abs());
        let most_m = ends[0].max(ends[1]) + bend_m + lean_m + high_m;
        let least_m = ends[0].min(ends[1]) - bend_m - lean_m + low_m;
        let touching = (most_m / self.eye_rho_m).min(1.0).acos();
        let (_, straight_rad) = self.seen(touching.clamp(near, far), most_m);
        let rise_m = |angle: f64, rho_m: f64| (rho_m * angle.cos() - self.eye_rho_m).abs();
        let away_m = if self.refraction >= 0.0 {
            (most_m * far.sin()).hypot(rise_m(near, most_m).max(rise_m(far, least_m)))
        } else {
            least_m * near.sin()
        };
        straight_rad + self.refraction * away_m / (2.0 * MEAN_RADIUS_M)
    }

    /// The ground at an angle: the point of the plane whose height above the ellipsoid is that of the ground there.
    fn ground(&self, angle: f64) -> Spot {
        let (mut rho_m, slope) = (self.ellipsoid_rho_m(angle), self.up * angle.cos() + self.forward * angle.sin());
        // The place below hardly depends on rho, so a few rounds settle it to far below a millimetre.
        for round in 0.. {
            let position_m = self.at(angle, rho_m);
            let normal = normal_at(position_m);
            let height_m = self.surface.height_m(normal);
            let missing_m = height_m - (position_m - ecef(normal, 0.0)).dot(normal);
            if missing_m.abs() < 1e-5 || round == 12 {
                let (distance_m, straight_rad) = self.seen(angle, rho_m);
                let elevation_rad = straight_rad + self.refraction * distance_m / (2.0 * MEAN_RADIUS_M);
                return Spot { elevation_rad, position_m, normal, height_m };
            }
            rho_m += missing_m / slope.dot(normal);
        }
        unreachable!("the last round returns")
    }

    fn at(&self, angle: f64, rho_m: f64) -> DVec3 {
        self.centre_m + (self.up * angle.cos() + self.forward * angle.sin()) * rho_m
    }

    /// Distance and elevation of a point as seen from the eye along a straight line.
    fn seen(&self, angle: f64, rho_m: f64) -> (f64, f64) {
        let half_sin = (0.5 * angle).sin();
        let (x_m, z_m) = (rho_m * angle.sin(), rho_m - self.eye_rho_m - 2.0 * rho_m * half_sin * half_sin);
        (x_m.hypot(z_m), z_m.atan2(x_m))
    }

    /// Distance from C to the ellipsoid: the positive root of |C + rho d| = a with z scaled to make the ellipsoid a sphere.
    fn ellipsoid_rho_m(&self, angle: f64) -> f64 {
        let round = DVec3::new(1.0, 1.0, SEMI_MAJOR_M / SEMI_MINOR_M);
        let (c, d) = (self.centre_m * round, (self.up * angle.cos() + self.forward * angle.sin()) * round);
        let (along, squared) = (c.dot(d), d.length_squared());
        ((along * along + squared * (SEMI_MAJOR_M * SEMI_MAJOR_M - c.length_squared())).sqrt() - along) / squared
    }
}

impl PartialEq for Piece {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Piece {}

impl PartialOrd for Piece {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Piece {
    fn cmp(&self, other: &Self) -> Ordering {
        self.most_rad.total_cmp(&other.most_rad)
    }
}
