//! Does one place see another? The straight line between them, and what stands in it.

use terrain::geodesy::{Ellipsoid, Geodetic};
use terrain::surface::{Hit, RayError, Surface};

/// Height of an eye that stands at the first place, metres.
pub const EYE_M: f64 = 2.0;

/// The part of a line, from the eye on, in which it meets the ground that the eye stands on rather than something in the way.
const AT_THE_FEET: f64 = 0.01;

/// Ground no higher than this above another is level with it, metres.
const LEVEL_M: f64 = 1e-3;

/// Points of the line of sight.
const SIGHT_POINTS: usize = 128;

/// The line of sight between two places.
#[derive(Debug, Clone, PartialEq)]
pub struct LineOfSight {
    /// Its length, metres.
    pub straight_m: f64,
    /// The straight line from an eye at the first place to the ground at the second: along the geodesic and above the datum, metres.
    pub line_m: Vec<(f64, f64)>,
    /// Whether that line is free.
    pub sight: SightResult,
}

/// Whether a line of sight is free.
#[derive(Debug, Clone, PartialEq)]
pub enum SightResult {
    /// Nothing stands between.
    Free,
    /// Ground stands between.
    Blocked {
        /// From the eye to it along the line, metres.
        distance_m: f64,
        /// Where.
        place: Geodetic,
    },
    /// The line goes into the ground at the eye's feet, and below all ground there is: the Earth's curve hides the target.
    BeyondHorizon {
        /// Depth of the line below the datum where it is deepest, metres.
        depth_m: f64,
    },
    /// It cannot be told, because of this.
    Unknown(RayError),
}

impl LineOfSight {
    /// Looks from one place to another, both on a surface, and so far from each other along it.
    pub fn between(surface: &Surface, from: Geodetic, to: Geodetic, along_m: f64) -> LineOfSight {
        let [from, to] = [from, to].map(|place| Geodetic { height_m: surface.height_m(place.normal()), ..place });
        let eye = Geodetic { height_m: from.height_m + EYE_M, ..from };
        let ellipsoid = surface.relief().ellipsoid();
        let straight_m = from.to_ecef(ellipsoid).distance(to.to_ecef(ellipsoid));
        let line_m = line(ellipsoid, eye, to, along_m);
        let deepest_m = line_m.iter().map(|(_, height_m)| *height_m).fold(f64::INFINITY, f64::min);
        let is_below_all = deepest_m < surface.relief().range_m().0;
        // Level or falling ground: what rises before the eye is in the way.
        let is_at_feet =
            |hit: &Hit| hit.distance_m < AT_THE_FEET * straight_m && hit.place.height_m <= from.height_m + LEVEL_M;
        let sight = match surface.line_of_sight(eye, to) {
            Ok(None) => SightResult::Free,
            Ok(Some(hit)) if is_below_all && is_at_feet(&hit) => SightResult::BeyondHorizon { depth_m: -deepest_m },
            Ok(Some(hit)) => SightResult::Blocked { distance_m: hit.distance_m, place: hit.place },
            Err(error) => SightResult::Unknown(error),
        };
        LineOfSight { straight_m, line_m, sight }
    }
}

/// Points of a straight line by their distance along the ground and their height above the datum: it sags below the
/// horizon as the Earth bulges towards it.
fn line(ellipsoid: Ellipsoid, eye: Geodetic, to: Geodetic, along_m: f64) -> Vec<(f64, f64)> {
    let (start, end) = (eye.to_ecef(ellipsoid), to.to_ecef(ellipsoid));
    let whole = eye.normal().angle_between(to.normal());
    let point = |i: usize| {
        let place = ellipsoid.geodetic(start.lerp(end, i as f64 / SIGHT_POINTS as f64));
        let part = if whole > 0.0 { eye.normal().angle_between(place.normal()) / whole } else { 0.0 };
        (along_m * part, place.height_m)
    };
    (0..=SIGHT_POINTS).map(point).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use terrain::height::{GlobalGrid, Registration, Relief};

    use super::super::leg::Leg;
    use super::*;
    use crate::terrain::flat;

    fn place(lat_deg: f64, lon_deg: f64, height_m: f64) -> Geodetic {
        Geodetic::from_degrees(lat_deg, lon_deg, height_m)
    }

    fn between(surface: &Surface, from: Geodetic, to: Geodetic) -> LineOfSight {
        LineOfSight::between(surface, from, to, Leg::between(surface, from, to).ellipsoid_m)
    }

    /// Law: a ridge hides what is behind; on level ground one sees as far as the horizon, and oneself.
    #[test]
    fn a_ridge_stands_between() {
        let ridge = |lon: f64, _| 2_000.0 - 2_000.0 * (lon - 10.0).abs().min(1.0);
        let relief = Relief::from_grid(GlobalGrid::from_fn(1440, 721, Registration::Node, ridge)).expect("a grid");
        let surface = Surface::new(Arc::new(relief));
        let (west, east) = (place(0.0, 9.0, 0.0), place(0.0, 11.0, 0.0));
        let over = between(&surface, west, east);
        assert!(
            (over.straight_m - west.to_ecef(Ellipsoid::WGS84).distance(east.to_ecef(Ellipsoid::WGS84))).abs() < 1e-9
        );
        assert!(
            matches!(over.sight, SightResult::Blocked { distance_m, .. } if distance_m < 111_000.0),
            "{:?}",
            over.sight
        );
        // An eye 2 m up sees 5.05 km of sea.
        let sea = |lon| between(&flat(0.0), place(0.0, 0.0, 0.0), place(0.0, lon, 0.0)).sight;
        assert_eq!(sea(0.045), SightResult::Free);
        assert!(matches!(sea(0.046), SightResult::Blocked { .. }));
        assert_eq!(sea(0.0), SightResult::Free);
    }

    /// Law: the line of sight starts at the eye, ends at the target, and half-way hangs as far below the chord's ends as
    /// the Earth bulges, an eighth of the squared way over the radius.
    #[test]
    fn the_line_of_sight_sags_by_the_earths_curvature() {
        let far = between(&flat(0.0), place(0.0, 0.0, 0.0), place(0.0, 1.0, 0.0));
        let (first, middle, last) = (far.line_m[0], far.line_m[SIGHT_POINTS / 2], far.line_m[SIGHT_POINTS]);
        let along_m = std::f64::consts::PI / 180.0 * 6_378_137.0;
        assert!((first.1 - EYE_M).abs() < 1e-6 && last.1.abs() < 1e-6 && (last.0 - along_m).abs() < 1e-6);
        let bulge_m = along_m.powi(2) / 8.0 / 6_378_137.0;
        assert!((middle.1 - (0.5 * EYE_M - bulge_m)).abs() < 0.1, "{middle:?} {bulge_m}");
        assert_eq!(far.sight, SightResult::BeyondHorizon { depth_m: -middle.1 });
    }
}
