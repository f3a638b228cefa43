//! What a file says of its numbers, or its user does, decides about the heights: unit, direction, range, mask, band.

use std::{
    ffi::CStr,
    path::{Path, PathBuf},
};

use elevation::height::{HeightError, LayerOptions, OpenOptions, Relief};
use gdal::{
    Dataset, DriverManager, Metadata,
    programs::raster::build_vrt,
    raster::{Buffer, RasterCreationOptions},
};
use rand::Rng as _;
use tempfile::TempDir;

use super::raster_files::{Frame, normal, srs};
use crate::random;

const SURVEY_FOOT_M: f64 = 1200.0 / 3937.0;

fn open_with(files: &[&Path], options: &OpenOptions) -> Relief {
    let files: Vec<PathBuf> = files.iter().map(|file| file.to_path_buf()).collect();
    Relief::open(&files, options).unwrap_or_else(|e| panic!("{e}"))
}

fn open(file: &Path) -> Relief {
    open_with(&[file], &OpenOptions::default())
}

fn folder() -> TempDir {
    TempDir::new().expect("a temporary folder")
}

/// A frame of 60 x 60 texels around 40.3 N, 99.7 W in degrees.
fn frame(crs: &'static str) -> Frame {
    Frame::north_up(crs, (60, 60), -100.0, 40.6, 0.01)
}

/// The height in the middle of [`frame`], which the top layer answers.
fn middle_m(relief: &Relief) -> f64 {
    let sample = relief.sample(normal(-99.7, 40.3));
    assert_eq!(sample.layer, 0, "{:?}", relief.layers()[0]);
    sample.height_m
}

fn write(folder: &TempDir, name: &str, crs: &'static str, value: f32) -> PathBuf {
    let path = folder.path().join(name);
    frame(crs).write::<f32>(&path, vec![value; 3600]).close().expect("closed");
    path
}

/// A virtual raster of a file, which states the coordinate system and no unit.
fn virtual_raster(of: &Path, name: &str) -> PathBuf {
    let path = of.with_file_name(name);
    build_vrt(Some(&path), &[Dataset::open(of).expect("opens")], None).expect("built").close().expect("closed");
    path
}

/// Law: a height is in the unit of the band, else in that of the vertical axis, in the file itself and in a mosaic of it.
#[test]
fn units_of_vertical_axes() {
    let folder = folder();
    for (crs, metres, datum) in [
        ("EPSG:4269+6360", SURVEY_FOOT_M, "NAVD88 height"),
        ("EPSG:4269+8228", 0.3048, "NAVD88 height"),
        ("EPSG:4269+5703", 1.0, "NAVD88 height"),
    ] {
        let file = write(&folder, "dem.tif", crs, 1000.0);
        let mosaic = virtual_raster(&file, "mosaic.vrt");
        assert_eq!(Dataset::open(&mosaic).expect("opens").rasterband(1).expect("a band").unit(), "", "the trap is set");
        for path in [&file, &mosaic] {
            let relief = open(path);
            let got = middle_m(&relief);
            assert!((got - 1000.0 * metres).abs() < 1e-3, "{crs} {path:?}: {got}");
            assert_eq!(relief.layers()[0].datum, datum);
            assert!(relief.layers()[0].remarks.is_empty(), "{:?}", relief.layers()[0].remarks);
        }
        // Windows and folders read it as a whole file does.
        let windows = OpenOptions::default().with_layer_bytes(4096);
        assert!((middle_m(&open_with(&[&mosaic], &windows)) - 1000.0 * metres).abs() < 1e-3, "{crs} in windows");
    }
    let files = TempDir::new().expect("a temporary folder");
    virtual_raster(&write(&folder, "dem.tif", "EPSG:4269+6360", 1000.0), "one.vrt");
    std::fs::rename(folder.path().join("one.vrt"), files.path().join("one.vrt")).expect("moved");
    std::fs::copy(folder.path().join("dem.tif"), files.path().join("dem.tif")).expect("copied");
    assert!((middle_m(&open(files.path())) - 1000.0 * SURVEY_FOOT_M).abs() < 1e-3, "in a folder");
}

