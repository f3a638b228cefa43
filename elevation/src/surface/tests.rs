//! Laws of queries: lines against brute force, places against what is known.

use std::f64::consts::TAU;

use super::*;
use crate::{
    geodesy::{Ellipsoid, Geodetic, east_north_up, n_vector},
    height::{GlobalGrid, Registration},
    random::rng,
    water::Water,
};
use rand::{Rng, SeedableRng, rngs::StdRng};

fn surface(height: impl Fn(f64, f64) -> f64) -> Surface {
    surface_on(Ellipsoid::WGS84, height)
}

fn surface_on(ellipsoid: Ellipsoid, height: impl Fn(f64, f64) -> f64) -> Surface {
    let grid = GlobalGrid::from_fn(1440, 721, Registration::Node, height);
    Surface::new(Arc::new(Relief::from_grid_on(ellipsoid, grid).unwrap()))
}

fn hilly() -> Surface {
    hilly_on(Ellipsoid::WGS84)
}

fn hilly_on(ellipsoid: Ellipsoid) -> Surface {
    surface_on(ellipsoid, |lon, lat| {
        2000.0 * (0.31 * lon).sin() * (0.27 * lat).cos() + 900.0 * (1.7 * lon + 1.1 * lat).sin()
    })
}

/// Rough everywhere: every posting on its own, some of them needles.
fn rough(ellipsoid: Ellipsoid, rng: &mut StdRng) -> Surface {
    let mut grid = GlobalGrid::from_fn(1440, 721, Registration::Node, |_, _| 0.0);
    for height in &mut grid.heights_m {
        *height = rng.random_range(-500.0..500.0) + if rng.random_range(0..50) == 0 { 4_000.0 } else { 0.0 };
    }
    Surface::new(Arc::new(Relief::from_grid_on(ellipsoid, grid).unwrap()))
}

/// Both on every body, two by two, and both in the sea.
fn all(rng: &mut StdRng) -> Vec<Surface> {
    let mut all: Vec<Surface> =
        Ellipsoid::bodies().into_iter().flat_map(|ellipsoid| [hilly_on(ellipsoid), rough(ellipsoid, rng)]).collect();
    for k in 0..2 {
        all.push(Surface::new(Arc::new(all[k].relief.with_sea_surface(Water::earth()))));
    }
    all
}

/// How far a point is above the ground, by the closed forms alone.
fn above(surface: &Surface, p: DVec3) -> f64 {
    let place = surface.relief.ellipsoid().geodetic(p);
    place.height_m - surface.relief.sample(place.normal()).height_m
}

