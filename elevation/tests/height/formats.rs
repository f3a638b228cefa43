//! Formats that elevation comes in: what GDAL here can write of them is written and read back; the rest is skipped, and said.

use std::{
    fs,
    path::{Path, PathBuf},
};

use elevation::height::{HeightError, OpenOptions, Relief};
use gdal::{DriverManager, raster::RasterCreationOptions};
use tempfile::TempDir;

use super::raster_files::{Field, Frame, normal, zip};

/// A degree of hills, posted every half minute at whole nodes, as DTED wants it.
const POSTING: f64 = 1.0 / 120.0;

fn frame() -> Frame {
    Frame::north_up("EPSG:4326", (121, 121), 11.0 - 0.5 * POSTING, 48.0 + 0.5 * POSTING, POSTING)
}

fn field() -> Field {
    Field::for_posting_deg(POSTING)
}

/// Writes the hills in whole metres by a driver of GDAL; `None`, and a word about it, where it lacks the driver.
fn written_by(driver: &str, folder: &Path, name: &str) -> Option<PathBuf> {
    let Ok(driver) = DriverManager::get_driver_by_name(driver) else {
        eprintln!("skipped: this GDAL has no {driver}");
        return None;
    };
    let values: Vec<i16> = frame().values(field()).into_iter().map(|v| v.round() as i16).collect();
    let plain = frame().write::<i16>(&folder.join("plain.tif"), values);
    let path = folder.join(name);
    match plain.create_copy(&driver, &path, &RasterCreationOptions::default()) {
        Ok(copy) => copy.close().expect("closed"),
        Err(error) => {
            eprintln!("skipped: {} does not write here ({error})", driver.short_name());
            return None;
        }
    }
    Some(path)
}

fn open(file: &Path) -> Result<Relief, HeightError> {
    Relief::open(&[file.to_path_buf()], &OpenOptions::default())
}

/// Opens a file and compares it with the hills; the driver that was at work.
fn check(file: &Path) -> String {
    let relief = open(file).unwrap_or_else(|e| panic!("{e}"));
    let mut worst = 0f64;
    for i in 0..2000 {
        let n = normal(11.1 + 0.8 * f64::from(i) / 2000.0, 47.1 + 0.8 * f64::from(i * 7 % 2000) / 2000.0);
        let sample = relief.sample(n);
        assert_eq!(sample.layer, 0, "{}", file.display());
        worst = worst.max((sample.height_m - field().height_m(n)).abs());
    }
    // Whole metres, and what the kernel leaves; half a posting of misplacement would be 6 m.
    assert!(worst < 1.5, "{}: {worst} m", file.display());
    assert_eq!(relief.failure(), None);
    relief.layers()[0].driver.clone()
}

#[test]
fn digital_terrain_elevation_data() {
    let folder = TempDir::new().expect("a temporary folder");
    let Some(path) = written_by("DTED", folder.path(), "n47.dt0") else { return };
    assert_eq!(check(&path), "DTED");
}

#[test]
fn ascii_grids() {
    let folder = TempDir::new().expect("a temporary folder");
    let Some(path) = written_by("AAIGrid", folder.path(), "hills.asc") else { return };
    assert_eq!(check(&path), "AAIGrid");
}

#[test]
fn gridded_binary() {
    let folder = TempDir::new().expect("a temporary folder");
    let Some(path) = written_by("GRIB", folder.path(), "hills.grb2") else { return };
    assert_eq!(check(&path), "GRIB");
}

/// A file of several variables names them; each opens by the name that is given.
#[test]
fn datasets_inside_of_netcdf() {
    let folder = TempDir::new().expect("a temporary folder");
    let Some(path) = written_by("netCDF", folder.path(), "one.nc") else { return };
    assert_eq!(check(&path), "netCDF");
    let driver = DriverManager::get_driver_by_name("netCDF").expect("it has just written");
    let values: Vec<i16> = frame().values(field()).into_iter().map(|v| v.round() as i16).collect();
    let memory = DriverManager::get_driver_by_name("MEM").expect("GDAL has memory");
    let mut both = memory.create_with_band_type::<i16, _>("", 121, 121, 2).expect("created");
    both.set_geo_transform(&frame().geo_transform).expect("placed");
    both.set_spatial_ref(&super::raster_files::srs("EPSG:4326")).expect("a system");
    for band in 1..=2 {
        let mut buffer = gdal::raster::Buffer::new((121, 121), values.clone());
        both.rasterband(band).expect("a band").write((0, 0), (121, 121), &mut buffer).expect("written");
    }
    let path = folder.path().join("two.nc");
    let copy = both.create_copy(&driver, &path, &RasterCreationOptions::default()).expect("written");
    copy.close().expect("closed");
    let error = open(&path).expect_err("which one?");
    let HeightError::NoBand { subdatasets, .. } = &error else { panic!("{error}") };
    assert_eq!(subdatasets.len(), 2, "{error}");
    assert!(error.to_string().contains("two.nc") && error.to_string().contains("Band2"), "{error}");
    assert_eq!(check(Path::new(&subdatasets[1])), "netCDF");
}

#[test]
fn rasters_in_archives() {
    let folder = TempDir::new().expect("a temporary folder");
    let Some(path) = written_by("GTiff", folder.path(), "hills.tif") else { return };
    let bytes = fs::read(&path).expect("read");
    let inside = format!("/vsizip/{}/deep/hills.tif", folder.path().join("hills.zip").display());
    zip(Path::new(&inside), &bytes);
    assert_eq!(check(Path::new(&inside)), "GTiff");
}