/// Law: the vertical axis of an ERDAS IMAGINE file is that of the system that it states in words, of which GDAL gives the plane alone, in a
/// mosaic of it and in a folder too.
#[test]
fn vertical_axes_of_imagine_files() {
    let driver = DriverManager::get_driver_by_name("HFA").expect("ERDAS");
    for (crs, metres) in [("EPSG:4269+6360", SURVEY_FOOT_M), ("EPSG:4269+5703", 1.0), ("EPSG:4269", 1.0)] {
        let (folder, files) = (folder(), folder());
        let tiff = Dataset::open(write(&folder, "dem.tif", crs, 1000.0)).expect("opens");
        let file = files.path().join("dem.img");
        tiff.create_copy(&driver, &file, &Default::default()).expect("copied").close().expect("closed");
        // Without what only GDAL leaves beside it.
        let _it_need_not = std::fs::remove_file(files.path().join("dem.img.aux.xml"));
        assert_eq!(Dataset::open(&file).expect("opens").rasterband(1).expect("a band").unit(), "", "the trap is set");
        let alone = open(files.path());
        let mosaic = virtual_raster(&file, "mosaic.vrt");
        // In another file, as in an archive.
        let bytes = std::fs::read(&file).expect("read");
        std::fs::write(folder.path().join("within"), [&[0; 100], &bytes[..]].concat()).expect("written");
        let within = format!("/vsisubfile/100_{},{}", bytes.len(), folder.path().join("within").display());
        for relief in [alone, open(&file), open(&mosaic), open(Path::new(&within))] {
            let got = middle_m(&relief);
            assert!((got - 1000.0 * metres).abs() < 1e-3, "{crs}: {got}: {:?}", relief.layers()[0]);
        }
        let relief = open(&file);
        let datum = &relief.layers()[0].datum;
        assert_eq!(datum.starts_with("NAVD88"), crs.contains('+'), "{datum}");
    }
}

/// A file of 1000 everywhere, whose band alone states a unit.
fn with_band_unit(folder: &TempDir, name: &str, unit: &CStr) -> PathBuf {
    let path = folder.path().join(name);
    let driver = DriverManager::get_driver_by_name("HFA").expect("ERDAS");
    let mut dataset = driver.create_with_band_type::<f32, _>(&path, 60, 60, 1).expect("created");
    dataset.set_geo_transform(&frame("EPSG:4269").geo_transform).expect("placed");
    dataset.set_spatial_ref(&srs("EPSG:4269")).expect("a system");
    let mut band = dataset.rasterband(1).expect("a band");
    band.write((0, 0), (60, 60), &mut Buffer::new((60, 60), vec![1000f32; 3600])).expect("written");
    // SAFETY: the band is alive, and the text ends in a zero.
    unsafe { gdal_sys::GDALSetRasterUnitType(band.c_rasterband(), unit.as_ptr()) };
    dataset.close().expect("closed");
    path
}

/// Law: a virtual raster of files that state a unit, and no vertical axis, is in that unit, one of virtual rasters too; unless
/// it changes the values.
#[test]
fn units_of_the_files_of_a_mosaic() {
    let folder = folder();
    let path = with_band_unit(&folder, "feet.img", c"US survey foot");
    let mosaic = virtual_raster(&path, "mosaic.vrt");
    let nested = virtual_raster(&mosaic, "nested.vrt");
    for (k, path) in [&path, &mosaic, &nested, &mosaic, &nested].into_iter().enumerate() {
        if k == 3 {
            // Overviews beside a virtual raster are files of it too, and state nothing.
            Dataset::open(&mosaic).expect("opens").build_overviews("NEAREST", &[2], &[]).expect("built");
            assert!(mosaic.with_extension("vrt.ovr").exists());
        }
        let got = middle_m(&open(path));
        assert!((got - 1000.0 * SURVEY_FOOT_M).abs() < 1e-3, "{path:?}: {got}");
    }
    let text = std::fs::read_to_string(&mosaic).expect("text").replace("SimpleSource", "ComplexSource");
    let text =
        text.replace("</ComplexSource>", "<ScaleOffset>0</ScaleOffset><ScaleRatio>0.5</ScaleRatio></ComplexSource>");
    std::fs::write(&mosaic, text).expect("written");
    assert_eq!(middle_m(&open(&mosaic)), 500.0);
}