/// Law: no point of a ray before its hit, or of one without a hit, is under the ground: looked at every sixtieth of a posting,
/// everywhere on every body, from high and low. And a hit is on the ground.
#[test]
fn rays_agree_with_brute_force() {
    let mut rng = rng();
    let surfaces = all(&mut rng);
    let (mut hits, mut misses) = (0, 0);
    for round in 0..512 {
        let surface = &surfaces[round / 8 % surfaces.len()];
        let (ellipsoid, size) = (surface.relief.ellipsoid(), surface.relief.ellipsoid().size());
        // Every fourth near a pole, every fourth near 180 degrees.
        let (lat, lon): (f64, f64) = match round % 8 {
            0..2 => (rng.random_range(1.55..std::f64::consts::FRAC_PI_2), rng.random_range(-3.1..3.1)),
            2..4 => (rng.random_range(-1.2..1.2), rng.random_range(3.13..3.15)),
            _ => (rng.random_range(-1.2..1.2), rng.random_range(-3.0..3.0)),
        };
        let n = n_vector(lat, lon);
        let clearance_m =
            [2.0, 100.0, 5_000.0 * size, 20_000.0 * size][rng.random_range(0..4)] * rng.random_range(0.5..1.5);
        let origin = ellipsoid.ecef(n, surface.height_m(n) + clearance_m);
        let (east, north, up) = east_north_up(n);
        let heading = rng.random_range(0.0..TAU);
        let direction = east * heading.cos() + north * heading.sin() - up * rng.random_range(-0.02..0.2);
        let unit = direction.normalize();
        let reach_m = 400_000.0 * size;
        let hit = surface.ray(origin, direction, reach_m).unwrap();
        let end_m = hit.map_or(reach_m, |hit| hit.distance_m - 2e-3);
        if let Some(hit) = hit {
            // Near poles ground may be steep: then the ray was above it just before.
            let at = |before_m: f64| origin + unit * (hit.distance_m - before_m);
            let (off_m, before_m) = (above(surface, at(0.0)), above(surface, at(2e-4)));
            assert!(off_m < 0.01 && (off_m > -0.01 || before_m > -1e-5), "a hit {off_m} m off the ground, {before_m}");
            assert!((hit.place.height_m - ellipsoid.geodetic(at(0.0)).height_m + off_m).abs() < 1e-6);
            hits += 1;
        } else {
            misses += 1;
        }
        let step_m: f64 = 28_000.0 * size / 60.0 * rng.random_range(0.9..1.0);
        let mut t = 0.0;
        while t < end_m {
            let clear_m = above(surface, origin + unit * t);
            assert!(clear_m > -1e-5, "{} m under the ground at {t} of {end_m} m", -clear_m);
            // Closer where it is close.
            t += step_m.min(0.2 * clear_m.max(5.0));
        }
    }
    assert!(hits > 50 && misses > 20, "{hits} hits, {misses} misses");
}

/// Law: a needle one posting wide stops a ray from any distance that passes a metre below its tip, and none that passes a
/// metre above.
#[test]
fn no_needle_is_stepped_over() {
    let mut rng = rng();
    for round in 0..80 {
        let ellipsoid = Ellipsoid::bodies()[round % 4];
        let (column, row) = (rng.random_range(0..1440), rng.random_range(30..690));
        let mut grid = GlobalGrid::from_fn(1440, 721, Registration::Node, |_, _| 0.0);
        grid.heights_m[row * 1440 + column] = 3_000.0;
        let surface = Surface::new(Arc::new(Relief::from_grid_on(ellipsoid, grid).unwrap()));
        let tip = Geodetic::from_degrees(90.0 - 0.25 * row as f64, 0.25 * column as f64 - 180.0, 3_000.0);
        let (east, north, up) = east_north_up(tip.normal());
        let heading = rng.random_range(0.0..TAU);
        // Level at the tip, so the rest of the ray is higher.
        let level = east * heading.cos() + north * heading.sin();
        let away_m = 10f64.powf(rng.random_range(2.0..8.0));
        let through = |above_m: f64| {
            let origin = tip.to_ecef(ellipsoid) + up * above_m - level * away_m;
            surface.ray(origin, level, 2.0 * away_m).unwrap().map(|hit| hit.distance_m)
        };
        let hit_m = through(-1.0).expect("the needle is in the way");
        assert!((hit_m - away_m).abs() < 3_000.0, "{hit_m} m, {away_m} m away");
        assert_eq!(through(1.0), None, "{away_m} m away");
    }
}

/// Law: many rays, heights and grounds are answered as one by one.
#[test]
fn batches_answer_as_single_queries_do() {
    let surface = hilly();
    let mut rng = rng();
    let normals: Vec<DVec3> =
        (0..3_000).map(|_| n_vector(rng.random_range(-1.5..1.5), rng.random_range(-3.1..3.1))).collect();
    let rays: Vec<Ray> = normals
        .windows(2)
        .take(200)
        .map(|n| Ray {
            origin_m: Ellipsoid::WGS84.ecef(n[0], 9_000.0),
            direction: Ellipsoid::WGS84.ecef(n[1], 0.0) - Ellipsoid::WGS84.ecef(n[0], 9_000.0),
            reach_m: 1e7,
        })
        .collect();
    let expected: Vec<_> = rays.iter().map(|ray| surface.ray(ray.origin_m, ray.direction, ray.reach_m)).collect();
    assert_eq!(surface.rays(&rays), expected);
    let (heights_m, grounds) = (surface.heights_m(&normals), surface.grounds(&normals));
    for ((n, height_m), ground) in normals.iter().zip(heights_m).zip(grounds) {
        assert_eq!((surface.height_m(*n), surface.ground(*n)), (height_m, ground));
        assert_eq!((surface.normal(*n), surface.slope_rad(*n)), (ground.normal, ground.slope_rad));
        // A quarter of a degree is 27.8 km: level 1 has 19.6 km between vertices.
        assert_eq!((ground.provenance.layer, ground.provenance.level), (0, 1));
    }
}

