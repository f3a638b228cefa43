//! Files of rough ground with voids, for tests.

use std::path::{Path, PathBuf};

use gdal::{DriverManager, raster::Buffer, spatial_ref::SpatialRef};
use rand::{Rng, rngs::StdRng};
use tempfile::TempDir;

use super::Relief;
use crate::height::OpenOptions;

const NODATA: f32 = -32_768.0;

/// Writes a raster of rough ground, a tenth of it voids in patches.
pub fn rough_terrain(
    file: &Path,
    rng: &mut StdRng,
    epsg: u32,
    corner: [f64; 2],
    posting: [f64; 2],
    size: (usize, usize),
) -> PathBuf {
    let driver = DriverManager::get_driver_by_name("GTiff").unwrap();
    let mut dataset = driver.create_with_band_type::<f32, _>(file, size.0, size.1, 1).unwrap();
    dataset.set_spatial_ref(&SpatialRef::from_epsg(epsg).unwrap()).unwrap();
    dataset.set_geo_transform(&[corner[0], posting[0], 0.0, corner[1], 0.0, posting[1]]).unwrap();
    let mut values: Vec<f32> = (0..size.0 * size.1).map(|_| rng.random_range(0.0..40.0)).collect();
    for _ in 0..size.0 * size.1 / 4_000 {
        let (x, y) = (rng.random_range(0..size.0 - 20), rng.random_range(0..size.1 - 20));
        for row in y..y + 20 {
            values[row * size.0 + x..][..rng.random_range(1..20)].fill(NODATA);
        }
    }
    let mut band = dataset.rasterband(1).unwrap();
    band.set_no_data_value(Some(f64::from(NODATA))).unwrap();
    band.write((0, 0), size, &mut Buffer::new(size, values)).unwrap();
    file.to_owned()
}

/// A folder of square rasters of rough ground, by their north-west corners.
pub fn rough_folder(rng: &mut StdRng, corners: [[f64; 2]; 4], posting: f64, side: usize) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (k, corner) in corners.into_iter().enumerate() {
        rough_terrain(&folder.path().join(format!("{k}.tif")), rng, 4326, corner, [posting, -posting], (side, side));
    }
    folder
}

/// The files, and the embedded relief below them.
pub fn open(files: &[PathBuf], options: OpenOptions) -> Relief {
    Relief::open(files, &options).unwrap()
}