/// A virtual raster in the plane, which names files from west to east and states nothing of heights.
fn plain_mosaic(folder: &TempDir, name: &str, files: &[&Path]) -> PathBuf {
    let source = |file: &&Path| {
        format!(
            "<SimpleSource><SourceFilename relativeToVRT=\"1\">{}</SourceFilename></SimpleSource>",
            file.file_name().expect("a name").display()
        )
    };
    let text = format!(
        "<VRTDataset rasterXSize=\"60\" rasterYSize=\"60\"><SRS>EPSG:4269</SRS>\
         <GeoTransform>-100, 0.01, 0, 40.6, 0, -0.01</GeoTransform>\
         <VRTRasterBand dataType=\"Float32\" band=\"1\">{}</VRTRasterBand></VRTDataset>",
        files.iter().map(source).collect::<String>()
    );
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("written");
    path
}

/// Law: a virtual raster of files in different units, or of heights and depths, is refused by the names of both, nested or not;
/// of different units it is not where the user says which it is.
#[test]
fn mosaics_of_files_that_do_not_go_together() {
    let folder = folder();
    let feet = with_band_unit(&folder, "feet.img", c"US survey foot");
    let metres = with_band_unit(&folder, "metres.img", c"m");
    let plain = write(&folder, "plain.tif", "EPSG:4269", 1000.0);
    let depths = write(&folder, "depths.tif", "EPSG:4269+6357", 1000.0);
    let heights = write(&folder, "heights.tif", "EPSG:4269+5703", 1000.0);
    let survey_feet = write(&folder, "survey.tif", "EPSG:4269+6360", 1000.0);
    for (one, other) in [(&feet, &metres), (&metres, &feet), (&feet, &plain), (&heights, &survey_feet)] {
        let mosaic = plain_mosaic(&folder, "mixed.vrt", &[one, other]);
        for path in [&mosaic, &plain_mosaic(&folder, "nested.vrt", &[&mosaic])] {
            let error = Relief::open(std::slice::from_ref(path), &OpenOptions::default()).expect_err("mixed");
            assert!(matches!(&error, HeightError::Mixed { .. }), "{error}");
            let text = error.to_string();
            let named = [one, other].iter().all(|file| text.contains(&*file.to_string_lossy()));
            assert!(named && text.contains("--unit"), "{text}");
            let fathoms = OpenOptions::default().with_unit_m(Some(1.8288));
            assert!((middle_m(&open_with(&[path], &fathoms)) - 1828.8).abs() < 1e-3);
        }
    }
    let mosaic = plain_mosaic(&folder, "deep.vrt", &[&heights, &depths]);
    for options in [OpenOptions::default(), OpenOptions::default().with_unit_m(Some(1.0))] {
        let error = Relief::open(std::slice::from_ref(&mosaic), &options).expect_err("mixed");
        assert!(error.to_string().contains("depths") && !error.to_string().contains("--unit"), "{error}");
    }
    for (files, metres) in [
        (&[&*heights, &metres, &plain][..], 1000.0),
        (&[&feet, &survey_feet], 1000.0 * SURVEY_FOOT_M),
        (&[&depths, &depths], -1000.0),
    ] {
        let got = middle_m(&open(&plain_mosaic(&folder, "like.vrt", files)));
        assert!((got - metres).abs() < 1e-3, "{files:?}: {got}");
    }
}

