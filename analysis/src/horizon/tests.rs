//! Laws of the horizon of one eye: against rays marched by brute force, and closed forms.

use elevation::geodesy::east_north_up;
use rand::Rng;

use super::*;
use crate::{
    random::rng,
    terrains::{above, bodies, fine, hilly, hilly_on, rough_on},
};

/// How far the light that arrives at an eye under an elevation stays above the ground, at least: marched in steps that grow with
/// the distance, and closely where the horizon is said to be.
fn clearance_m(surface: &Surface, eye: Geodetic, point: &HorizonPoint, off_rad: f64, k: f64) -> f64 {
    let (azimuth_rad, elevation_rad) = (point.azimuth_rad, point.elevation_rad + off_rad);
    let (east, north, up) = east_north_up(eye.normal());
    let forward = east * azimuth_rad.sin() + north * azimuth_rad.cos();
    let ellipsoid = surface.relief().ellipsoid();
    let (start, mut least, size) = (eye.to_ecef(ellipsoid), f64::INFINITY, ellipsoid.size());
    // From a metre to 1 200 km on the Earth, more closely near by; a metre on the ground, also where the light is steep.
    let far = (0..=12_000).map(|i| 1.0 + 1.2e6 * size * (f64::from(i) / 12_000.0).powi(2));
    let there = (-1_000..=1_000).map(|i| point.distance_m + 0.01 * f64::from(i));
    for t in far.chain(there).filter(|t| t * elevation_rad.cos() >= 1.0) {
        let chord_rad = elevation_rad - k * t / (2.0 * ellipsoid.mean_radius_m());
        least = least.min(above(surface, start + (forward * chord_rad.cos() + up * chord_rad.sin()) * t));
    }
    least
}

/// Law: light from just above the horizon meets no ground, light from just below it does, marched by brute force; near poles and
/// across 180 degrees too, with and without refraction.
#[test]
fn horizons_agree_with_brute_force() {
    let mut rng = rng();
    let places = [(46.3, 8.1), (89.7, 30.0), (-90.0, 0.0), (-17.2, 179.97)];
    let all = bodies().into_iter().enumerate().flat_map(|(k, ellipsoid)| {
        // All of them on the Earth.
        (0..if k == 0 { 4 } else { 2 }).map(move |place| (ellipsoid, places[(place + 3 * k) % 4]))
    });
    for (ellipsoid, (lat_deg, lon_deg)) in all {
        let eyes_m = [300.0, rng.random_range(2.0..3_000.0)];
        let rough = rough_on(ellipsoid, &mut rng);
        for (surface, eye_m) in [rough, hilly_on(ellipsoid, 1.0)].into_iter().zip(eyes_m) {
            // Beside a pole of a body so flat and so small, needles of 4 km are narrower than what a height is known for.
            let is_needled = ellipsoid.flattening() > 0.01 && surface.relief().range_m().1 > 4_000.0;
            let lat_deg = if is_needled { f64::clamp(lat_deg, -60.0, 60.0) } else { lat_deg };
            let at = Geodetic::from_degrees(lat_deg, lon_deg, 0.0);
            let refraction = [0.0, 0.13][rng.random_range(0..2)];
            let directions = rng.random_range(5..12);
            let options = HorizonOptions { directions, eye_height_m: eye_m, refraction };
            let horizon = Horizon::new(&surface, at, &options).unwrap();
            assert_eq!(horizon.points.len(), directions);
            for point in &horizon.points {
                let clear = |off_rad: f64| clearance_m(&surface, horizon.eye, point, off_rad, refraction);
                // The light that arrives over the horizon keeps clear of all of the march, to rounding.
                let (over, under) = (clear(1.2 * Horizon::TOLERANCE_RAD), clear(-2e-4));
                assert!(over > -0.02, "{point:?} hides {over} m, eye {:?}", horizon.eye);
                assert!(under < 0.0, "{point:?} leaves {under} m free below, eye {:?}", horizon.eye);
                assert!((surface.height_m(point.place.normal()) - point.place.height_m).abs() < 1e-3);
            }
        }
    }
}

/// Law: cities of blocks at a metre, and noise, have horizons from wherever one stands, and no light from just below them is free.
#[test]
fn steep_ground_has_horizons() {
    let mut rng = rng();
    let blocks: Vec<f32> = (0..100).map(|_| if rng.random() { 30.0 } else { 0.0 }).collect();
    let block = |(row, column): (usize, usize)| (row / 20, column / 20);
    let checks = |at: (usize, usize)| if (block(at).0 + block(at).1) % 2 == 0 { 30.0 } else { 0.0 };
    let city = |at: (usize, usize)| blocks[10 * block(at).0 + block(at).1];
    let noise: Vec<f32> = (0..40_000).map(|_| rng.random_range(0.0..500.0)).collect();
    let surfaces = [
        (fine(1.0, 200, city), 1.0),
        (fine(1.0, 200, checks), 1.0),
        (fine(30.0, 200, |(row, column)| noise[200 * row + column]), 30.0),
    ];
    for (surface, posting_m) in &surfaces {
        for k in 0..6 {
            let mut away_m = || posting_m * rng.random_range(10.0..180.0);
            // The first one looks through a corner where two blocks of the checks touch.
            let [south_m, east_m] = if k == 0 { [47.0, 33.0] } else { [away_m(), away_m()] };
            let [lat_deg, lon_deg] = [46.0 - south_m / 111_320.0, 9.0 + east_m / 111_320.0 / 46f64.to_radians().cos()];
            let at = Geodetic::from_degrees(lat_deg, lon_deg, 0.0);
            let eye_height_m = [0.5, 2.0, 100.0][rng.random_range(0..3)];
            let options = HorizonOptions { directions: 24, eye_height_m, refraction: 0.0 };
            let horizon = Horizon::new(surface, at, &options).unwrap();
            for point in &horizon.points {
                let clear = |off_rad: f64| clearance_m(surface, horizon.eye, point, off_rad, 0.0);
                // What is marched in steps of a centimetre misses as much of a steep wall.
                let steps_rad = 0.3 / point.distance_m;
                let more_rad =
                    Horizon::MOST_TOLERANCES * (Horizon::TOLERANCE_RAD + Horizon::TOLERANCE_M / point.distance_m);
                assert!(clear(more_rad) > -0.02, "{point:?}, eye {:?}", horizon.eye);
                assert!(clear(-2e-4 - steps_rad) < 0.0, "{point:?}, eye {:?}", horizon.eye);
            }
        }
    }
}

