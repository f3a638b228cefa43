//! Laws of the horizons of a raster: against brute force on its own cells, and against the exact horizon of one eye.

use elevation::{
    geodesy::{Ellipsoid, Geodetic},
    surface::Surface,
};
use geographiclib_rs::InverseGeodesic;
use rand::Rng;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{
    sweep::{LineQuery, radius_of_curvature_m},
    *,
};
use crate::{
    Horizon, HorizonOptions, Insolation, InsolationError, InsolationOptions, Mesh, SkyView, SunError, Sunlight,
    random::rng,
    terrains::{bodies, hilly_on, rough, rough_on, rugged, waves},
};

/// The horizon of a cell along a line over the cells of a level, all of which are looked at.
fn by_brute_force(level: &Level, at: (usize, usize), azimuth_rad: f64, eye_height_m: f64, radius_m: f64) -> f64 {
    let seen = seen_by_brute_force(level, at, azimuth_rad, [eye_height_m, 0.0], radius_m);
    seen.into_iter().map(|[ground, _]| ground).fold(f64::NEG_INFINITY, f64::max)
}

/// Elevations of ground and of targets above it, step by step along a line over the cells of a level, in polar coordinates.
///
/// A straight line in space between points at distances a and b from the middle of the Earth is 1 / ((1 - f) / a + f / b) from it, where the
/// part f of a small angle between them is passed.
fn seen_by_brute_force(
    level: &Level,
    at: (usize, usize),
    azimuth_rad: f64,
    [eye_height_m, target_height_m]: [f64; 2],
    radius_m: f64,
) -> Vec<[f64; 2]> {
    let (column, row) = at;
    let height_m = |column: usize, row: usize| f64::from(level.heights_m[row * level.columns + column]);
    let eye_m = radius_m + height_m(column, row) + eye_height_m;
    let (sin, cos) = azimuth_rad.sin_cos();
    let main = sin.abs().max(cos.abs());
    let (step_column, step_row) = (sin / main, -cos / main);
    let mut seen = Vec::new();
    for i in 1.. {
        let (x, y) = (column as f64 + step_column * f64::from(i), row as f64 + step_row * f64::from(i));
        // Rounding puts some lines along the edge beside it.
        if x < -1e-6 || y < -1e-6 || x > (level.columns - 1) as f64 + 1e-6 || y > (level.rows - 1) as f64 + 1e-6 {
            return seen;
        }
        let (left, top) = ((x.max(0.0) as usize).min(level.columns - 2), (y.max(0.0) as usize).min(level.rows - 2));
        let (fx, fy) = (x - left as f64, y - top as f64);
        let inverse = |column: usize, row: usize| 1.0 / (radius_m + height_m(column, row));
        let along = |row: usize| inverse(left, row) * (1.0 - fx) + inverse(left + 1, row) * fx;
        let rho_m = 1.0 / (along(top) * (1.0 - fy) + along(top + 1) * fy);
        let angle = f64::from(i) * level.cell_m / main / radius_m;
        let half = (0.5 * angle).sin();
        let elevation = |rho_m: f64| (rho_m - eye_m - 2.0 * rho_m * half * half).atan2(rho_m * angle.sin());
        seen.push([elevation(rho_m), elevation(rho_m + target_height_m)]);
    }
    seen
}