/// Law: numbers along an axis that points down are depths.
#[test]
fn depths_are_below_the_sea() {
    let folder = folder();
    for (crs, metres) in [("EPSG:4326+5715", 1.0), ("EPSG:4269+6358", SURVEY_FOOT_M)] {
        let file = write(&folder, "depth.tif", crs, 1384.5);
        // The last one states a system in the plane.
        let plain = plain_mosaic(&folder, "plain.vrt", &[&file]);
        for path in [&file, &virtual_raster(&file, "depth.vrt"), &plain] {
            let relief = open(path);
            assert!((middle_m(&relief) + 1384.5 * metres).abs() < 1e-3, "{crs}");
            assert!(
                relief.layers()[0].notes.iter().any(|note| note.contains("points down")),
                "{:?}",
                relief.layers()[0]
            );
            assert!(relief.layers()[0].range_m.1 < 0.0, "{crs}");
        }
    }
}

/// Law: a unit that is not known is remarked upon, whatever is done about it; the user's word counts before the file's.
#[test]
fn unknown_units_are_told() {
    let folder = folder();
    let with_unit = |name: &str, unit: &str, crs: &'static str| {
        let file = write(&folder, "raw.tif", crs, 100.0);
        let text = format!(
            "<VRTDataset rasterXSize=\"60\" rasterYSize=\"60\"><SRS>{}</SRS>\
             <GeoTransform>-100, 0.01, 0, 40.6, 0, -0.01</GeoTransform>\
             <VRTRasterBand dataType=\"Float32\" band=\"1\"><UnitType>{unit}</UnitType><SimpleSource>\
             <SourceFilename relativeToVRT=\"1\">raw.tif</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>",
            srs(crs).to_wkt().expect("WKT").replace('"', "&quot;")
        );
        let path = file.with_file_name(name);
        std::fs::write(&path, text).expect("written");
        path
    };
    for (unit, metres, remark) in [
        ("us_survey_foot", SURVEY_FOOT_M, None),
        ("m above mean sea level", 1.0, None),
        ("foot (US)", SURVEY_FOOT_M, None),
        ("foot (Clarke)", 1.0, Some("\"foot (Clarke)\" is not known")),
        (&"x".repeat(300), 1.0, Some("x…\" is not known")),
        ("cubit", 1.0, Some("\"cubit\" is not known")),
        ("degC", 1.0, Some("\"degC\" is not known")),
    ] {
        let path = with_unit("unit.vrt", unit, "EPSG:4326");
        let relief = open(&path);
        assert!((middle_m(&relief) - 100.0 * metres).abs() < 1e-4, "{unit}");
        let remarks = relief.layers()[0].remarks.join("; ");
        assert_eq!(remarks.contains("is not known"), remark.is_some(), "{unit}: {remarks}");
        assert!(remarks.contains(remark.unwrap_or_default()), "{unit}: {remarks}");
        assert!(remarks.len() < 250, "{remarks}");
        let fathoms = OpenOptions::default().with_unit_m(Some(1.8288));
        let relief = open_with(&[&path], &fathoms);
        assert!((middle_m(&relief) - 182.88).abs() < 1e-4 && relief.layers()[0].remarks.is_empty(), "{unit}");
    }
    let remarks = open(&with_unit("unit.vrt", "m", "EPSG:4269+6360")).layers()[0].remarks.join("; ");
    assert!(remarks.contains("the band's is taken"), "{remarks}");
}

/// Law: in a system of three dimensions heights are above the ellipsoid, projected ones too; geocentric ones place no raster.
#[test]
fn systems_in_space() {
    let folder = folder();
    assert_eq!(open(&write(&folder, "geographic.tif", "EPSG:4979", 5.0)).layers()[0].datum, "ellipsoid");
    // UTM 14 N and a height above the ellipsoid.
    let projected = srs("EPSG:32614");
    // SAFETY: the system is alive; no name means that it keeps its own.
    let promoted = unsafe { gdal_sys::OSRPromoteTo3D(projected.to_c_hsrs(), std::ptr::null()) };
    assert_eq!(promoted, 0);
    let in_space = OpenOptions::default().with_src_crs(Some(projected.to_projjson().expect("a definition")));
    let path = folder.path().join("utm.tif");
    Frame::north_up("EPSG:32614", (60, 60), 500_000.0, 4_500_000.0, 100.0)
        .write::<f32>(&path, vec![5.0; 3600])
        .close()
        .expect("closed");
    assert_eq!(open_with(&[&path], &in_space).layers()[0].datum, "ellipsoid");
    assert_eq!(open(&path).layers()[0].datum, "not stated");

    let geocentric = OpenOptions::default().with_src_crs(Some(String::from("EPSG:4978")));
    let error = Relief::open(&[path], &geocentric).expect_err("x, y and z");
    assert!(matches!(error, HeightError::Geocentric { .. }), "{error}");
}

