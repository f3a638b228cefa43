//! Is the ground shaded by its shape alone? Pictures of simple ground, with the answer known.

use std::path::{Path, PathBuf};

use gdal::{DriverManager, raster::Buffer, spatial_ref::SpatialRef};
use image::RgbImage;
use tempfile::TempDir;
use tests::{program, program::run};

/// A raster of heights given by longitude and latitude, at the equator.
fn raster(
    path: &Path,
    (west, north): (f64, f64),
    size: (usize, usize),
    posting: f64,
    height: impl Fn(f64, f64) -> f64,
) {
    let driver = DriverManager::get_driver_by_name("GTiff").unwrap();
    let mut dataset = driver.create_with_band_type::<f32, _>(path, size.0, size.1, 1).unwrap();
    dataset.set_geo_transform(&[west, posting, 0.0, north, 0.0, -posting]).unwrap();
    dataset.set_spatial_ref(&SpatialRef::from_epsg(4326).unwrap()).unwrap();
    let centre = |i: usize| (i as f64 + 0.5) * posting;
    let heights =
        (0..size.0 * size.1).map(|i| height(west + centre(i % size.0), north - centre(i / size.0)) as f32).collect();
    dataset.rasterband(1).unwrap().write((0, 0), size, &mut Buffer::new(size, heights)).unwrap();
}

/// A picture over rasters; with more options of `orogen render`.
fn render(folder: &TempDir, files: &[PathBuf], more: &[&str]) -> RgbImage {
    let out = folder.path().join("a.png");
    let mut words = vec!["render", "--software", "--size", "240x160", "-o", out.to_str().unwrap()];
    words.extend(more);
    words.extend(files.iter().map(|file| file.to_str().unwrap()));
    run(program!(), &words).expect_code(0);
    image::open(&out).unwrap().to_rgb8()
}

/// Law: where fine data begin on ground that goes on unchanged, the shade goes from one side's to the other's and never
/// beyond: neither side's slopes count more than they are.
#[test]
fn the_edge_of_fine_data_makes_no_ridge() {
    let folder = tempfile::tempdir().unwrap();
    // 3 m up every 100 m to the north, from the coarse raster's southern edge.
    let height = |_, lat: f64| (lat + 1.5) * 111_195.0 * 0.03;
    let (coarse, fine) = (folder.path().join("coarse.tif"), folder.path().join("fine.tif"));
    raster(&coarse, (-154.0, 1.5), (96, 36), 1.0 / 12.0, height);
    raster(&fine, (-150.0, 0.5), (400, 400), 1.0 / 400.0, height);
    let view = ["--at", "0,-150,200000", "--look", "0,-90", "--sun", "0,30"];
    let picture = render(&folder, &[fine, coarse], &view);
    // Westwards of the edge lies the coarse raster, eastwards the fine one, on one height each row.
    let (width, height) = picture.dimensions();
    let mut sides = Vec::new();
    for y in height / 2 - 4..height / 2 + 4 {
        let shade = |x: u32| picture.get_pixel(x, y).0.iter().map(|&c| f64::from(c)).sum::<f64>() / 3.0;
        let (west, east) = (shade(width / 8), shade(width * 3 / 4));
        let (low, high) = (west.min(east) - 2.0, west.max(east) + 2.0);
        let between: Vec<f64> = (width / 8..=width * 3 / 4).map(shade).collect();
        let outside = between.iter().filter(|shade| !(low..=high).contains(*shade)).count();
        assert_eq!(outside, 0, "row {y}, from {west} to {east}: {between:?}");
        sides.push((west - east).abs());
    }
    assert!(sides.iter().all(|difference| *difference > 1.0), "the two are told apart: {sides:?}");
}