/// Law: the farthest target of each eye reaches its horizon, and none farther does, within reach, to 0.002 degrees, all cells of the
/// line looked at, and what a planet's size makes of a target's height; those that are far enough are the same, whichever are asked for.
#[test]
fn farthest_targets_agree_with_brute_force() {
    let mut rng = rng();
    for round in 0..8 {
        let ellipsoid = bodies()[[0, 0, 0, 0, 0, 1, 2, 3][round]];
        let (surface, size) = (rough_on(ellipsoid, &mut rng), ellipsoid.size());
        let middle = Geodetic::from_degrees([46.0, -89.9, 3.0][round % 3], [7.0, 12.0, 180.0][round % 3], 0.0);
        let [radius_m, cell_m] = [rng.random_range(20e3..90e3), rng.random_range(2_000.0..4_000.0)].map(|m| m * size);
        let grid = Grid::around(ellipsoid, middle, radius_m, cell_m).unwrap();
        let heights_m = [[0.0, 40.0][round % 2], [0.0, 0.0, 100.0, 10.0][round % 4]];
        let refraction = [0.13, 0.0][round / 2 % 2];
        let levels = Level::all(&surface, &grid, 200e3 * size, 256, &|| true);
        let [level] = &levels[..] else { panic!("of one size") };
        let most_m = if round % 3 == 0 { 90e3 * size } else { 2e6 };
        let eyes: Vec<bool> = (0..grid.cells()).map(|_| rng.random_range(0..4) > 0).collect();
        let query = |least_m: f64| LineQuery {
            eye_height_m: heights_m[0],
            target_height_m: heights_m[1],
            least_m,
            most_m,
            separation_m: 0.0,
            eyes: &eyes,
        };
        for _ in 0..4 {
            let azimuth = [TAU * rng.random::<f64>(), 0.25 * TAU, 0.0][rng.random_range(0..3)];
            let radius_m = radius_of_curvature_m(ellipsoid, middle, azimuth) / (1.0 - refraction);
            let sweep = Sweep::new(&grid, &levels, azimuth, refraction);
            let found = sweep.farthest(&query(0.0), &|| true);
            assert_eq!(found.len(), eyes.iter().filter(|is_eye| **is_eye).count());
            for one in &found {
                let [column, row] = one.cell;
                let at = ((level.columns - grid.columns) / 2 + column, (level.rows - grid.rows) / 2 + row);
                let mut seen = seen_by_brute_force(level, at, azimuth, heights_m, radius_m);
                seen.truncate((most_m / one.step_m) as usize);
                let highest = seen.iter().map(|[ground, _]| *ground).fold(f64::NEG_INFINITY, f64::max);
                let last = (one.distance_m / one.step_m).round() as usize;
                // Heights of targets count as if they stood at height 0 below the middle.
                let raised = |step: usize| heights_m[1] / (step as f64 * one.step_m) * (1e4 / radius_m + 2e-3);
                let within = |step: usize| 0.002f64.to_radians() + raised(step);
                let context = format!("{one:?} of {grid:?}, azimuth {azimuth}, up to {most_m}");
                assert!(eyes[row * grid.columns + column] && seen[last - 1][1] > highest - within(last), "{context}");
                let farther = (last + 1..=seen.len()).find(|step| seen[step - 1][1] > highest + within(*step));
                assert_eq!(farther, None, "{context}");
                let (east_m, north_m) = grid.offset_m(column, row);
                let [x, y] = [one.target_m[0] - east_m, one.target_m[1] - north_m];
                assert!((x.hypot(y) - one.distance_m).abs() < 1e-3 * size + 1e-6 * one.distance_m, "{context}");
                assert!((x - one.distance_m * azimuth.sin()).abs() < 1e-6 * one.distance_m + 1e-3, "{context}");
                assert!((y - one.distance_m * azimuth.cos()).abs() < 1e-6 * one.distance_m + 1e-3, "{context}");
            }
            let least_m = found[rng.random_range(0..found.len())].distance_m;
            let mut far: Vec<_> = found.into_iter().filter(|one| one.distance_m >= 0.999_999 * least_m).collect();
            let mut again = sweep.farthest(&query(0.999_999 * least_m), &|| true);
            far.sort_by_key(|one| one.cell);
            again.sort_by_key(|one| one.cell);
            assert!(again == far, "{} and {} from {least_m} m on", again.len(), far.len());
        }
    }
}

/// Law: with cells that grow with the distance the farthest ground of smooth hills, too, is seen under the angle of the horizon, but for
/// what ground near by is off between cells.
#[test]
fn farthest_ground_far_away_is_on_the_horizon() {
    let mut rng = rng();
    let surface = waves(&mut rng);
    let grid = Grid::around(Ellipsoid::WGS84, Geodetic::from_degrees(1.0, 20.0, 0.0), 20_000.0, 1_000.0).unwrap();
    let levels = Level::all(&surface, &grid, 400e3, 128, &|| true);
    assert!(levels.len() > 2);
    let eyes = vec![true; grid.cells()];
    let query = LineQuery {
        eye_height_m: 5.0,
        target_height_m: 0.0,
        least_m: 0.0,
        most_m: 2e6,
        separation_m: 0.0,
        eyes: &eyes,
    };
    let mut longest_m = 0.0f64;
    for _ in 0..10 {
        let azimuth = rng.random_range(0.0..TAU);
        let sweep = Sweep::new(&grid, &levels, azimuth, 0.13);
        let (band, found) = (sweep.horizons(5.0, &|| true), sweep.farthest(&query, &|| true));
        assert_eq!(found.len(), band.len());
        for one in found.into_iter().filter(|one| one.distance_m > 20e3) {
            let [eye, target] = [grid.place(one.cell[0], one.cell[1]), grid.at(one.target_m.into())];
            let [eye_m, target_m] = [(eye, 5.0), (target, 0.0)].map(|(at, above_m)| {
                Geodetic { height_m: surface.height_m(at.normal()) + above_m, ..at }.to_ecef(Ellipsoid::WGS84)
            });
            let line_m = target_m - eye_m;
            let straight = (line_m.dot(eye.normal()) / line_m.length()).asin();
            let said_rad = straight + 0.13 * line_m.length() / (2.0 * Ellipsoid::WGS84.mean_radius_m());
            let horizon_rad = f64::from(band[one.cell[1] * grid.columns + one.cell[0]]);
            assert!((said_rad - horizon_rad).to_degrees().abs() < 0.02, "{one:?}: {said_rad} {horizon_rad}");
            longest_m = longest_m.max(one.distance_m);
        }
    }
    assert!(longest_m > 50e3, "{longest_m}");
}

