//! Laws of horizons on a device: they are those of the CPU.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicUsize, Ordering},
};

use elevation::geodesy::{Ellipsoid, Geodetic};
use elevation::surface::Surface;
use gpu::{Gpu, GpuOptions};
use rand::Rng;

use super::*;
use crate::HorizonsOptions;
use crate::horizons::{
    grid::Level,
    sweep::{FarthestTarget, LineQuery, SweepAxes, radius_of_curvature_m, shape::Shape},
};
use crate::random::rng;
use crate::terrains::{bodies, hilly, hilly_on, rough_on, rugged_on};

/// The greatest difference in degrees between horizons of cells found on both, and how many cells there are.
fn difference_deg(gpu: &Gpu, surface: &Surface, grid: &Grid, part: &Grid, options: &HorizonsOptions) -> (f64, usize) {
    let ground = HorizonGround::new(surface, grid, options, &|| true).unwrap();
    let expected = ground.horizons(part, &|| true).unwrap();
    let found = DeviceHorizonGround::new(gpu, &ground).unwrap().horizons(part, &|| true).unwrap();
    assert_eq!((found.bands.len(), &found.grid), (options.directions, part));
    let mut most = 0.0f64;
    for (k, (found, expected)) in found.bands.iter().zip(&expected.bands).enumerate() {
        for (cell, (found, expected)) in found.iter().zip(expected).enumerate() {
            let off_deg = f64::from(found - expected).to_degrees().abs();
            assert!(off_deg.is_finite(), "{found}, cell {cell}, direction {k}");
            most = most.max(off_deg);
        }
    }
    (most, found.bands.iter().map(Vec::len).sum())
}

/// Law: over ground of all kinds, of cells from 30 m to 4 km, with all that is far away or not, from the ground and from 100 km
/// above it, horizons are those that the CPU finds but for three roundings of heights.
#[test]
fn devices_find_the_same() {
    let gpu = Gpu::new(&GpuOptions::from_env()).unwrap();
    let mut rng = rng();
    for round in 0..12 {
        let ellipsoid = if round < 6 { Ellipsoid::WGS84 } else { bodies()[1 + (round + round / 3) % 3] };
        let surface = [rough_on, |of, _: &mut _| hilly_on(of, 1.0), rugged_on][round % 3](ellipsoid, &mut rng);
        let cell_m = [rng.random_range(2_000.0..4_000.0), rng.random_range(100.0..500.0), 30.0][round % 3];
        let cell_m = cell_m * ellipsoid.size();
        let middle = Geodetic::from_degrees(rng.random_range(-89.0..89.0), rng.random_range(-180.0..180.0), 0.0);
        let grid = Grid::around(ellipsoid, middle, cell_m * rng.random_range(10.0..60.0), cell_m).unwrap();
        // As far as the ground of a small body is seen, lines of the grid are not straight.
        let usual_m = (ellipsoid.size() < 0.1).then_some(1.9e6 * ellipsoid.size());
        let options = HorizonsOptions::default()
            .with_directions(rng.random_range(5..24))
            .with_eye_height_m([0.0, 40.0, 3_000.0, 100_000.0][rng.random_range(0..4)] * ellipsoid.size())
            .with_refraction([0.13, 0.0][rng.random_range(0..2)])
            .with_reach_m(
                [usual_m, Some(cell_m), Some(cell_m * rng.random_range(20.0..400.0))][rng.random_range(0..3)],
            );
        // Ground is up to 4 500 m high.
        let most_m =
            4_500.0 + grid.half_diagonal_m().powi(2) / (1.88 * ellipsoid.semi_major_m()) + options.eye_height_m;
        let bound_deg = (1e-6 + 3.0 * 2f64.powi(-23) * most_m / cell_m).to_degrees();
        let [left, top] = [grid.columns, grid.rows].map(|size| rng.random_range(0..size / 2));
        let part = grid.part(left..grid.columns - left / 2, top..grid.rows);
        let (off_deg, cells) = difference_deg(&gpu, &surface, &grid, &part, &options);
        assert!(off_deg < bound_deg, "{off_deg} of {cells}: {grid:?} {options:?}");
    }
}