/// Law: over a smooth sea the horizon is where geometry puts it: sqrt(2 R h) from each end.
#[test]
fn sight_ends_at_the_horizon() {
    let at = |lon_deg: f64, height_m: f64| Geodetic::from_degrees(0.0, lon_deg, height_m);
    for ellipsoid in Ellipsoid::bodies() {
        let (sea, radius_m) = (surface_on(ellipsoid, |_, _| 0.0), ellipsoid.semi_major_m());
        let reach_m = 2.0 * (2.0 * radius_m * 100.0f64).sqrt();
        let reach_deg = (reach_m / radius_m).to_degrees();
        assert_eq!(sea.line_of_sight(at(0.0, 100.0), at(0.99 * reach_deg, 100.0)).unwrap(), None);
        let obstacle = sea.line_of_sight(at(0.0, 100.0), at(1.01 * reach_deg, 100.0)).unwrap().unwrap();
        assert!((obstacle.distance_m / reach_m - 0.5).abs() < 0.2 && obstacle.place.height_m == 0.0);
        // A target on the ground is seen from above it, whatever the rounding.
        assert_eq!(sea.line_of_sight(at(10.0, 100.0), at(10.1, 0.0)).unwrap(), None);
    }
}

/// Law: an eye on the ground sees what an eye a centimetre above it sees, unless that one only just does.
#[test]
fn an_eye_on_the_ground_looks_out() {
    let surface = hilly();
    let mut rng = StdRng::seed_from_u64(6);
    let (mut seen, mut hidden, mut only_just) = (0, 0, 0);
    for _ in 0..200 {
        let (lat_deg, lon_deg) = (rng.random_range(-60.0..60.0), rng.random_range(-170.0..170.0));
        let standing = |above_m: f64| {
            let place = Geodetic::from_degrees(lat_deg, lon_deg, 0.0);
            Geodetic { height_m: surface.ground(place.normal()).height_m + above_m, ..place }
        };
        let aside = |range: f64, rng: &mut StdRng| rng.random_range(-range..range);
        let (dlat, dlon) = (aside(4.0, &mut rng), aside(4.0, &mut rng));
        let target = Geodetic::from_degrees(lat_deg + dlat, lon_deg + dlon, 0.0);
        let height_m = surface.ground(target.normal()).height_m + rng.random_range(0.0..6_000.0);
        let target = Geodetic { height_m, ..target };
        let sight = |above_m: f64| surface.line_of_sight(standing(above_m), target).unwrap();
        match (sight(0.0), sight(0.01)) {
            (None, higher) => {
                assert_eq!(higher, None);
                seen += 1;
            }
            (Some(_), Some(_)) => hidden += 1,
            (Some(_), None) => only_just += 1,
        }
    }
    assert!(seen > 30 && hidden > 30 && only_just < 3, "{seen} seen, {hidden} hidden, {only_just} only just");
    // Under the ground is under the ground.
    let below = Geodetic::from_degrees(10.0, 10.0, surface.ground(n_vector(0.1745, 0.1745)).height_m - 500.0);
    let up = Geodetic { height_m: 9_000.0, ..below };
    assert_eq!(surface.line_of_sight(below, up).unwrap().map(|hit| hit.distance_m), Some(0.0));
}