/// Law: each horizon is that of the line over the grid's own cells, to 0.002 degrees, all cells of it looked at.
#[test]
fn rasters_agree_with_brute_force() {
    let mut rng = rng();
    for round in 0..12 {
        let ellipsoid = if round < 6 { Ellipsoid::WGS84 } else { bodies()[1 + round % 3] };
        let (surface, size) = (rough_on(ellipsoid, &mut rng), ellipsoid.size());
        let middle = Geodetic::from_degrees([46.0, -89.9, 3.0][round % 3], [7.0, 12.0, 180.0][round % 3], 0.0);
        let [radius_m, cell_m] = [rng.random_range(20e3..90e3), rng.random_range(2_000.0..4_000.0)].map(|m| m * size);
        let grid = Grid::around(ellipsoid, middle, radius_m, cell_m).unwrap();
        let (eye_height_m, refraction) = ([0.0, 40.0][round % 2], [0.13, 0.0][round / 2 % 2]);
        // Cells of one size: the margin and no farther.
        let options = HorizonsOptions::default()
            .with_directions(rng.random_range(5..24))
            .with_eye_height_m(eye_height_m)
            .with_refraction(refraction)
            .with_reach_m(Some(30_000.0 * size));
        let horizons = Horizons::new(&surface, &grid, &options, |_, _| {}).unwrap();
        let level = &Level::all(&surface, &grid, 30_000.0 * size, grid::MARGIN, &|| true)[0];
        let (left, top) = ((level.columns - grid.columns) / 2, (level.rows - grid.rows) / 2);
        for (k, band) in horizons.bands.iter().enumerate() {
            let azimuth = TAU * k as f64 / horizons.bands.len() as f64;
            let radius_m = radius_of_curvature_m(ellipsoid, middle, azimuth) / (1.0 - refraction);
            for (cell, found) in band.iter().enumerate() {
                let at = (left + cell % grid.columns, top + cell / grid.columns);
                let expected = by_brute_force(level, at, azimuth, eye_height_m, radius_m);
                let off_deg = (f64::from(*found) - expected).to_degrees();
                assert!(off_deg.abs() < 0.002, "{off_deg} at {at:?} of {grid:?}, azimuth {azimuth}: {expected}");
            }
        }
    }
}

/// Law: nor is a horizon of a raster of 512 x 512 cells of 30 m off by more, steep ground at all sizes and all that is around it taken
/// into account: at random cells, in random directions of 64.
#[test]
fn large_rasters_agree_with_brute_force() {
    let mut rng = rng();
    for round in 0..2 {
        let surface = rugged(&mut rng);
        let middle = Geodetic::from_degrees(rng.random_range(-80.0..80.0), rng.random_range(-180.0..180.0), 0.0);
        let whole = Grid::around(Ellipsoid::WGS84, middle, 256.0 * 30.0, 30.0).unwrap();
        let grid = whole.part(0..512, 0..512);
        let (eye_height_m, refraction) = ([2.0, 0.0][round], [0.13, 0.0][round]);
        let options = HorizonsOptions::default()
            .with_directions(64)
            .with_eye_height_m(eye_height_m)
            .with_refraction(refraction)
            .with_reach_m(Some(7_000.0));
        let ground = HorizonGround::new(&surface, &whole, &options, &|| true).unwrap();
        let level = &Level::all(&surface, &whole, 7_000.0, grid::MARGIN, &|| true)[0];
        let (left, top) = ((level.columns - whole.columns) / 2, (level.rows - whole.rows) / 2);
        let mut asked: Vec<usize> = (0..5).map(|_| rng.random_range(0..64)).collect();
        asked.sort_unstable();
        asked.dedup();
        let mut steepest = 0.0f64;
        ground
            .each(&grid, &|| true, |k, band| {
                if !asked.contains(&k) {
                    return;
                }
                let azimuth = TAU * k as f64 / 64.0;
                let radius_m = radius_of_curvature_m(Ellipsoid::WGS84, middle, azimuth) / (1.0 - refraction);
                for _ in 0..2_000 {
                    let cell = rng.random_range(0..band.len());
                    let at = (left + cell % grid.columns, top + cell / grid.columns);
                    let expected = by_brute_force(level, at, azimuth, eye_height_m, radius_m);
                    let off_deg = (f64::from(band[cell]) - expected).to_degrees();
                    assert!(off_deg.abs() < 0.002, "{off_deg} at {at:?} of {grid:?}, direction {k}: {expected}");
                    steepest = steepest.max(expected.to_degrees());
                }
            })
            .unwrap();
        assert!(steepest > 20.0, "{steepest} degrees at most");
    }
}