/// Slope from a cell's eye to a target, of the ground as the grid has it, in f64.
fn slope(ground: &HorizonGround, number: usize, line: &FarthestTarget) -> f64 {
    let HorizonsOptions { eye_height_m, refraction, .. } = ground.options;
    let azimuth_rad = ground.azimuth_rad(number);
    let (axes, grid) = (SweepAxes::new(azimuth_rad), &ground.grid);
    let radius_m = radius_of_curvature_m(grid.ellipsoid, grid.middle, azimuth_rad) / (1.0 - refraction);
    // Distance along, and s.
    let at = |level: &Level, along_m: f64, across_m: f64, above_m: f64| {
        let shape = Shape::new(level, axes, radius_m, 1);
        let cell = |m: f64, count: usize| m / level.cell_m + 0.5 * (count as f64 - 1.0);
        let (u, v) = (cell(along_m, shape.along).round() as usize, cell(across_m, shape.across));
        let s = |row: usize| {
            let [column, row] = axes.cell((u, row), shape.along);
            let height_m = f64::from(level.heights_m[row * level.columns + column]) + above_m;
            radius_m - radius_m * radius_m / (shape.angle_rad[u].cos() * (radius_m + height_m))
        };
        let low = v.clamp(0.0, (shape.across - 1) as f64).floor() as usize;
        let part = (v - low as f64).max(0.0);
        let above = if part < 1e-6 { s(low) } else { s(low) + part * (s(low + 1) - s(low)) };
        (shape.x_m[u], above)
    };
    let level = ground.levels.iter().min_by(|a, b| {
        let off = |level: &Level| (level.cell_m * axes.stretch - line.step_m).abs();
        off(a).total_cmp(&off(b))
    });
    // Back from metres eastwards and northwards.
    let along_across = |[east_m, north_m]: [f64; 2]| {
        let (main_m, across_m) = if axes.by_rows { (-north_m, east_m) } else { (east_m, -north_m) };
        (if axes.backwards { -main_m } else { main_m }, across_m)
    };
    let middle = |count: usize| 0.5 * (count as f64 - 1.0);
    let eye = [line.cell[0] as f64 - middle(grid.columns), middle(grid.rows) - line.cell[1] as f64];
    let (along_m, across_m) = along_across(eye.map(|cells| cells * grid.cell_m));
    let (eye_x_m, eye_s_m) = at(&ground.levels[0], along_m, across_m, eye_height_m);
    let (along_m, across_m) = along_across(line.target_m);
    let (x_m, s_m) = at(level.unwrap(), along_m, across_m, 0.0);
    (s_m - eye_s_m) / (x_m - eye_x_m)
}

