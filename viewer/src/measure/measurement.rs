//! What lies between two places? Lengths, bearing, heights along the way, and whether one sees the other.

use geographiclib_rs::{Geodesic, InverseGeodesic};
use terrain::geodesy::{Geodetic, from_ecef};
use terrain::surface::{ProfilePoint, RayError, Surface};

/// Height of an eye that stands at the first place, metres.
pub const EYE_M: f64 = 2.0;

/// Samples along the way for each posting of the data: the surface between postings is a smooth curve.
const SAMPLES_PER_POSTING: f64 = 4.0;
/// Longest way between samples: its chord is shorter than its arc by less than a part in ten million.
const LONGEST_STEP_M: f64 = 5_000.0;
/// Most samples along the way.
const MOST_SAMPLES: usize = 8_192;
/// Points of the line of sight.
const SIGHT_POINTS: usize = 128;

/// What lies between two places.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// Length of the geodesic on the ellipsoid, metres.
    pub ellipsoid_m: f64,
    /// Length over the ground above the geodesic, metres.
    pub surface_m: f64,
    /// Length of the straight line, metres.
    pub straight_m: f64,
    /// Bearing at the first place, clockwise from north, in [0, 360); none where the places are one.
    pub bearing_deg: Option<f64>,
    /// What the way rises and falls in all, metres.
    pub climb_m: (f64, f64),
    /// The ground along the geodesic, both ends counted.
    pub profile: Vec<ProfilePoint>,
    /// The straight line from an eye at the first place to the ground at the second: along the geodesic and above the datum, metres.
    pub sight_line_m: Vec<(f64, f64)>,
    /// Whether that line is free.
    pub sight: Sight,
}

/// Whether one place is seen from another.
#[derive(Debug, Clone, PartialEq)]
pub enum Sight {
    /// Nothing stands between.
    Free,
    /// Ground stands between.
    Blocked {
        /// From the eye to it along the line, metres.
        distance_m: f64,
        /// Where.
        place: Geodetic,
    },
    /// It cannot be told, because of this.
    Unknown(RayError),
}

impl Measurement {
    /// Measures from one place on the ground of a surface to another.
    pub fn between(surface: &Surface, from: Geodetic, to: Geodetic) -> Measurement {
        let degrees = |place: Geodetic| (place.lat_rad.to_degrees(), place.lon_rad.to_degrees());
        let ((lat1, lon1), (lat2, lon2)) = (degrees(from), degrees(to));
        let (ellipsoid_m, azimuth_deg, _, _): (f64, f64, f64, f64) = Geodesic::wgs84().inverse(lat1, lon1, lat2, lon2);
        let relief = surface.relief();
        let posting_m = relief.finest_m(from.normal()).min(relief.finest_m(to.normal()));
        let step_m = (posting_m / SAMPLES_PER_POSTING).clamp(1e-3, LONGEST_STEP_M);
        let samples = (ellipsoid_m / step_m).ceil() as usize + 2;
        let profile = surface.profile(from, to, samples.clamp(64, MOST_SAMPLES));
        let rises = || profile.windows(2).map(|two| two[1].place.height_m - two[0].place.height_m);
        let eye = Geodetic { height_m: from.height_m + EYE_M, ..from };
        let sight = match surface.line_of_sight(eye, to) {
            Ok(None) => Sight::Free,
            Ok(Some(hit)) => Sight::Blocked { distance_m: hit.distance_m, place: hit.place },
            Err(error) => Sight::Unknown(error),
        };
        Measurement {
            ellipsoid_m,
            surface_m: profile.windows(2).map(|two| two[0].place.to_ecef().distance(two[1].place.to_ecef())).sum(),
            straight_m: from.to_ecef().distance(to.to_ecef()),
            bearing_deg: (ellipsoid_m > 0.0).then(|| azimuth_deg.rem_euclid(360.0)),
            climb_m: (rises().filter(|m| *m > 0.0).sum(), -rises().filter(|m| *m < 0.0).sum::<f64>()),
            sight_line_m: sight_line(eye, to, ellipsoid_m),
            profile,
            sight,
        }
    }
}