/// Law: over smooth ground, whose cells are small beside its hills, a raster has the exact horizons, to 0.01 degrees, on flat bodies a
/// little less: at random cells, with all that is far away. Bodies are as rough as they are large.
#[test]
fn rasters_agree_with_exact_horizons() {
    let mut rng = rng();
    let [earth, moon, mars, flat] = bodies();
    let any = (rng.random_range(-80.0..80.0), rng.random_range(-180.0..180.0));
    for (ellipsoid, (lat_deg, lon_deg)) in
        [(earth, (46.3, 8.1)), (earth, (-63.0, 179.9)), (earth, any), (moon, any), (mars, any), (flat, any)]
    {
        let size = ellipsoid.size();
        let surface = hilly_on(ellipsoid, size);
        let middle = Geodetic::from_degrees(lat_deg, lon_deg, 0.0);
        let grid = Grid::around(ellipsoid, middle, 12_000.0 * size, 150.0 * size).unwrap();
        let options = HorizonsOptions::default().with_directions(8).with_eye_height_m(100.0 * size);
        let within_deg = 0.01 + 0.5 * (ellipsoid.flattening() - earth.flattening()).max(0.0);
        let horizons = Horizons::new(&surface, &grid, &options, |_, _| {}).unwrap();
        for _ in 0..25 {
            let (column, row) = (rng.random_range(0..grid.columns), rng.random_range(0..grid.rows));
            let direction = rng.random_range(0..8);
            let azimuth = grid.true_azimuth_rad(column, row, TAU * direction as f64 / 8.0);
            let exact = exact_rad(&surface, grid.place(column, row), 100.0 * size, azimuth);
            let found = f64::from(horizons.bands[direction][row * grid.columns + column]);
            let off_deg = (found - exact).to_degrees();
            assert!(off_deg.abs() < within_deg, "{off_deg} of {} at {column} {row} of {grid:?}", exact.to_degrees());
        }
    }
}

fn exact_rad(surface: &Surface, at: Geodetic, eye_height_m: f64, azimuth_rad: f64) -> f64 {
    let eye = Geodetic { height_m: surface.height_m(at.normal()) + eye_height_m, ..at };
    Horizon::at_azimuth(surface, eye, azimuth_rad, 0.0).unwrap().elevation_rad
}

/// Law: normals of a row of cells are those of the cells, to a millimetre.
#[test]
fn rows_are_those_of_their_cells() {
    let mut rng = rng();
    for (ellipsoid, cell_m) in bodies().into_iter().flat_map(|of| [1.0, 30.0, 700.0, 9_000.0].map(|m| (of, m))) {
        let (size, cell_m) = (ellipsoid.size(), cell_m * ellipsoid.size());
        let middle = Geodetic::from_degrees(rng.random_range(-90.0..90.0), rng.random_range(-180.0..180.0), 0.0);
        let grid = Grid::around(ellipsoid, middle, f64::min(200.0 * cell_m, 400e3 * size), cell_m).unwrap();
        let row = rng.random_range(0..grid.rows);
        for (column, n) in grid.normals(row).into_iter().enumerate() {
            let off_m = ellipsoid.semi_major_m() * n.distance(grid.place(column, row).normal());
            assert!(off_m < 1e-3, "{off_m} at {column} of {grid:?}");
        }
    }
}