/// Law: over ground of all kinds, the farthest ground that a device finds from each cell rises as high before it as that which the CPU
/// finds but for three roundings of heights; of those that are as far as is asked for, and no others, all but one in a thousand are told:
/// where ground rises equally high near by.
#[test]
fn devices_see_as_far() {
    let gpu = Gpu::new(&GpuOptions::from_env()).unwrap();
    let mut rng = rng();
    let (mut far, mut missing) = (0, 0);
    for round in 0..6 {
        let surface = [rough_on, |of, _: &mut _| hilly_on(of, 1.0), rugged_on][round % 3](Ellipsoid::WGS84, &mut rng);
        let cell_m = [rng.random_range(2_000.0..4_000.0), rng.random_range(100.0..500.0), 30.0][round % 3];
        let middle = Geodetic::from_degrees(rng.random_range(-89.0..89.0), rng.random_range(-180.0..180.0), 0.0);
        let grid = Grid::around(Ellipsoid::WGS84, middle, cell_m * rng.random_range(10.0..60.0), cell_m).unwrap();
        let reach_m = cell_m * rng.random_range(20.0..400.0);
        let options = HorizonsOptions::default()
            .with_directions(rng.random_range(3..9))
            .with_eye_height_m([2.0, 300.0][rng.random_range(0..2)])
            .with_refraction([0.13, 0.0][rng.random_range(0..2)])
            .with_reach_m(Some(reach_m));
        let most_m =
            4_500.0 + grid.half_diagonal_m().powi(2) / (1.88 * Ellipsoid::WGS84.semi_major_m()) + options.eye_height_m;
        let bound = 1e-6 + 3.0 * 2f64.powi(-23) * most_m / cell_m;
        let ground = HorizonGround::new(&surface, &grid, &options, &|| true).unwrap();
        let on_device = DeviceHorizonGround::new(&gpu, &ground).unwrap();
        let eyes = vec![true; grid.cells()];
        let query = |least_m: f64| LineQuery {
            eye_height_m: options.eye_height_m,
            target_height_m: 0.0,
            least_m,
            most_m: reach_m,
            separation_m: 0.0,
            eyes: &eyes,
        };
        let by_device = |least_m: f64| {
            let mut found = vec![Vec::new(); options.directions];
            let take = |number: usize, lines: Vec<FarthestTarget>| {
                found[number].extend(lines);
                0.0
            };
            on_device.farthest(&grid, &query(least_m), &|| true, take).unwrap();
            found
        };
        let least_m = rng.random_range(0.0..0.5) * reach_m;
        let by_cell = |lines: Vec<FarthestTarget>| -> HashMap<[usize; 2], FarthestTarget> {
            lines.into_iter().map(|line| (line.cell, line)).collect()
        };
        for (number, (all, long)) in by_device(0.0).into_iter().zip(by_device(least_m)).enumerate() {
            let [all, long, expected] = [all, long, ground.farthest(number, &query(0.0), &|| true)].map(by_cell);
            assert_eq!(all.len(), expected.len(), "{grid:?} {options:?}");
            for (cell, line) in &all {
                assert!(line.distance_m <= reach_m * (1.0 + 1e-6), "{line:?} {options:?}");
                let off = slope(&ground, number, line) - slope(&ground, number, &expected[cell]);
                assert!(off.abs() < bound, "{off} of {bound}: {line:?} {:?} {options:?}", expected[cell]);
                let is_far = line.distance_m >= least_m;
                far += u64::from(is_far);
                missing += u64::from(is_far && !long.contains_key(cell));
            }
            for (cell, line) in long {
                assert!(line.distance_m >= least_m, "{line:?}");
                let off = slope(&ground, number, &line) - slope(&ground, number, &expected[&cell]);
                assert!(off.abs() < bound, "{off} of {bound}: {line:?} {:?} {options:?}", expected[&cell]);
            }
        }
    }
    assert!(far > 1_000 && missing <= far / 1_000, "{missing} of {far}");
}

/// Law: parts of another raster are refused, an empty part has empty bands, and who wants no more gets none.
#[test]
fn what_cannot_be_asked_is_refused() {
    let gpu = Gpu::new(&GpuOptions::from_env()).unwrap();
    let (surface, middle) = (hilly(), Geodetic::from_degrees(46.0, 8.0, 0.0));
    let grid = Grid::around(Ellipsoid::WGS84, middle, 20_000.0, 1_000.0).unwrap();
    let options = HorizonsOptions::default().with_directions(5);
    let ground = HorizonGround::new(&surface, &grid, &options, &|| true).unwrap();
    let on_device = DeviceHorizonGround::new(&gpu, &ground).unwrap();
    let other = Grid::around(Ellipsoid::WGS84, middle, 20_000.0, 999.0).unwrap();
    let refused = on_device.horizons(&other, &|| true);
    assert!(matches!(refused, Err(DeviceHorizonsError::Horizon(HorizonError::Option(_)))), "{refused:?}");
    let empty = on_device.horizons(&grid.part(3..3, 0..9), &|| true).unwrap();
    assert_eq!(empty.bands, vec![Vec::<f32>::new(); 5]);
    let calls = AtomicUsize::new(0);
    let stopped = on_device.horizons(&grid, &|| calls.fetch_add(1, Ordering::Relaxed) < 2);
    assert!(matches!(stopped, Err(DeviceHorizonsError::Horizon(HorizonError::Stopped))), "{stopped:?}");
    let mut small = gpu.clone();
    small.caps.buffer_bytes = 1_000;
    let refused = DeviceHorizonGround::new(&small, &ground).unwrap_err();
    assert!(refused.to_string().contains("take larger cells, or the CPU"), "{refused}");
}