/// Law: BAG files hold elevations, though GDAL writes a system of depths into them.
#[test]
fn bathymetry_is_below_the_sea() {
    let folder = folder();
    let (tif, bag) = (folder.path().join("a.tif"), folder.path().join("a.bag"));
    let frame = Frame::north_up("EPSG:32614", (60, 60), 500_000.0, 4_500_000.0, 100.0);
    let dataset = frame.write::<f32>(&tif, vec![-25.0; 3600]);
    let driver = DriverManager::get_driver_by_name("BAG").expect("GDAL of Debian has BAG");
    dataset.create_copy(&driver, &bag, &RasterCreationOptions::default()).expect("written").close().expect("closed");
    let [place] = frame.lon_lat(&[(30.0, 30.0)])[..] else { panic!("one place") };
    for file in [virtual_raster(&bag, "a.vrt"), bag] {
        assert_eq!(open(&file).sample(normal(place.0, place.1)).height_m, -25.0, "{}", file.display());
    }
}

/// Law: an offset that takes most of a number away leaves its fraction, read whole and in windows, in every type that has so many digits.
#[test]
fn offsets_leave_fractions() {
    const RADIUS_M: f64 = 6_371_000.0;
    let (mut rng, folder) = (random::rng(), folder());
    let heights_m: Vec<f64> = (0..3600).map(|_| rng.random_range(-1000.0..1000.0)).collect();
    let numbered = |name: &str, scale: f64, void: Option<f64>| {
        let path = folder.path().join(name);
        let number =
            |k: usize| void.filter(|_| k == 0).unwrap_or(((heights_m[k] + RADIUS_M) / scale).round_ties_even());
        let dataset = if name.starts_with("i32") {
            frame("EPSG:4326").write::<i32>(&path, (0..3600).map(|k| number(k) as i32).collect())
        } else {
            frame("EPSG:4326").write::<f64>(&path, (0..3600).map(number).collect())
        };
        let mut band = dataset.rasterband(1).expect("a band");
        band.set_scale(scale).expect("set");
        band.set_offset(-RADIUS_M).expect("set");
        band.set_no_data_value(void).expect("set");
        dataset.close().expect("closed");
        path
    };
    let files = [
        numbered("f64.tif", 1.0 / 1024.0, None),
        numbered("f64-void.tif", 1.0 / 1024.0, Some(-1.797_693_134_862_315_7e308)),
        numbered("i32.tif", 0.01, None),
        numbered("i32-void.tif", 0.01, Some(f64::from(i32::MIN))),
    ];
    for file in files {
        for layer_bytes in [usize::MAX, 16 << 10] {
            let relief = open_with(&[&file], &OpenOptions::default().with_layer_bytes(layer_bytes));
            assert!(relief.layers()[0].remarks.is_empty(), "{:?}", relief.layers()[0]);
            for k in [61, 3 * 60 + 7, 59 * 60 + 59, rng.random_range(60..3600)] {
                let at = normal(-100.0 + 0.01 * ((k % 60) as f64 + 0.5), 40.6 - 0.01 * ((k / 60) as f64 + 0.5));
                let off_m = relief.sample(at).height_m - heights_m[k];
                assert!(off_m.abs() < 0.006, "{} in {layer_bytes} bytes, {k}: {off_m} m off", file.display());
            }
        }
    }
}

