//! Is an array the surface of the file that it was read from? A relief that GDAL opens against one made from its values.
#![cfg(feature = "gdal")]

use std::path::Path;

use elevation::{
    height::{ArraySystem, Location, OpenOptions, RasterArray, Relief},
    surface::Surface,
};
use gdal::{
    Dataset, DriverManager,
    raster::Buffer,
    spatial_ref::{AxisMappingStrategy, CoordTransform, SpatialRef},
};
use rand::Rng;

mod random;

fn system(definition: &str) -> SpatialRef {
    let mut srs = SpatialRef::from_definition(definition).expect("PROJ knows it");
    srs.set_axis_mapping_strategy(AxisMappingStrategy::TraditionalGisOrder);
    srs
}

/// The relief of a file as an array, above the embedded one.
fn as_array(file: &Path, definition: &str) -> Relief {
    let dataset = Dataset::open(file).expect("a raster");
    let band = dataset.rasterband(1).expect("a band");
    let (columns, rows) = band.size();
    let values = band.read_as::<f32>((0, 0), (columns, rows), (columns, rows), None).expect("values");
    let (own, wgs84) = (system(definition), system("EPSG:4326"));
    let to = CoordTransform::new(&own, &wgs84).expect("a transformation");
    let from = CoordTransform::new(&wgs84, &own).expect("a transformation");
    let by = |transform: &CoordTransform, x: &mut [f64], y: &mut [f64]| {
        let _some_failed = transform.transform_coords(x, y, &mut []);
    };
    let array = RasterArray {
        name: "array",
        size: [columns, rows],
        values: values.data().to_vec(),
        geo_transform: dataset.geo_transform().expect("a geotransform"),
        system: ArraySystem {
            name: definition,
            definition: "",
            is_geographic: own.is_geographic(),
            to_wgs84: &|x, y| by(&to, x, y),
            from_wgs84: &|x, y| by(&from, x, y),
        },
        scale: 1.0,
        offset: 0.0,
    };
    let mut options = OpenOptions::default();
    options.nodata = band.no_data_value();
    Relief::embedded().expect("the relief").under_array(array, &options).expect("a raster")
}

/// Law: in degrees and in a projection, inside, over voids, in the feather and beyond it, an array has the bits of the file.
#[test]
fn an_array_has_the_bits_of_its_file() {
    let mut rng = random::rng();
    let folder = tempfile::tempdir().expect("a folder");
    let systems = [
        ("EPSG:4326", [7.0, 0.001, 0.0, 46.0, 0.0, -0.001]),
        ("EPSG:32632", [400_000.0, 90.0, 0.0, 5_100_000.0, 0.0, -90.0]),
        ("EPSG:3413", [-10_000.0, 500.0, 30.0, 20_000.0, 20.0, -480.0]),
    ];
    for (k, (definition, geo_transform)) in systems.into_iter().enumerate() {
        let file = folder.path().join(format!("{k}.tif"));
        let (columns, rows) = (120, 90);
        let driver = DriverManager::get_driver_by_name("GTiff").expect("a driver");
        let mut dataset = driver.create_with_band_type::<f32, _>(&file, columns, rows, 1).expect("a file");
        dataset.set_geo_transform(&geo_transform).expect("a geotransform");
        dataset.set_spatial_ref(&system(definition)).expect("a system");
        let value = |k: usize| {
            let is_void = k % 97 == 5 || (30..60).contains(&(k % columns)) && (20..50).contains(&(k / columns));
            if is_void { -9999.0 } else { rng.random_range(0.0..2_000.0) }
        };
        let values: Vec<f32> = (0..columns * rows).map(value).collect();
        let mut band = dataset.rasterband(1).expect("a band");
        band.set_no_data_value(Some(-9999.0)).expect("a value");
        band.write((0, 0), (columns, rows), &mut Buffer::new((columns, rows), values)).expect("written");
        drop(dataset);
        let opened = Relief::open(std::slice::from_ref(&file), &OpenOptions::default()).expect("a relief");
        let array = as_array(&file, definition);
        let [west, south, east, north] = opened.layers()[0].bbox_deg;
        let (more_lon, more_lat) = (0.3 * (east - west), 0.3 * (north - south));
        let (mut alone, mut blended) = (0, 0);
        for _ in 0..20_000 {
            let lat = rng.random_range(south - more_lat..north + more_lat).clamp(-90.0, 90.0);
            let n = Location::at(lat, rng.random_range(west - more_lon..east + more_lon)).normal;
            let (expected, found) = (opened.sample(n), array.sample(n));
            assert_eq!(found, expected, "{definition} at {lat}");
            alone += u32::from(found.layer == 0 && found.share == 1.0);
            blended += u32::from(found.blended_with.is_some());
        }
        assert!(alone > 2_000 && blended > 500, "{definition}: {alone} {blended}");
        let (opened, array) = (Surface::new(opened.into()), Surface::new(array.into()));
        for _ in 0..200 {
            let n = Location::at(rng.random_range(south..north), rng.random_range(west..east)).normal;
            assert_eq!(array.ground(n), opened.ground(n));
        }
    }
}
