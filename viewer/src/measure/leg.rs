//! What lies on the way from one marker to the next? The geodesic's length and bearing, and the ground along it.

use geographiclib_rs::{DirectGeodesic, InverseGeodesic};
use terrain::geodesy::{Ellipsoid, Geodetic};
use terrain::surface::Surface;

/// Samples along the way for each posting of the data: the surface between postings is a smooth curve.
const SAMPLES_PER_POSTING: f64 = 4.0;
/// Longest way between samples: its chord is shorter than its arc by less than a part in ten million.
const LONGEST_STEP_M: f64 = 5_000.0;
/// Most samples along the way.
const MOST_SAMPLES: usize = 8_192;
/// An edge that is straight in longitude and latitude lies within so much of the geodesic, metres.
const STRAIGHT_M: f64 = 1.0;
/// Longer edges are halved in any case: over the equator the middle of both lines is one, metres.
const LONGEST_EDGE_M: f64 = 50_000.0;
/// Halves of halves of a leg at most: those of half the Earth are 20 m long.
const MOST_HALVINGS: u32 = 20;

/// The way from one place on the ground to another.
#[derive(Debug, Clone, PartialEq)]
pub struct Leg {
    /// Length of the geodesic on the ellipsoid, metres.
    pub ellipsoid_m: f64,
    /// Length over the ground above the geodesic, metres.
    pub surface_m: f64,
    /// Bearing at the first place, clockwise from north, in [0, 360); none where the places are one.
    pub bearing_deg: Option<f64>,
    /// What the way rises and falls in all, metres.
    pub climb_m: (f64, f64),
    /// The ground along the geodesic, both ends counted.
    pub profile: Vec<GroundPoint>,
}

/// A place on the ground along a way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroundPoint {
    /// From the start along the geodesics, metres.
    pub distance_m: f64,
    /// Where, with the height of the ground.
    pub place: Geodetic,
}

/// Latitude and longitude in degrees.
pub(super) fn degrees(place: Geodetic) -> (f64, f64) {
    (place.lat_rad.to_degrees(), place.lon_rad.to_degrees())
}

impl Leg {
    /// The way from one place on the ground of a surface to another.
    pub fn between(surface: &Surface, from: Geodetic, to: Geodetic) -> Leg {
        let ellipsoid = surface.relief().ellipsoid();
        let ((lat1, lon1), (lat2, lon2)) = (degrees(from), degrees(to));
        let (ellipsoid_m, azimuth_deg, _, _): (f64, f64, f64, f64) =
            ellipsoid.geodesic().inverse(lat1, lon1, lat2, lon2);
        let relief = surface.relief();
        let posting_m = relief.finest_m(from.normal()).min(relief.finest_m(to.normal()));
        let step_m = (posting_m / SAMPLES_PER_POSTING).clamp(1e-3, LONGEST_STEP_M);
        let samples = (ellipsoid_m / step_m).ceil() as usize + 2;
        let profile = surface.profile(from, to, samples.clamp(64, MOST_SAMPLES));
        let profile: Vec<GroundPoint> =
            profile.iter().map(|at| GroundPoint { distance_m: at.distance_m, place: at.place }).collect();
        let rises = || profile.windows(2).map(|two| two[1].place.height_m - two[0].place.height_m);
        Leg {
            ellipsoid_m,
            surface_m: profile
                .windows(2)
                .map(|two| two[0].place.to_ecef(ellipsoid).distance(two[1].place.to_ecef(ellipsoid)))
                .sum(),
            bearing_deg: (ellipsoid_m > 0.0).then(|| azimuth_deg.rem_euclid(360.0)),
            climb_m: (
                rises().map(|m| m.max(0.0)).sum::<f64>() + 0.0,
                rises().map(|m| (-m).max(0.0)).sum::<f64>() + 0.0,
            ),
            profile,
        }
    }
}

/// The ends of a profile, and the lowest and highest of each of so many parts of it, so that no peak is lost.
pub fn thinned(profile: &[GroundPoint], parts: usize) -> Vec<GroundPoint> {
    let bucket = profile.len().div_ceil(parts.max(1)).max(1);
    let mut thin: Vec<GroundPoint> = Vec::new();
    for points in profile.chunks(bucket) {
        let by_height = |a: &&GroundPoint, b: &&GroundPoint| a.place.height_m.total_cmp(&b.place.height_m);
        let both = points.iter().min_by(by_height).into_iter().chain(points.iter().max_by(by_height));
        let mut both: Vec<GroundPoint> = both.copied().collect();
        both.sort_by(|a, b| a.distance_m.total_cmp(&b.distance_m));
        both.dedup();
        thin.extend(both);
    }
    let (Some(first), Some(last)) = (profile.first(), profile.last()) else { return thin };
    if thin.first() != Some(first) {
        thin.insert(0, *first);
    }
    if thin.last() != Some(last) {
        thin.push(*last);
    }
    thin
}