/// Law: coordinates of a building site are no degrees, whatever their numbers.
#[test]
fn local_systems_have_no_place() {
    let folder = folder();
    let path = folder.path().join("site.tif");
    let frame = Frame::north_up("LOCAL_CS[\"site grid\",UNIT[\"metre\",1]]", (60, 60), 10.0, 50.0, 0.5);
    frame.write::<f32>(&path, vec![5.0; 3600]).close().expect("closed");
    let error = Relief::open(std::slice::from_ref(&path), &OpenOptions::default()).expect_err("it has no place");
    assert!(matches!(&error, HeightError::LocalCrs { crs, .. } if crs == "site grid"), "{error}");
    let placed = open_with(&[&path], &OpenOptions::default().with_src_crs(Some(String::from("EPSG:32614"))));
    assert_eq!(placed.layers()[0].range_m, (5.0, 5.0));
}

/// Law: a file has the same heights alone, in windows, in a folder and in a list, up to the ends of the valid range; what is
/// not measured is said to be a bound.
#[test]
fn one_valid_range() {
    let folder = folder();
    for value in [12_000.0, -15_999.0, 15_999.0, 16_001.0, -16_001.0] {
        let file = write(&folder, "high.tif", "EPSG:4326", value);
        let list = folder.path().join("list.txt");
        std::fs::write(&list, "high.tif\n").expect("written");
        let list = PathBuf::from(format!("@{}", list.display()));
        let windows = OpenOptions::default().with_layer_bytes(4096);
        let reliefs = [open(&file), open_with(&[&file], &windows), open(folder.path()), open(&list)];
        let samples = reliefs.each_ref().map(|relief| relief.sample(normal(-99.7, 40.3)));
        let valid = f64::from(value).abs() < 16_000.0;
        for (k, (relief, sample)) in reliefs.iter().zip(samples).enumerate() {
            assert_eq!(sample.layer == 0, valid, "{value} {k}");
            assert!(!valid || sample.height_m == f64::from(value), "{value} {k}: {sample:?}");
            let info = &relief.layers()[0];
            assert_eq!(info.range_is_bound, k > 0, "{k}");
            assert!(!info.range_is_bound || info.range_m == OpenOptions::VALID_RANGE_M, "{info:?}");
        }
        let narrow = OpenOptions::default().with_valid_range_m(Some((-100.0, 100.0)));
        for path in [&file, &list, &folder.path().to_path_buf()] {
            assert_eq!(open_with(&[path], &narrow).sample(normal(-99.7, 40.3)).layer, 1, "{path:?}");
        }
    }
}

/// Law: options of one layer are its own, those of all hold for the others, and folders hand them on.
#[test]
fn options_by_layer() {
    let folder = folder();
    let driver = DriverManager::get_driver_by_name("GTiff").expect("GeoTIFF");
    let two_bands = |name: &str, values: [f32; 2]| {
        let path = folder.path().join(name);
        let mut dataset = driver.create_with_band_type::<f32, _>(&path, 60, 60, 2).expect("created");
        dataset.set_geo_transform(&frame("EPSG:4326").geo_transform).expect("placed");
        dataset.set_spatial_ref(&srs("EPSG:4326")).expect("a system");
        for (k, value) in values.into_iter().enumerate() {
            let mut band = dataset.rasterband(k + 1).expect("a band");
            band.write((0, 0), (60, 60), &mut Buffer::new((60, 60), vec![value; 3600])).expect("written");
        }
        dataset.close().expect("closed");
        path
    };
    let (top, below) = (two_bands("top.tif", [5.0, 700.0]), two_bands("below.tif", [30.0, 900.0]));
    let options = |layers: Vec<LayerOptions>| OpenOptions::default().with_band(2).with_layers(layers);
    let own = LayerOptions::default().with_band(Some(1)).with_nodata(Some(5.0));
    // The first layer's own band is all void, so the second answers, from the band of all.
    let relief = open_with(&[&top, &below], &options(vec![own.clone()]));
    let sample = relief.sample(normal(-99.7, 40.3));
    assert_eq!((sample.layer, sample.height_m), (1, 900.0));
    assert_eq!(middle_m(&open_with(&[&top, &below], &options(Vec::new()))), 700.0);
    let feet = LayerOptions::default().with_unit_m(Some(0.3048));
    let relief = open_with(&[folder.path()], &OpenOptions::default().with_layers(vec![feet]));
    let got = middle_m(&relief);
    assert!([5.0, 30.0, 17.5].iter().any(|feet| (got - 0.3048 * feet).abs() < 1e-4), "{got}");
}