/// Law: a ray from far away ends, and meets the ground as well as its numbers can say.
#[test]
fn rays_from_far_away_end() {
    let n = n_vector(0.3, 0.4);
    for surface in Ellipsoid::bodies().map(hilly_on) {
        let ground_m = surface.ground(n).height_m;
        for away_m in [1e9, 1e13, 1e17] {
            let origin = surface.relief.ellipsoid().ecef(n, away_m);
            let hit = surface.ray(origin, -n, 2.0 * away_m).unwrap().expect("the body is in the way");
            let tolerance_m = 1e-3 + 1e-14 * away_m;
            assert!((hit.distance_m - (away_m - ground_m)).abs() <= tolerance_m, "{away_m}: {}", hit.distance_m);
        }
    }
}

/// Law: slope and aspect of a cone are those of a cone.
#[test]
fn slope_and_aspect() {
    // 1 m down every 10 m eastwards near the equator.
    let m_per_deg = Ellipsoid::WGS84.semi_major_m().to_radians();
    let ramp = surface(|lon, _| -0.1 * m_per_deg * lon.clamp(-10.0, 10.0));
    let ground = ramp.ground(n_vector(0.0, 0.05));
    assert!((ground.slope_rad - 0.1f64.atan()).abs() < 1e-3, "{ground:?}");
    assert!((ground.aspect_rad - std::f64::consts::FRAC_PI_2).abs() < 1e-6);
    assert!((ground.normal.dot(n_vector(0.0, 0.05)) - ground.slope_rad.cos()).abs() < 1e-9);
}

/// Law: by both rules the slope of ground that rises evenly with longitude and latitude is what the radii of curvature make of it.
#[test]
fn slopes_are_those_of_the_body() {
    let mut rng = rng();
    for ellipsoid in Ellipsoid::bodies() {
        let size = ellipsoid.size();
        // Metres by degree.
        let (by_lon, by_lat) = (rng.random_range(-300.0..300.0) * size, rng.random_range(-300.0..300.0) * size);
        let ramp = surface_on(ellipsoid, |lon, lat| by_lon * (lon - 20.0).clamp(-30.0, 30.0) + by_lat * lat);
        for _ in 0..50 {
            let (lat_deg, lon_deg): (f64, f64) = (rng.random_range(-75.0..75.0), rng.random_range(-5.0..45.0));
            let lat = lat_deg.to_radians();
            let e2 = 1.0 - (ellipsoid.semi_minor_m() / ellipsoid.semi_major_m()).powi(2);
            let w = (1.0 - e2 * lat.sin().powi(2)).sqrt();
            let across_m = ellipsoid.semi_major_m() / w * lat.cos();
            let along_m = ellipsoid.semi_major_m() * (1.0 - e2) / w.powi(3);
            let expected = DVec3::new(by_lon / across_m, by_lat / along_m, 0.0) * 1f64.to_degrees();
            let n = n_vector(lat, lon_deg.to_radians());
            for rule in [SlopeRule::Central, SlopeRule::Horn] {
                let off = (ramp.slope(rule, 0, n).rises() - expected).length();
                assert!(off < 1e-3 * expected.length(), "{rule:?} at {lat_deg} on {ellipsoid:?}: {off} of {expected}");
            }
            let ground = ramp.ground(n);
            assert!((ground.slope_rad.tan() - expected.length()).abs() < 1e-3 * expected.length());
        }
    }
}

/// Law: a profile starts and ends at its places, is as long as the geodesic, and crosses 180 degrees the short way.
#[test]
fn profiles_follow_the_geodesic() {
    let surface = hilly();
    let (from, to) = (Geodetic::from_degrees(10.0, 175.0, 0.0), Geodetic::from_degrees(-5.0, -170.0, 0.0));
    let profile = surface.profile(from, to, 101);
    assert_eq!(profile.len(), 101);
    let off_m = |at: Geodetic, from: Geodetic| {
        let expected_m = Ellipsoid::WGS84.ecef(from.normal(), at.height_m);
        at.to_ecef(Ellipsoid::WGS84).distance(expected_m)
    };
    assert!(off_m(profile[0].place, from) < 1e-6);
    assert!(off_m(profile[100].place, to) < 1e-3);
    // GeographicLib's reference implementation gives 2 349 129.043 m.
    assert!((profile[100].distance_m - 2_349_129.043).abs() < 1e-3, "{}", profile[100].distance_m);
    assert!(profile.windows(2).all(|w| (w[1].distance_m - w[0].distance_m - profile[1].distance_m).abs() < 1e-6));
}