/// Points of a straight line by their distance along the ground and their height above the datum: it sags below the
/// horizon as the Earth bulges towards it.
fn sight_line(eye: Geodetic, to: Geodetic, along_m: f64) -> Vec<(f64, f64)> {
    let (start, end) = (eye.to_ecef(), to.to_ecef());
    let whole = eye.normal().angle_between(to.normal());
    let point = |i: usize| {
        let place = from_ecef(start.lerp(end, i as f64 / SIGHT_POINTS as f64));
        let part = if whole > 0.0 { eye.normal().angle_between(place.normal()) / whole } else { 0.0 };
        (along_m * part, place.height_m)
    };
    (0..=SIGHT_POINTS).map(point).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use terrain::height::{GlobalGrid, Registration, Relief};

    use super::*;
    use crate::terrain::flat;

    fn place(lat_deg: f64, lon_deg: f64, height_m: f64) -> Geodetic {
        Geodetic::from_degrees(lat_deg, lon_deg, height_m)
    }

    /// Law: over the sea both lengths are the geodesic's, the bearing is Karney's, over the pole and 180 degrees too; and
    /// higher ground is longer in the proportion of the radii.
    #[test]
    fn lengths_over_level_ground() {
        let oslo_to_sydney = Measurement::between(&flat(0.0), place(59.91, 10.75, 0.0), place(-33.86, 151.21, 0.0));
        assert!((oslo_to_sydney.surface_m / oslo_to_sydney.ellipsoid_m - 1.0).abs() < 1e-7);
        let over_the_pole = Measurement::between(&flat(0.0), place(89.0, 20.0, 0.0), place(89.0, -160.0, 0.0));
        assert!((over_the_pole.ellipsoid_m - 2.0 * 111_693.9).abs() < 1.0, "{}", over_the_pole.ellipsoid_m);
        assert_eq!(over_the_pole.bearing_deg.map(f64::round), Some(0.0));
        let date_line = Measurement::between(&flat(3_000.0), place(0.0, 179.5, 3e3), place(0.0, -179.5, 3e3));
        let equator_m = std::f64::consts::PI / 180.0 * 6_378_137.0;
        assert!((date_line.ellipsoid_m - equator_m).abs() < 1e-3 && date_line.bearing_deg == Some(90.0));
        assert!((date_line.surface_m - equator_m * (1.0 + 3_000.0 / 6_378_137.0)).abs() < 0.01);
        assert_eq!(date_line.climb_m, (0.0, 0.0));
    }

    /// Law: a ridge is climbed and descended, the way over it is longer, and it hides what is
    /// behind; on level ground one sees as far as the horizon.
    #[test]
    fn a_ridge_stands_between() {
        let ridge = |lon: f64, _| 2_000.0 - 2_000.0 * (lon - 10.0).abs().min(1.0);
        let relief = Relief::from_grid(GlobalGrid::from_fn(1440, 721, Registration::Node, ridge)).expect("a grid");
        let surface = Surface::new(Arc::new(relief));
        let (west, east) = (place(0.0, 9.0, 0.0), place(0.0, 11.0, 0.0));
        let over = Measurement::between(&surface, west, east);
        assert!((over.climb_m.0 - 2_000.0).abs() < 20.0 && (over.climb_m.1 - 2_000.0).abs() < 20.0, "{over:?}");
        assert!(over.surface_m > over.ellipsoid_m && over.ellipsoid_m > over.straight_m);
        assert!(matches!(over.sight, Sight::Blocked { distance_m, .. } if distance_m < 111_000.0), "{:?}", over.sight);
        // An eye 2 m up sees 5.05 km of sea.
        let sea = |lon| Measurement::between(&flat(0.0), place(0.0, 0.0, 0.0), place(0.0, lon, 0.0)).sight;
        assert_eq!(sea(0.045), Sight::Free);
        assert!(matches!(sea(0.046), Sight::Blocked { .. }));
    }

    #[test]
    fn one_place_twice_has_no_bearing() {
        let here = place(45.0, 7.0, 0.0);
        let none = Measurement::between(&flat(0.0), here, here);
        assert_eq!((none.ellipsoid_m, none.surface_m, none.bearing_deg), (0.0, 0.0, None));
        assert_eq!(none.sight, Sight::Free);
    }

    /// Law: the line of sight starts at the eye, ends at the target, and half-way hangs as far below the chord's ends as
    /// the Earth bulges, an eighth of the squared way over the radius.
    #[test]
    fn the_line_of_sight_sags_by_the_earths_curvature() {
        let far = Measurement::between(&flat(0.0), place(0.0, 0.0, 0.0), place(0.0, 1.0, 0.0));
        let (first, middle, last) =
            (far.sight_line_m[0], far.sight_line_m[SIGHT_POINTS / 2], far.sight_line_m[SIGHT_POINTS]);
        assert!((first.1 - EYE_M).abs() < 1e-6 && last.1.abs() < 1e-6 && (last.0 - far.ellipsoid_m).abs() < 1e-6);
        let bulge_m = far.ellipsoid_m.powi(2) / 8.0 / 6_378_137.0;
        assert!((middle.1 - (0.5 * EYE_M - bulge_m)).abs() < 0.1, "{middle:?} {bulge_m}");
        assert!(matches!(far.sight, Sight::Blocked { .. }));
    }
}
