//! How do tests get elevation of their own? As a GeoTIFF of a function.

use std::path::Path;

use gdal::{DriverManager, raster::Buffer, spatial_ref::SpatialRef};

/// Writes a raster of heights given by longitude and latitude, `posting` degrees apart, from its north-western corner.
///
/// # Panics
/// If it cannot be written.
pub fn write(
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
    dataset.close().unwrap();
}