/// Law: a profile is as long as its chords on the ellipsoid, in even steps, and along the equator as long as the circle.
#[test]
fn profiles_are_as_long_as_the_ground() {
    let mut rng = rng();
    for ellipsoid in Ellipsoid::bodies() {
        let surface = surface_on(ellipsoid, |_, _| 0.0);
        for _ in 0..10 {
            let mut place =
                || Geodetic::from_degrees(rng.random_range(-89.0..89.0), rng.random_range(-180.0..180.0), 0.0);
            let profile = surface.profile(place(), place(), 4_001);
            let chord_m =
                |two: &[ProfilePoint]| two[0].place.to_ecef(ellipsoid).distance(two[1].place.to_ecef(ellipsoid));
            let (sum_m, length_m): (f64, f64) = (profile.windows(2).map(chord_m).sum(), profile[4_000].distance_m);
            assert!((sum_m / length_m - 1.0).abs() < 2e-7, "{sum_m} {length_m} on {ellipsoid:?}");
            let even = |two: &[ProfilePoint]| (chord_m(two) * 4_000.0 / length_m - 1.0).abs() < 1e-6;
            assert!(profile.windows(2).all(even));
        }
        let [from, to] = [-20.0, 40.0].map(|lon_deg| Geodetic::from_degrees(0.0, lon_deg, 0.0));
        let length_m = surface.profile(from, to, 2)[1].distance_m;
        assert!((length_m / (ellipsoid.semi_major_m() * 60f64.to_radians()) - 1.0).abs() < 1e-12);
    }
}

#[test]
fn absurd_rays_are_refused() {
    let surface = hilly();
    assert!(matches!(surface.ray(DVec3::NAN, DVec3::X, 1.0), Err(RayError::NotFinite { .. })));
    assert!(matches!(surface.ray(DVec3::X * 7e6, DVec3::ZERO, 1.0), Err(RayError::NotFinite { .. })));
    // Away from the Earth, and past it.
    assert_eq!(surface.ray(DVec3::X * 7e6, DVec3::X, 1e9), Ok(None));
    assert_eq!(surface.ray(DVec3::new(8e6, 8e6, 0.0), -DVec3::X, 1e9), Ok(None));
    let down = surface.ray(DVec3::X * 7e6, -DVec3::X, 1e9).unwrap().unwrap();
    assert!((7e6 - down.distance_m - 6_378_137.0 - down.place.height_m).abs() < 0.01);
}

/// Law: with light that bends by a share k of a body's mean curvature the horizon is where a body less curved by so much has it.
#[test]
fn refraction_moves_the_horizon() {
    let at = |lon_deg: f64, height_m: f64| Geodetic::from_degrees(0.0, lon_deg, height_m);
    for ellipsoid in Ellipsoid::bodies() {
        let sea = surface_on(ellipsoid, |_, _| 0.0);
        let radius_m = ellipsoid.semi_major_m();
        for refraction in [-0.1, 0.0, 0.13, 0.25] {
            // The share is of the mean curvature, and sight goes along the equator.
            let curvature = 1.0 / radius_m - refraction * 3.0 / (2.0 * radius_m + ellipsoid.semi_minor_m());
            let reach_m = 2.0 * (2.0 / curvature * 100.0f64).sqrt();
            let sees = |share: f64| {
                let target = at((share * reach_m / radius_m).to_degrees(), 100.0);
                sea.line_of_sight_refracted(at(0.0, 100.0), target, refraction).unwrap().is_none()
            };
            assert!(sees(0.9995) && !sees(1.0005), "{refraction} on {ellipsoid:?}");
        }
    }
}