/// Law: places are as far from the middle as they are in the raster, by chords of the body; and a direction of the raster has the true
/// azimuth of what lies before and behind a cell, by geodesics.
#[test]
fn places_and_azimuths_are_those_of_the_body() {
    let mut rng = rng();
    for ellipsoid in bodies() {
        let (size, geodesic) = (ellipsoid.size(), ellipsoid.geodesic());
        let middle = Geodetic::from_degrees(rng.random_range(-80.0..80.0), rng.random_range(-180.0..180.0), 0.0);
        let grid = Grid::around(ellipsoid, middle, 100e3 * size, 1e3 * size).unwrap();
        for _ in 0..200 {
            let (column, row) = (rng.random_range(3..grid.columns - 3), rng.random_range(3..grid.rows - 3));
            let (east_m, north_m) = grid.offset_m(column, row);
            let (away_m, place) = (east_m.hypot(north_m), grid.place(column, row));
            let chord_m = place.to_ecef(ellipsoid).distance(middle.to_ecef(ellipsoid));
            assert!((chord_m - away_m).abs() <= 2e-5 * away_m, "{chord_m} {away_m} on {ellipsoid:?}");
            let [right, up] = [0, 0].map(|_: i32| rng.random_range(-3..=3i32));
            if (right, up) == (0, 0) {
                continue;
            }
            let azimuth_to = |right: i32, up: i32| {
                let of = |k: usize, by: i32| k.checked_add_signed(by as isize).unwrap();
                let there = grid.place(of(column, right), of(row, -up));
                let [a, b, c, d] = [place.lat_rad, place.lon_rad, there.lat_rad, there.lon_rad].map(f64::to_degrees);
                let (_, azimuth_deg, _, _): (f64, f64, f64, f64) = geodesic.inverse(a, b, c, d);
                azimuth_deg.to_radians()
            };
            let said = grid.true_azimuth_rad(column, row, f64::from(right).atan2(f64::from(up)));
            let off = [azimuth_to(right, up), azimuth_to(-right, -up) + 0.5 * TAU]
                .map(|azimuth| (azimuth - said + 0.5 * TAU).rem_euclid(TAU) - 0.5 * TAU);
            assert!((0.5 * (off[0] + off[1])).abs() < 1e-5, "{off:?} at {place:?} on {ellipsoid:?}");
        }
    }
}

/// Law: ground and raster are of one body, and what is known of the sun is of the Earth's.
#[test]
fn other_bodies_are_refused() {
    let middle = Geodetic::from_degrees(46.0, 8.0, 0.0);
    let options = HorizonsOptions::default().with_directions(4);
    let [earth, moon, ..] = bodies();
    for (ground, of_grid) in [(earth, moon), (moon, earth)] {
        let surface = hilly_on(ground, 1.0);
        let grid = Grid::around(of_grid, middle, 10_000.0, 1_000.0).unwrap();
        let refused = HorizonGround::new(&surface, &grid, &options, &|| true);
        assert!(matches!(refused, Err(HorizonError::OtherBody)));
        assert_eq!(Horizons::new(&surface, &grid, &options, |_, _| {}), Err(HorizonError::OtherBody));
    }
    let surface = hilly_on(moon, 1.0);
    let grid = Grid::around(moon, middle, 10_000.0, 1_000.0).unwrap();
    let horizons = Horizons::new(&surface, &grid, &options, |_, _| {}).unwrap();
    assert!(SkyView::new(&surface, &horizons).factors.iter().all(|factor| (0.0..=1.0).contains(factor)));
    let light = InsolationOptions::between(1_782_000_000.0, 1_782_086_400.0);
    let refused = Insolation::new(&surface, &horizons, &light).unwrap_err();
    assert_eq!(refused, SunError::OtherBody.into());
    assert!(refused.to_string().contains("Earth"), "{refused}");
    let horizon = Horizon::new(&surface, middle, &HorizonOptions::default().with_directions(8)).unwrap();
    assert_eq!(Sunlight::of_year(&horizon, 2026).unwrap_err(), SunError::OtherBody);
}

