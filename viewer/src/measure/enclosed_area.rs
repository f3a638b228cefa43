//! How large is the ground that a closed path surrounds, on the ellipsoid?

use geographiclib_rs::{PolygonArea, Winding};
use glam::DVec3;
use terrain::geodesy::{Ellipsoid, Geodetic};

use super::leg::degrees;

/// What geodesics between some places, and back to the first, surround: the smaller of both sides, square metres. None where they cross
/// each other: a figure of eight surrounds a part of it the other way around.
pub(super) fn area_m2(ellipsoid: Ellipsoid, corners: &[Geodetic]) -> Option<f64> {
    (!crosses_itself(corners)).then(|| signed_area_m2(ellipsoid, corners).abs())
}

/// The smaller side of a closed path that does not cross itself, square metres; negative where that lies to the right.
pub(super) fn signed_area_m2(ellipsoid: Ellipsoid, corners: &[Geodetic]) -> f64 {
    let geodesic = ellipsoid.geodesic();
    let mut polygon = PolygonArea::new(&geodesic, Winding::CounterClockwise);
    for corner in corners {
        let (lat, lon) = degrees(*corner);
        polygon.add_point(lat, lon);
    }
    polygon.compute(true).1
}

/// Whether edges of a closed path cross each other, as arcs of the sphere of normals. Those that follow each other touch.
fn crosses_itself(corners: &[Geodetic]) -> bool {
    let normals: Vec<DVec3> = corners.iter().map(|corner| corner.normal()).collect();
    let count = normals.len();
    let edge = |i: usize| [normals[i], normals[(i + 1) % count]];
    let follow = |i: usize, k: usize| k == i + 1 || (k + 1) % count == i;
    (0..count).any(|i| (i + 1..count).any(|k| !follow(i, k) && cross(edge(i), edge(k))))
}

/// Whether two arcs, each shorter than half a great circle, cross.
fn cross([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> bool {
    let (first, second) = (a.cross(b), c.cross(d));
    let sides = [first.dot(c), first.dot(d), second.dot(a), second.dot(b)];
    // On the other side of the Earth the signs are the same, and the arcs do not meet.
    let meet = first.cross(second).dot(a + b) * first.cross(second).dot(c + d) > 0.0;
    sides[0] * sides[1] < 0.0 && sides[2] * sides[3] < 0.0 && meet
}

#[cfg(test)]
mod tests {
    use super::*;

    const A_M: f64 = 6_378_137.0;
    const F: f64 = 1.0 / 298.257_223_563;

    /// Area of the ellipsoid between the equator and a parallel, for each radian of longitude (Snyder, 1987, equation 3-12).
    fn below_m2(lat_deg: f64) -> f64 {
        let (e2, sin) = (F * (2.0 - F), lat_deg.to_radians().sin());
        let e = e2.sqrt();
        0.5 * A_M * A_M * (1.0 - e2) * (sin / (1.0 - e2 * sin * sin) + (e * sin).atanh() / e)
    }

    fn ring(corners: &[(f64, f64)]) -> Vec<Geodetic> {
        corners.iter().map(|(lat, lon)| Geodetic::from_degrees(*lat, *lon, 0.0)).collect()
    }

    /// A box between meridians and parallels, whose parallels have so many edges.
    fn boxed([west, south, east, north]: [f64; 4], edges: u32) -> Vec<Geodetic> {
        let part = |k: u32| west + (east - west) * f64::from(k) / f64::from(edges);
        let (low, high) = ((0..=edges).map(|k| (south, part(k))), (0..=edges).rev().map(|k| (north, part(k))));
        ring(&low.chain(high).collect::<Vec<_>>())
    }

    /// Law: boxes between meridians and parallels are as large as the closed formula says, also over 180 degrees and the equator; the order
    /// of corners and the first of them do not matter.
    #[test]
    fn boxes_are_as_large_as_the_formula_says() {
        for [west, south, east, north] in [
            [7.0, 46.0, 8.0, 47.0],
            [170.0, -20.0, 200.0, 35.0],
            [-5.0, -10.0, 5.0, 10.0],
            [0.0, 0.0, 60.0, 89.0],
            [359.0, -47.0, 361.0, -46.5],
        ] {
            let corners = boxed([west, south, east, north], 2_000);
            let expected = (east - west).to_radians() * (below_m2(north) - below_m2(south));
            let found = area_m2(Ellipsoid::WGS84, &corners).expect("no crossing");
            assert!((found / expected - 1.0).abs() < 2e-6, "{found} {expected}");
            let mut turned: Vec<Geodetic> = corners.iter().rev().copied().collect();
            turned.rotate_left(17);
            assert!((area_m2(Ellipsoid::WGS84, &turned).expect("no crossing") / found - 1.0).abs() < 1e-9);
        }
    }

    /// Law: an octant is an eighth of the Earth, and a ring around a pole holds the cap, the smaller side of it.
    #[test]
    fn octants_and_caps() {
        let earth_m2 = 4.0 * std::f64::consts::PI * below_m2(90.0);
        assert!((earth_m2 - 510_065_621_724_089.0).abs() < 1e3, "{earth_m2}");
        for pole in [90.0, -90.0] {
            for lon in [0.0, 100.0, 170.0] {
                let octant = area_m2(Ellipsoid::WGS84, &ring(&[(pole, 0.0), (0.0, lon), (0.0, lon + 90.0)]))
                    .expect("no crossing");
                assert!((octant / (earth_m2 / 8.0) - 1.0).abs() < 1e-12, "{octant}");
            }
            for lat in [80.0, 5.0] {
                let around: Vec<(f64, f64)> = (0..3_600).map(|k| (lat * pole.signum(), f64::from(k) / 10.0)).collect();
                let cap = area_m2(Ellipsoid::WGS84, &ring(&around)).expect("no crossing");
                let expected = std::f64::consts::TAU * (below_m2(90.0) - below_m2(lat));
                assert!((cap / expected - 1.0).abs() < 2e-6, "{cap} {expected}");
            }
        }
    }

    /// Law: a figure of eight has no area, and a path that goes back the way it came has that of nothing.
    #[test]
    fn a_path_that_crosses_itself_surrounds_nothing() {
        assert_eq!(area_m2(Ellipsoid::WGS84, &ring(&[(46.0, 7.0), (47.0, 8.0), (47.0, 7.0), (46.0, 8.0)])), None);
        assert_eq!(
            area_m2(Ellipsoid::WGS84, &ring(&[(-1.0, 179.0), (1.0, -179.0), (1.0, 179.0), (-1.0, -179.0)])),
            None
        );
        assert!(area_m2(Ellipsoid::WGS84, &ring(&[(46.0, 7.0), (46.0, 8.0), (47.0, 8.0), (47.0, 7.0)])).is_some());
        let back = area_m2(Ellipsoid::WGS84, &ring(&[(46.0, 7.0), (47.0, 8.0), (46.0, 7.0)])).expect("no crossing");
        assert!(back < 1.0, "{back}");
    }
}
