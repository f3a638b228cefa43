//! What do headers that somebody damaged, or wrote to do harm, make of an elevation source? A refusal in words or heights, without
//! a panic, in bounded memory and without a request: virtual rasters and text grids, as they are tracked and mutated by a seed.
//!
//! These are no fuzz targets: a fuzzer would look for the errors of GDAL and its drivers, which are not instrumented.
#![cfg(feature = "gdal")]

#[path = "../../foreign/fuzz/src/replay.rs"]
mod replay;

use std::{fs, path::Path};

use elevation::{
    geodesy::Geodetic,
    height::{Network, OpenOptions, Relief},
};

/// Bytes of heights that a layer may keep.
const LAYER_BYTES: usize = 4 << 20;
/// Kilobytes that the process may have had at its height: the embedded relief, the layer, GDAL's cache of blocks and what
/// the drivers of GDAL take for a source.
const MOST_KB: u64 = 1 << 20;

/// The most memory that this process has had, in kilobytes, where the system tells.
fn most_kb() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().trim_end_matches(" kB").parse().ok())
}

/// Refused in words, or it answers everywhere.
fn holds(file: &Path) {
    let options = OpenOptions::default().with_layer_bytes(LAYER_BYTES).with_network(Network::Never).with_index(None);
    let relief = match Relief::open(&[file.to_path_buf()], &options) {
        Ok(relief) => relief,
        Err(error) => {
            let said = error.to_string();
            let length = said.chars().count();
            assert!(length < 1000 && !said.contains(char::is_control), "{length} characters: {said:?}");
            return;
        }
    };
    let layer = &relief.layers()[0];
    let [west, south, east, north] = layer.bbox_deg;
    assert!([west, south, east, north].iter().all(|degrees| degrees.is_finite()), "{layer:?}");
    assert!(layer.posting_m > 0.0 && layer.posting_m.is_finite(), "{layer:?}");
    for (across, up) in [(0.5, 0.5), (0.02, 0.02), (0.98, 0.5), (1.2, -0.2)] {
        let (lon, lat) = (west + across * (east - west), south + up * (north - south));
        let n = Geodetic::from_degrees(lat.clamp(-90.0, 90.0), lon, 0.0).normal();
        let sample = relief.sample(n);
        assert!(sample.height_m.is_finite() && sample.height_m.abs() <= 17_000.0, "{sample:?} of {layer:?}");
    }
}

/// Mutations of each kind.
const MUTATIONS: usize = 10_000;

#[test]
fn damaged_virtual_rasters() {
    damaged_headers("vrt");
}

#[test]
fn damaged_text_grids() {
    damaged_headers("asc");
}

fn damaged_headers(kind: &str) {
    let folder = tempfile::tempdir().unwrap();
    let raw = folder.path().join("raw.tif");
    let driver = gdal::DriverManager::get_driver_by_name("GTiff").unwrap();
    let mut raster = driver.create_with_band_type::<i16, _>(&raw, 60, 40, 1).unwrap();
    raster.set_geo_transform(&[6.0, 0.001, 0.0, 46.0, 0.0, -0.001]).unwrap();
    raster.set_spatial_ref(&gdal::spatial_ref::SpatialRef::from_epsg(4326).unwrap()).unwrap();
    let heights: Vec<i16> = (0..2400).map(|k| 400 + (k % 60) * 7 + k / 60 * 13).collect();
    let mut band = raster.rasterband(1).unwrap();
    band.write((0, 0), (60, 40), &mut gdal::raster::Buffer::new((60, 40), heights.clone())).unwrap();
    raster.close().unwrap();
    let bytes: Vec<u8> = heights.iter().flat_map(|height| height.to_le_bytes()).collect();
    fs::write(folder.path().join("raw.bin"), bytes).unwrap();
    // Below each of them, and decoded once.
    let _earth = Relief::embedded().expect("the relief that ships");
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/headers");
    let file = folder.path().join("a").with_extension(kind);
    replay::replay(&seeds.join(kind), MUTATIONS, |bytes| {
        fs::write(&file, bytes).unwrap();
        holds(&file);
    });
    assert!(most_kb().is_none_or(|kb| kb < MOST_KB), "{} MB at the height", most_kb().unwrap_or_default() >> 10);
}