/// Law: the place of a horizon is seen from the eye, and is where its elevation and distance say.
#[test]
fn places_are_where_the_elevation_says() {
    let mut rng = rng();
    bodies().into_iter().for_each(|ellipsoid| places_are_on(&rough_on(ellipsoid, &mut rng)));
}

fn places_are_on(surface: &Surface) {
    let ellipsoid = surface.relief().ellipsoid();
    let at = Geodetic::from_degrees(12.0, -70.0, 0.0);
    let horizon = Horizon::new(surface, at, &HorizonOptions::default().with_directions(64)).unwrap();
    let (east, north, up) = east_north_up(horizon.eye.normal());
    for point in &horizon.points {
        let line = point.place.to_ecef(ellipsoid) - horizon.eye.to_ecef(ellipsoid);
        let azimuth = line.dot(east).atan2(line.dot(north)).rem_euclid(TAU);
        let elevation = (line.dot(up) / line.length()).asin();
        let turn = (azimuth - point.azimuth_rad + 3.0).rem_euclid(TAU) - 3.0;
        assert!((line.length() - point.distance_m).abs() < 1e-2 && turn.abs() < 1e-5, "{point:?}: {turn}");
        assert!((elevation - point.elevation_rad).abs() < 1e-8, "{point:?}: {elevation}");
        // Other ground may be higher by the tolerance.
        let over_m = point.place.height_m + 1.5 * Horizon::TOLERANCE_RAD * point.distance_m + 0.01;
        let over = Geodetic { height_m: over_m, ..point.place };
        assert!(surface.sees(horizon.eye, over, 0.0).unwrap(), "{point:?}");
    }
    let between = horizon.elevation_rad(TAU * 10.5 / 64.0);
    let mean = 0.5 * (horizon.points[10].elevation_rad + horizon.points[11].elevation_rad);
    assert!(
        (between - mean).abs() < 1e-12 && (horizon.elevation_rad(-TAU) - horizon.points[0].elevation_rad).abs() < 1e-12
    );
}

/// Law: over a sea, on level ground or over a floor far below, the horizon of an eye at a height h is lower than level by acos(R / (R + h)), and
/// sqrt(h (2 R + h)) away, at most and least for the greatest and least radius of curvature.
#[test]
fn the_sea_dips() {
    use elevation::{
        height::{GlobalGrid, Registration, Relief},
        water::Water,
    };
    let even = |height_m: f64| GlobalGrid::from_fn(360, 181, Registration::Node, |_, _| height_m);
    let level = bodies().map(|ellipsoid| Relief::from_grid_on(ellipsoid, even(0.0)).unwrap());
    let deep = Relief::from_grid(even(-4_000.0)).unwrap().with_sea_surface(Water::earth());
    let reliefs = level.into_iter().chain([deep]).map(std::sync::Arc::new);
    let all = reliefs.flat_map(|of| [0.0, 2.0, 8_848.0, 4e5 * of.ellipsoid().size()].map(|eye_m| (of.clone(), eye_m)));
    for (relief, eye_height_m) in all {
        let ellipsoid = relief.ellipsoid();
        let surface = Surface::new(relief);
        let [a_m, b_m] = [ellipsoid.semi_major_m(), ellipsoid.semi_minor_m()];
        let (least_m, most_m) = (b_m * b_m / a_m, a_m * a_m / b_m);
        let options = HorizonOptions::default().with_directions(5).with_eye_height_m(eye_height_m);
        let horizon = Horizon::new(&surface, Geodetic::from_degrees(37.0, 179.0, 0.0), &options).unwrap();
        for point in &horizon.points {
            let dip = |radius_m: f64| -(radius_m / (radius_m + eye_height_m)).acos();
            let expected = dip(least_m) - 2e-5..dip(most_m) + 1e-6;
            assert!(expected.contains(&point.elevation_rad), "{eye_height_m}: {point:?}, {expected:?}");
            let away_m = |radius_m: f64| (eye_height_m * (2.0 * radius_m + eye_height_m)).sqrt();
            let expected = 0.995 * away_m(least_m)..1.005 * away_m(most_m);
            let is_there = expected.contains(&point.distance_m) || eye_height_m == 0.0;
            assert!(is_there, "{eye_height_m}: {point:?}, {expected:?}");
        }
    }
}

#[test]
fn impossible_options() {
    let surface = hilly();
    let ask = |options: HorizonOptions| Horizon::new(&surface, Geodetic::from_degrees(1.0, 2.0, 0.0), &options);
    let options = HorizonOptions::default();
    for bad in [
        options.with_directions(0),
        options.with_eye_height_m(f64::NAN),
        options.with_eye_height_m(-1.0),
        options.with_refraction(2.0),
    ] {
        let error = ask(bad).unwrap_err().to_string();
        assert!(error.contains("not possible"), "{error}");
    }
}
