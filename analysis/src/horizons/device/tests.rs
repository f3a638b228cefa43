//! Laws of horizons on a device: they are those of the CPU.

use std::sync::atomic::{AtomicUsize, Ordering};

use elevation::geodesy::{Ellipsoid, Geodetic};
use elevation::surface::Surface;
use gpu::{Gpu, GpuOptions};
use rand::Rng;

use super::*;
use crate::HorizonsOptions;
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
