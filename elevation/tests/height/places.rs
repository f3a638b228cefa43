//! The embedded relief: known places, both poles, both sides of 180 degrees, and GDAL's own values at the nodes.

use std::{path::Path, sync::LazyLock};

use elevation::height::{OpenOptions, Relief};
use gdal::Dataset;
use rand::{Rng, SeedableRng, rngs::StdRng};

use super::raster_files::normal;

/// The embedded relief, decoded once for all tests.
pub static EARTH: LazyLock<Relief> = LazyLock::new(|| Relief::embedded().expect("the embedded relief opens"));

fn height_m(lon_deg: f64, lat_deg: f64) -> f64 {
    EARTH.sample(normal(lon_deg, lat_deg)).height_m
}

#[test]
fn geography() {
    // Tibet is high, the Mariana Trench deep, the Arctic a sea, the South Pole a plateau.
    assert!((4000.0..5500.0).contains(&height_m(88.0, 33.0)));
    assert!(height_m(142.333_333, 11.333_333) < -10_300.0);
    assert_eq!(height_m(0.0, 90.0), -4290.0);
    assert_eq!(height_m(77.0, -90.0), 2810.0);
    // Andes and the trench beside them: east and west are not swapped.
    assert!(height_m(-68.0, -20.0) > 3000.0 && height_m(-71.5, -20.0) < -5000.0);
    // Greenland and the Sahara: north and south are not swapped.
    assert!(height_m(-40.0, 72.0) > 2500.0 && height_m(10.0, 25.0) > 0.0);
    let (low, high) = EARTH.range_m();
    assert_eq!((low, high), (-10_376.0, 7833.0));
    let info = &EARTH.layers()[0];
    assert_eq!((info.size, info.void_share), ([4320, 2161], 0.0));
    assert!((info.posting_m - 9266.0).abs() < 10.0);
    assert_eq!(EARTH.posting_m(normal(0.0, 0.0)), info.posting_m);
}

#[test]
fn nodes_have_gdals_values() {
    // The shipped file read by GDAL directly, node by node: the oracle of the whole chain.
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/etopo5.tif");
    let dataset = Dataset::open(file).expect("the file of the repository");
    let band = dataset.rasterband(1).expect("one band");
    let g = dataset.geo_transform().expect("placed");
    let mut rng = StdRng::seed_from_u64(5);
    for _ in 0..3000 {
        let (column, row) = (rng.random_range(0..4320), rng.random_range(0..2161));
        let value = band.read_as::<f64>((column as isize, row as isize), (1, 1), (1, 1), None).expect("read").data()[0];
        let lon = g[0] + (f64::from(column) + 0.5) * g[1];
        let lat = g[3] + (f64::from(row) + 0.5) * g[5];
        let got = height_m(lon, lat);
        assert!((got - value).abs() < 1e-6, "column {column}, row {row}: {got} {value}");
    }
}

#[test]
fn nothing_happens_at_the_antimeridian_or_the_poles() {
    for i in 0..2000 {
        let lat = -89.9 + 0.09 * f64::from(i);
        assert_eq!(height_m(180.0, lat), height_m(-180.0, lat));
        // One millimetre apart, across the seam: slopes here are below 0.3.
        assert!((height_m(180.0 - 5e-9, lat) - height_m(-180.0 + 5e-9, lat)).abs() < 2e-3);
    }
    for i in 0..360 {
        let lon = f64::from(i);
        assert!((height_m(lon, 90.0 - 1e-9) + 4290.0).abs() < 1e-2);
        // Straight over the pole, one metre on each side.
        let (here, there) = (height_m(lon, 89.999_99), height_m(lon + 180.0, 89.999_99));
        assert!((here - there).abs() < 0.1, "{lon}: {here} {there}");
    }
}

#[test]
fn heights_stay_within_the_postings_around() {
    // The law of the monotone cubic on real data: no peak and no sea is invented.
    let mut rng = StdRng::seed_from_u64(6);
    for _ in 0..50_000 {
        let (column, row) = (f64::from(rng.random_range(0..4320)), f64::from(rng.random_range(0..2160)));
        let at = |dx: f64, dy: f64| height_m(-180.0 + (column + dx) / 12.0, 90.0 - (row + dy) / 12.0);
        let corners = [at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0), at(1.0, 1.0)];
        let (low, high) = corners.iter().fold((f64::MAX, f64::MIN), |(l, h), c| (l.min(*c), h.max(*c)));
        let h = at(rng.random_range(0.0..1.0), rng.random_range(0.0..1.0));
        assert!(h >= low - 1e-6 && h <= high + 1e-6, "{h} not in {low}..{high}");
    }
}

#[test]
fn rows_and_single_samples_have_the_same_bits() {
    let mut rng = StdRng::seed_from_u64(7);
    let normals: Vec<_> =
        (0..10_001).map(|_| normal(rng.random_range(-180.0..180.0), rng.random_range(-90.0..90.0))).collect();
    let mut heights = vec![0.0; normals.len()];
    EARTH.sample_row(&normals, &mut heights);
    for (n, h) in normals.iter().zip(heights) {
        assert_eq!(EARTH.sample(*n).height_m.to_bits(), h.to_bits());
    }
}

/// A raster of 92 m posting over the embedded one: towns at their heights, the datum as the file states it.
#[test]
fn the_cumberland_mountains() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/jacksboro.tif");
    let relief = Relief::open(&[file], &OpenOptions::default()).expect("the file of the repository");
    let towns = [
        (36.3301, -84.1838, 329.0),
        (36.3828, -84.1199, 325.0),
        (36.2989, -84.2232, 336.0),
        (36.2184, -84.1549, 262.0),
    ];
    for (lat, lon, height_m) in towns {
        let sample = relief.sample(normal(lon, lat));
        assert!(sample.layer == 0 && (sample.height_m - height_m).abs() < 20.0, "{lat} {lon}: {sample:?}");
    }
    let info = &relief.layers()[0];
    assert_eq!((info.range_m, info.void_share), ((236.0, 1076.0), 0.0));
    assert!(info.datum.contains("EGM96") && (info.posting_m - 92.7).abs() < 0.5, "{info:?}");
    // The highest node: a summit, not a spike, and where the array has it.
    let summit = relief.sample(normal(-84.230_833, 36.198_333)).height_m;
    assert!((1060.0..=1076.0).contains(&summit), "{summit}");
}