/// Law: where alpha is 0 there is no height, in whatever type alpha is written.
#[test]
fn alpha_of_any_type_is_a_mask() {
    let folder = folder();
    let path = folder.path().join("alpha.tif");
    let driver = DriverManager::get_driver_by_name("GTiff").expect("GeoTIFF");
    let mut dataset = driver.create_with_band_type::<f32, _>(&path, 60, 60, 2).expect("created");
    dataset.set_geo_transform(&frame("EPSG:4326").geo_transform).expect("placed");
    dataset.set_spatial_ref(&srs("EPSG:4326")).expect("a system");
    let inside = |k: usize| k % 60 >= 20;
    for (band, value) in [(1, 721.0), (2, 255.0)] {
        let values = (0..3600).map(|k| if inside(k) { value } else { 0.0f32 }).collect();
        let mut band = dataset.rasterband(band).expect("a band");
        band.write((0, 0), (60, 60), &mut Buffer::new((60, 60), values)).expect("written");
    }
    let mut alpha = dataset.rasterband(2).expect("a band");
    alpha.set_color_interpretation(gdal::raster::ColorInterpretation::AlphaBand).expect("alpha");
    dataset.close().expect("closed");
    for layer_bytes in [256 << 20, 4096] {
        let relief = open_with(&[&path], &OpenOptions::default().with_layer_bytes(layer_bytes));
        // 5 texels inside of the mask's edge would be feathered; 25 are not.
        let (outside, inside) = (relief.sample(normal(-99.95, 40.3)), relief.sample(normal(-99.55, 40.3)));
        assert_eq!(outside.layer, 1, "{layer_bytes}");
        assert!((inside.height_m - 721.0).abs() < 1e-3, "{layer_bytes}: {inside:?}");
        assert!(relief.layers()[0].notes.iter().any(|note| note.contains("is alpha")), "{:?}", relief.layers()[0]);
    }
}

/// Law: bytes with a sign are refused where GDAL reads them without, in a virtual raster too: it would answer 252 m for -4.
#[test]
fn signed_bytes_are_not_taken_for_others() {
    let folder = folder();
    let file = folder.path().join("signed.tif");
    let options = RasterCreationOptions::from_iter(["PIXELTYPE=SIGNEDBYTE"]);
    let driver = DriverManager::get_driver_by_name("GTiff").expect("a driver");
    let mut dataset = driver.create_with_band_type_with_options::<u8, _>(&file, 60, 60, 1, &options).expect("a file");
    dataset.set_geo_transform(&[-100.0, 0.01, 0.0, 40.6, 0.0, -0.01]).expect("placed");
    dataset.set_spatial_ref(&srs("EPSG:4326")).expect("placed");
    let mut values = Buffer::new((60, 60), vec![252u8; 3600]);
    dataset.rasterband(1).expect("a band").write((0, 0), (60, 60), &mut values).expect("written");
    dataset.close().expect("closed");
    let stated = Dataset::open(&file)
        .expect("opens")
        .rasterband(1)
        .expect("a band")
        .metadata_item("PIXELTYPE", "IMAGE_STRUCTURE");
    if stated.is_none() {
        // This GDAL has a type for them, and made a file of others.
        return;
    }
    for file in [virtual_raster(&file, "signed.vrt"), file] {
        let refused = Relief::open(&[file], &OpenOptions::default()).expect_err("bytes with a sign");
        assert!(matches!(refused, HeightError::SignedBytes { .. }), "{refused}");
    }
}