/// Law: who sees is seen, and no line that is called free dips below the ground.
#[test]
fn sights_are_mutual() {
    let mut rng = rng();
    let surfaces = all(&mut rng);
    let (mut free, mut blocked) = (0, 0);
    for round in 0..512 {
        let surface = &surfaces[round % surfaces.len()];
        let ellipsoid = surface.relief.ellipsoid();
        let refraction = [0.0, 0.0, rng.random_range(-0.5..0.7)][round % 3];
        let (lat_deg, lon_deg) = (rng.random_range(-80.0..80.0), rng.random_range(-180.0..180.0));
        let standing = |lat_deg: f64, lon_deg: f64, above_m: f64| {
            let place = Geodetic::from_degrees(lat_deg, lon_deg, 0.0);
            Geodetic { height_m: surface.height_m(place.normal()) + above_m, ..place }
        };
        let mut aside = || rng.random_range(-0.6..0.6);
        let (a, b) = (standing(lat_deg, lon_deg, 60.0), standing(lat_deg + aside(), lon_deg + aside(), 60.0));
        let there = surface.line_of_sight_refracted(a, b, refraction).unwrap();
        let back = surface.line_of_sight_refracted(b, a, refraction).unwrap();
        assert_eq!(there.is_none(), back.is_none(), "{a:?} {b:?}");
        assert_eq!(surface.sees(a, b, refraction), Ok(there.is_none()), "{a:?} {b:?}");
        let (start, end) = (a.to_ecef(ellipsoid), b.to_ecef(ellipsoid));
        // The arc over the line, in the middle.
        let arc_m = refraction / ellipsoid.mean_radius_m() / 8.0 * start.distance_squared(end);
        let mut worst_m = f64::INFINITY;
        for part in (1..4_000).map(|k| f64::from(k) / 4_000.0) {
            let raise_m = 4.0 * arc_m * part * (1.0 - part);
            worst_m = worst_m.min(above(surface, start.lerp(end, part)) + raise_m);
        }
        match there {
            None => free += 1,
            Some(_) => blocked += 1,
        }
        assert!(there.is_some() || worst_m > -2e-3, "{worst_m} m under the ground");
        assert!(there.is_none() || worst_m < 5.0, "free by {worst_m} m");
    }
    assert!(free > 50 && blocked > 50, "{free} free, {blocked} blocked");
}

#[test]
fn degenerate_queries_have_answers() {
    let surface = hilly();
    let here = Geodetic::from_degrees(10.0, 20.0, 0.0);
    assert_eq!((surface.line_of_sight(here, here), surface.sees(here, here, 0.0)), (Ok(None), Ok(true)));
    let nowhere = Geodetic { height_m: f64::NAN, ..here };
    assert!(matches!(surface.line_of_sight(here, nowhere), Err(RayError::NotFinite { .. })));
    assert!(matches!(surface.sees(nowhere, here, 0.0), Err(RayError::NotFinite { .. })));
    assert!(surface.profile(here, here, 5).iter().all(|point| point.distance_m == 0.0));
    let over_the_pole =
        surface.profile(Geodetic::from_degrees(89.0, 0.0, 0.0), Geodetic::from_degrees(89.0, 180.0, 0.0), 3);
    assert!(over_the_pole[1].place.lat_rad.to_degrees() > 89.999);
}

/// Law: rays of a batch may be the first to come near the ground, from all threads at once.
#[test]
fn the_first_rays_may_be_many() {
    let surface = hilly();
    let down = |lon_deg: f64| {
        let n = n_vector(0.3, lon_deg.to_radians());
        Ray { origin_m: Ellipsoid::WGS84.ecef(n, 9_000.0), direction: -n, reach_m: 1e5 }
    };
    let rays: Vec<Ray> = (0..5_000).map(|k| down(0.05 * f64::from(k))).collect();
    assert!(surface.rays(&rays).iter().all(|hit| matches!(hit, Ok(Some(_)))));
}