/// Law: a box is covered, whatever its place and its body; its rim is the raster's.
#[test]
fn boxes_are_covered() {
    let boxes = [[7.0, 46.0, 8.0, 46.5], [179.5, -10.0, -179.5, -9.0], [10.0, 88.0, 60.0, 90.0]];
    for (ellipsoid, bbox) in bodies().into_iter().flat_map(|of| boxes.map(|bbox| (of, bbox))) {
        let grid = Grid::covering(ellipsoid, bbox, 500.0).unwrap();
        let (east_m, north_m) = grid.offset_m(grid.columns - 1, 0);
        assert!(east_m > 0.0 && north_m > 0.0);
        let middle = grid.place(grid.columns / 2, grid.rows / 2);
        let lat_deg = middle.lat_rad.to_degrees();
        assert!(lat_deg > bbox[1] && lat_deg < bbox[3], "{lat_deg} of {bbox:?}");
    }
    for bad in [[7.0, 46.0, 7.0, 46.5], [7.0, 46.0, 8.0, 45.0], [0.0, -80.0, 170.0, 80.0], [7.0, f64::NAN, 8.0, 46.0]] {
        assert!(Grid::covering(Ellipsoid::WGS84, bad, 500.0).is_err(), "{bad:?}");
    }
    assert!(Grid::covering(Ellipsoid::WGS84, [7.0, 46.0, 8.0, 47.0], 1e-3).is_err());
    assert!(Grid::around(Ellipsoid::WGS84, Geodetic::from_degrees(0.0, 0.0, 0.0), 1e7, 1e6).is_err());
}

/// Law: horizons of a part of a raster, and sky views and light under them, are to the last bit those of the whole, in whatever
/// parts it is cut; parts of another raster are refused, and who wants no more gets none.
#[test]
fn parts_are_those_of_the_whole() {
    let mut rng = rng();
    let surface = rough(&mut rng);
    let grid = Grid::covering(Ellipsoid::WGS84, [8.0, 45.0, 9.1, 45.7], 4_000.0).unwrap();
    let options = HorizonsOptions::default().with_directions(rng.random_range(7..19));
    let whole = Horizons::new(&surface, &grid, &options, |_, _| {}).unwrap();
    let ground = HorizonGround::new(&surface, &grid, &options, &|| true).unwrap();
    let light = InsolationOptions::between(1_782_000_000.0, 1_782_086_400.0).with_step_s(3_600.0);
    let of = |horizons: &Horizons| {
        let lit = Insolation::new(&surface, horizons, &light).unwrap();
        [SkyView::new(&surface, horizons).factors, lit.direct_kwh_m2, lit.diffuse_kwh_m2, lit.sun_hours]
    };
    let expected = of(&whole);
    for _ in 0..8 {
        let (left, top) = (rng.random_range(0..grid.columns), rng.random_range(0..grid.rows));
        let (right, bottom) = (rng.random_range(left..grid.columns) + 1, rng.random_range(top..grid.rows) + 1);
        let part = ground.horizons(&grid.part(left..right, top..bottom), &|| true).unwrap();
        let cut = |band: &[f32]| -> Vec<f32> {
            (top..bottom).flat_map(|row| band[row * grid.columns..][left..right].to_vec()).collect()
        };
        for (k, band) in part.bands.iter().enumerate() {
            assert!(*band == cut(&whole.bands[k]), "direction {k} of {left}..{right}, {top}..{bottom}");
        }
        assert_eq!(of(&part), expected.each_ref().map(|band| cut(band)));
    }
    let other = Grid::covering(Ellipsoid::WGS84, [8.0, 45.0, 9.1, 45.7], 3_999.0).unwrap();
    assert!(ground.horizons(&other, &|| true).is_err());
    // Whoever says no once, at whichever question, has no answer, or the whole one before that question.
    for question in [0, 1, rng.random_range(2..100), rng.random_range(100..3_000)] {
        let asked = AtomicUsize::new(0);
        let once = || asked.fetch_add(1, Ordering::Relaxed) != question;
        let part = ground.horizons(&grid, &once);
        let expected =
            if asked.swap(0, Ordering::Relaxed) > question { Err(HorizonError::Stopped) } else { Ok(whole.clone()) };
        assert!(part == expected, "question {question}");
        let view = SkyView::new_while(&surface, &whole, &once);
        assert_eq!(view.is_err(), asked.swap(0, Ordering::Relaxed) > question, "question {question}");
        let read = HorizonGround::new(&surface, &grid, &options, &once);
        assert_eq!(read.is_err(), asked.swap(0, Ordering::Relaxed) > question, "question {question}");
        let mesh = Mesh::new(&surface, [8.0, 45.0, 8.1, 45.1], 1.0, 90.0, &once);
        assert_eq!(mesh.is_err(), asked.load(Ordering::Relaxed) > question, "question {question}");
    }
    assert_eq!(Insolation::new_while(&surface, &whole, &light, &|_| false), Err(InsolationError::Stopped));
}