/// The corners of a geodesic, longitude and latitude in degrees, between which lines that are straight in these are it to a metre: as
/// maps and GeoJSON draw them. The first place counts, the last does not.
pub(super) fn corners_deg(ellipsoid: Ellipsoid, from: Geodetic, to: Geodetic) -> Vec<[f64; 2]> {
    let ((lat1, lon1), (lat2, lon2)) = (degrees(from), degrees(to));
    let geodesic = ellipsoid.geodesic();
    let (length_m, azimuth_deg, _, _): (f64, f64, f64, f64) = geodesic.inverse(lat1, lon1, lat2, lon2);
    let at = |part: f64| -> [f64; 2] {
        let (lat, lon): (f64, f64) = geodesic.direct(lat1, lon1, azimuth_deg, length_m * part);
        [lon, lat]
    };
    let mut corners = vec![[lon1, lat1]];
    let mut parts = vec![(0.0, [lon1, lat1], 1.0, [lon2, lat2], 0)];
    while let Some((start, first, end, last, halvings)) = parts.pop() {
        let (half, middle) = (0.5 * (start + end), at(0.5 * (start + end)));
        let across = (last[0] - first[0] + 540.0).rem_euclid(360.0) - 180.0;
        let straight = [first[0] + 0.5 * across, 0.5 * (first[1] + last[1])];
        let (aside_m, _, _, _): (f64, f64, f64, f64) = geodesic.inverse(middle[1], middle[0], straight[1], straight[0]);
        let bends = aside_m > STRAIGHT_M || (end - start) * length_m > LONGEST_EDGE_M;
        if bends && halvings < MOST_HALVINGS {
            parts.push((half, middle, end, last, halvings + 1));
            parts.push((start, first, half, middle, halvings + 1));
        } else if end < 1.0 {
            corners.push(last);
        }
    }
    corners
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
        let oslo_to_sydney = Leg::between(&flat(0.0), place(59.91, 10.75, 0.0), place(-33.86, 151.21, 0.0));
        assert!((oslo_to_sydney.surface_m / oslo_to_sydney.ellipsoid_m - 1.0).abs() < 1e-7);
        let over_the_pole = Leg::between(&flat(0.0), place(89.0, 20.0, 0.0), place(89.0, -160.0, 0.0));
        assert!((over_the_pole.ellipsoid_m - 2.0 * 111_693.9).abs() < 1.0, "{}", over_the_pole.ellipsoid_m);
        assert_eq!(over_the_pole.bearing_deg.map(f64::round), Some(0.0));
        let date_line = Leg::between(&flat(3_000.0), place(0.0, 179.5, 3e3), place(0.0, -179.5, 3e3));
        let equator_m = std::f64::consts::PI / 180.0 * 6_378_137.0;
        assert!((date_line.ellipsoid_m - equator_m).abs() < 1e-3 && date_line.bearing_deg == Some(90.0));
        assert!((date_line.surface_m - equator_m * (1.0 + 3_000.0 / 6_378_137.0)).abs() < 0.01);
        // And no -0.
        assert_eq!(format!("{:?}", date_line.climb_m), "(0.0, 0.0)");
    }

    /// Law: a ridge is climbed and descended, and the way over it is longer.
    #[test]
    fn a_ridge_is_climbed() {
        let ridge = |lon: f64, _| 2_000.0 - 2_000.0 * (lon - 10.0).abs().min(1.0);
        let relief = Relief::from_grid(GlobalGrid::from_fn(1440, 721, Registration::Node, ridge)).expect("a grid");
        let over = Leg::between(&Surface::new(Arc::new(relief)), place(0.0, 9.0, 0.0), place(0.0, 11.0, 0.0));
        assert!((over.climb_m.0 - 2_000.0).abs() < 20.0 && (over.climb_m.1 - 2_000.0).abs() < 20.0, "{over:?}");
        assert!(over.surface_m > over.ellipsoid_m);
    }

    #[test]
    fn one_place_twice_has_no_bearing() {
        let here = place(45.0, 7.0, 0.0);
        let none = Leg::between(&flat(0.0), here, here);
        assert_eq!((none.ellipsoid_m, none.surface_m, none.bearing_deg), (0.0, 0.0, None));
    }

    /// Law: lines straight in longitude and latitude between the corners of a geodesic are nowhere further from it than two metres, in
    /// either hemisphere, over the equator, over 180 degrees and near a pole; and there are not more of them than that needs.
    #[test]
    fn corners_follow_the_geodesic() {
        const RADIUS_M: f64 = 6_371_000.0;
        let geodesic = Ellipsoid::WGS84.geodesic();
        for (from, to) in [
            ((48.0, 2.0), (35.0, 139.0)),
            ((-40.0, 0.0), (40.0, 100.0)),
            ((60.0, 170.0), (60.0, -170.0)),
            ((85.0, 0.0), (85.0, 170.0)),
            ((46.0, 7.0), (46.01, 7.02)),
        ] {
            let [from, to] = [from, to].map(|(lat, lon)| place(lat, lon, 0.0));
            let ((lat1, lon1), (lat2, lon2)) = (degrees(from), degrees(to));
            let (_, azimuth, _, _): (f64, f64, f64, f64) = geodesic.inverse(lat1, lon1, lat2, lon2);
            let mut corners = corners_deg(Ellipsoid::WGS84, from, to);
            assert!(corners[0] == [lon1, lat1] && corners.len() < 3_000, "{}", corners.len());
            corners.push([lon2, lat2]);
            for edge in corners.windows(2) {
                for part in [0.25, 0.5, 0.75] {
                    let across = (edge[1][0] - edge[0][0] + 540.0).rem_euclid(360.0) - 180.0;
                    let (lat, lon) = (edge[0][1] + part * (edge[1][1] - edge[0][1]), edge[0][0] + part * across);
                    let (aside_m, to_it, _, _): (f64, f64, f64, f64) = geodesic.inverse(lat1, lon1, lat, lon);
                    // On the geodesic both bearings are one; beside it the sphere's formula is right to a part in a hundred.
                    let off_m = RADIUS_M * ((aside_m / RADIUS_M).sin() * (to_it - azimuth).to_radians().sin()).asin();
                    assert!(off_m.abs() < 2.0, "{off_m} at {lat} {lon}");
                }
            }
        }
    }
}