/// Law: pictures, classes and shifts of datums are remarked upon.
#[test]
fn what_is_no_elevation() {
    let folder = folder();
    let driver = DriverManager::get_driver_by_name("GTiff").expect("GeoTIFF");
    let remarks = |name: &str, bands: usize, make: &dyn Fn(&mut Dataset)| {
        let path = folder.path().join(name);
        let mut dataset = driver.create_with_band_type::<u8, _>(&path, 60, 60, bands).expect("created");
        dataset.set_geo_transform(&frame("EPSG:4326").geo_transform).expect("placed");
        dataset.set_spatial_ref(&srs("EPSG:4326")).expect("a system");
        make(&mut dataset);
        dataset.close().expect("closed");
        open(&path).layers()[0].remarks.join("; ")
    };
    let palette = remarks("palette.tif", 1, &|dataset| {
        let mut table = gdal::raster::ColorTable::new(gdal::raster::PaletteInterpretation::Rgba);
        let red = gdal::raster::ColorEntry::Rgba(gdal::raster::RgbaEntry { r: 200, g: 0, b: 0, a: 255 });
        table.set_color_entry(0, &red);
        dataset.rasterband(1).expect("a band").set_color_table(&table);
    });
    assert!(palette.contains("palette"), "{palette}");
    let rgb = remarks("rgb.tif", 3, &|_| {});
    assert!(rgb.contains("looks like a picture"), "{rgb}");
    let grey = remarks("grey.tif", 1, &|_| {});
    assert_eq!(grey, "");
    let complex = virtual_raster(&write(&folder, "real.tif", "EPSG:4326", 300.0), "complex.vrt");
    let text = std::fs::read_to_string(&complex).expect("text").replace("\"Float32\"", "\"CFloat32\"");
    std::fs::write(&complex, text).expect("written");
    assert_eq!(middle_m(&open(&complex)), 300.0);
    assert!(open(&complex).layers()[0].remarks.join("; ").contains("are complex"));
    let shifts = Path::new("/usr/share/proj/ntf_r93.gsb");
    if shifts.exists() {
        let remarks = open(shifts).layers()[0].remarks.join("; ");
        assert!(remarks.contains("shifts between datums"), "{remarks}");
    }
}

/// Law: a raster whose longitude and latitude are exchanged is remarked upon where the Earth tells, and the same in its place
/// is not.
#[test]
fn exchanged_axes() {
    let folder = folder();
    let earth = Relief::embedded().expect("opens");
    for (k, (lon, lat)) in
        [(86.0, 28.0), (9.0, 46.0), (-70.0, -32.0), (37.0, 0.0), (10.0, 50.0)].into_iter().enumerate()
    {
        let height_m = |lon: f64, lat: f64| earth.sample(normal(lon, lat)).height_m.round() as f32;
        let axis = |from: f64, i: usize| from + 0.02 * (i as f64 + 0.5);
        let values = |swap: bool| -> Vec<f32> {
            (0..2500)
                .map(|i| {
                    let (x, y) = (i % 50, 49 - i / 50);
                    if swap { height_m(axis(lon, y), axis(lat, x)) } else { height_m(axis(lon, x), axis(lat, y)) }
                })
                .collect()
        };
        let right = Frame::north_up("EPSG:4326", (50, 50), lon, lat + 1.0, 0.02);
        let wrong = Frame::north_up("EPSG:4326", (50, 50), lat, lon + 1.0, 0.02);
        for (frame, swap) in [(right, false), (wrong, true)] {
            let path = folder.path().join(format!("{k}{swap}.tif"));
            frame.write::<f32>(&path, values(swap)).close().expect("closed");
            let remarks = open(&path).layers()[0].remarks.join("; ");
            // Germany and the north of Somalia are within 300 m of each other, so nothing tells.
            assert_eq!(remarks.contains("exchanged"), swap && k < 4, "{lon} {lat} {swap}: {remarks}");
        }
    }
}
