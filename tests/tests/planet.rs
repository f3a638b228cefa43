//! Do the twelve roots cover the Earth once? Their bisection against published figures of WGS84.

use glam::DVec3;
use terrain::{
    bisection::{HeapId, ROOTS, Triangle},
    geodesy::{Ellipsoid, n_vector},
};

/// Area and volume of the WGS84 ellipsoid (NIMA TR8350.2, table 3.3, from its semi-axes).
const AREA_M2: f64 = 5.100_656_217_24e14;
const VOLUME_M3: f64 = 1.083_207_319_8e21;

/// Calls `visit` with the corner normals of every triangle `depth` bisections below a root.
fn leaves(triangle: Triangle, depth: u32, visit: &mut impl FnMut([DVec3; 3])) {
    if depth == 0 {
        visit(triangle.0.map(|corner| corner.normal()));
    } else {
        leaves(triangle.child(0), depth - 1, visit);
        leaves(triangle.child(1), depth - 1, visit);
    }
}

/// Solid angle of normals inside a triangle of great circles (van Oosterom and Strackee 1983), positive if it is
/// counter-clockwise seen from outside.
fn solid_angle([a, b, c]: [DVec3; 3]) -> f64 {
    2.0 * a.dot(b.cross(c)).atan2(1.0 + a.dot(b) + b.dot(c) + c.dot(a))
}

/// Flat area and signed volume down to the centre of the triangle whose corners are on the ellipsoid.
fn area_and_volume(normals: [DVec3; 3]) -> (f64, f64) {
    let [a, b, c] = normals.map(|n| Ellipsoid::WGS84.ecef(n, 0.0));
    (0.5 * (b - a).cross(c - a).length(), a.dot(b.cross(c)) / 6.0)
}

#[test]
fn roots_face_outward_and_cover_every_direction_once() {
    for depth in [0, 1, 2, 7, 10] {
        let mut total = 0.0;
        for root in 0..ROOTS {
            leaves(HeapId::root(root).triangle(), depth, &mut |normals| {
                let angle = solid_angle(normals);
                assert!(angle > 0.0, "a triangle of root {root} looks inward at depth {depth}");
                total += angle;
            });
        }
        assert!((total - 4.0 * std::f64::consts::PI).abs() < 1e-9, "depth {depth}: {total}");
    }
}

#[test]
fn roots_have_the_area_and_the_volume_of_the_earth() {
    let sums = |depth| {
        let (mut area, mut volume) = (0.0, 0.0);
        for root in 0..ROOTS {
            leaves(HeapId::root(root).triangle(), depth, &mut |normals| {
                let (a, v) = area_and_volume(normals);
                area += a;
                volume += v;
            });
        }
        (area, volume)
    };
    // A flat triangle misses its cap by a term in the square of its side, which two levels divide by four: what is left
    // after taking it off is a term in the fourth power.
    let (coarse, fine) = (sums(12), sums(14));
    let area = fine.0 + (fine.0 - coarse.0) / 3.0;
    let volume = fine.1 + (fine.1 - coarse.1) / 3.0;
    assert!((area / AREA_M2 - 1.0).abs() < 1e-7, "{area} m2");
    assert!((volume / VOLUME_M3 - 1.0).abs() < 1e-7, "{volume} m3");
}

#[test]
fn every_place_lies_in_exactly_one_root() {
    let inside = |root: u32, n: DVec3| {
        let [a, b, c] = HeapId::root(root).triangle().0.map(|corner| corner.normal());
        [(a, b), (b, c), (c, a)].iter().all(|(p, q)| p.cross(*q).dot(n) > 0.0)
    };
    let mut on_an_edge = 0;
    for lat in (-890..=890).step_by(37) {
        for lon in (-1800..1800).step_by(53) {
            let n = n_vector(f64::from(lat).to_radians() / 10.0, f64::from(lon).to_radians() / 10.0);
            match (0..ROOTS).filter(|&root| inside(root, n)).count() {
                1 => {}
                0 => on_an_edge += 1,
                many => panic!("{many} roots hold {lat} {lon} tenths of a degree"),
            }
        }
    }
    assert!(on_an_edge <= 10, "{on_an_edge} places lie in no root");
}
