//! Heights are brought from one vertical datum to another as PROJ does it, with the grids that it has, and with none that it has not.

use std::{
    ffi::{CStr, CString},
    path::{Path, PathBuf},
    process::Command,
};

use elevation::{
    bake::{Bake, BakeOptions},
    height::{HeightError, LayerOptions, OpenOptions, Relief, VerticalDatum},
};
use gdal::spatial_ref::{CoordTransform, CoordTransformOptions};
use rand::Rng;
use tempfile::TempDir;

use super::raster_files::{Frame, normal, srs};
use crate::random;

const ELLIPSOID: Option<VerticalDatum> = Some(VerticalDatum::Ellipsoid);
const EGM96: Option<VerticalDatum> = Some(VerticalDatum::EGM96);
const EGM2008: Option<VerticalDatum> = Some(VerticalDatum::EGM2008);

fn to(vertical: Option<VerticalDatum>) -> OpenOptions {
    OpenOptions::default().with_vertical(vertical)
}

fn open(files: &[&Path], options: &OpenOptions) -> Result<Relief, HeightError> {
    Relief::open(&files.iter().map(|file| file.to_path_buf()).collect::<Vec<_>>(), options)
}

fn opened(file: &Path, options: &OpenOptions) -> Relief {
    open(&[file], options).unwrap_or_else(|e| panic!("{e}"))
}

/// 100 x 100 texels of a height in degrees, south-east of 100 W, 40 N.
fn level(folder: &TempDir, name: &str, crs: &'static str, height: f32) -> PathBuf {
    let path = folder.path().join(name);
    Frame::north_up(crs, (100, 100), -100.0, 40.0, 0.01)
        .write::<f32>(&path, vec![height; 10_000])
        .close()
        .expect("closed");
    path
}

/// What GDAL makes of heights at longitudes and latitudes, by the systems of both; `None` where it has no answer.
fn by_gdal(from: &str, to: &str, places: &[(f64, f64)], height: f64) -> Vec<Option<f64>> {
    let mut options = CoordTransformOptions::new().expect("options");
    options.set_ballpark_allowed(false).expect("an option");
    let by = CoordTransform::new_with_options(&srs(from), &srs(to), &options).expect("a way");
    let (mut x, mut y): (Vec<f64>, Vec<f64>) = places.iter().copied().unzip();
    let mut z = vec![height; places.len()];
    // Places without an answer are infinite.
    let _some_failed = by.transform_coords(&mut x, &mut y, &mut z);
    z.into_iter().map(|z| z.is_finite().then_some(z)).collect()
}

fn places(count: usize, [west, south, east, north]: [f64; 4]) -> Vec<(f64, f64)> {
    let mut rng = random::rng();
    (0..count).map(|_| (rng.random_range(west..east), rng.random_range(south..north))).collect()
}

const EARTH: [f64; 4] = [-180.0, -90.0, 180.0, 90.0];
const LEVEL: [f64; 4] = [-99.99, 39.01, -99.01, 39.99];

/// Law: over all the Earth heights above mean sea level get above the ellipsoid as GDAL says, to a millimetre, asked one by one and in
/// rows; and none is out of the range that is told.
#[test]
fn mean_sea_level_all_over_the_earth() {
    let (plain, shifted) = (open(&[], &to(None)).expect("opens"), open(&[], &to(ELLIPSOID)).expect("opens"));
    let places = places(10_000, EARTH);
    let normals: Vec<_> = places.iter().map(|(lon, lat)| normal(*lon, *lat)).collect();
    let mut rows = vec![0.0; normals.len()];
    shifted.sample_row(&normals, &mut rows);
    let mut worst = 0f64;
    for (k, expected) in by_gdal("EPSG:9707", "EPSG:4979", &places, 0.0).into_iter().enumerate() {
        let added = shifted.sample(normals[k]).height_m - plain.sample(normals[k]).height_m;
        worst = worst.max((added - expected.expect("a geoid")).abs());
        assert!(worst < 1e-3, "{added} {expected:?} at {:?}", places[k]);
        assert_eq!(rows[k].to_bits(), shifted.sample(normals[k]).height_m.to_bits());
        assert!((shifted.range_m().0..=shifted.range_m().1).contains(&rows[k]));
    }
    println!("{worst:.6} m from GDAL");
}

/// Law: a file is read by the datum that its system states, by codes, by names alone, in feet and as depths, and what it gets is what
/// GDAL says.
#[test]
fn files_state_their_datum() {
    let folder = TempDir::new().expect("a temporary folder");
    let places = places(1_000, LEVEL);
    let named = r#"COMPD_CS["of my own",GEOGCS["mine",DATUM["World Geodetic System 1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],VERT_CS["my heights",VERT_DATUM["EGM96 geoid",2005],UNIT["foot",0.3048],AXIS["Up",UP]]]"#;
    for (crs, unit_m) in [
        ("EPSG:4326+5773", 1.0),
        ("EPSG:9707", 1.0),
        (named, 0.3048),
        ("+proj=longlat +datum=WGS84 +geoidgrids=egm96_15.gtx +vunits=m +type=crs", 1.0),
    ] {
        let plain = opened(&level(&folder, "dem.tif", "EPSG:4326", 1000.0), &to(None).with_unit_m(Some(unit_m)));
        let own = to(ELLIPSOID).with_src_crs(Some(crs.to_owned()));
        let shifted = opened(&folder.path().join("dem.tif"), &own);
        assert_eq!(shifted.layers()[0].datum, "ellipsoid");
        for ((lon, lat), expected) in places.iter().zip(by_gdal(crs, "EPSG:4979", &places, 1000.0)) {
            let got = shifted.sample(normal(*lon, *lat)).height_m;
            assert!((got - expected.expect("a geoid")).abs() < 1e-3, "{crs}: {got} {expected:?}");
            assert!((plain.sample(normal(*lon, *lat)).height_m - 1000.0 * unit_m).abs() < 1e-3);
        }
    }
}

/// Law: there and back again, heights are what they were.
#[test]
fn there_and_back() {
    let folder = TempDir::new().expect("a temporary folder");
    let up = opened(&level(&folder, "a.tif", "EPSG:9707", 500.0), &to(ELLIPSOID));
    let down = opened(&level(&folder, "b.tif", "EPSG:4979", 500.0), &to(EGM96));
    for (lon, lat) in places(1_000, LEVEL) {
        let n = normal(lon, lat);
        assert!((up.sample(n).height_m + down.sample(n).height_m - 1000.0).abs() < 1e-9);
    }
    let datums = |relief: &Relief| (relief.source_datum(0).to_owned(), relief.layers()[0].datum.clone());
    assert_eq!(datums(&up), ("EGM96 height".to_owned(), "ellipsoid".to_owned()));
    assert_eq!(datums(&down), ("ellipsoid".to_owned(), "EGM96 height".to_owned()));
    let n = normal(-99.5, 39.5);
    let at = up.source_at(0, n);
    assert_eq!((at.datum, at.source_datum), ("ellipsoid", "EGM96 height"));
}

/// Law: the user may say what a file's heights are above, for all and for one, and its own datum does not count then; what he says that is
/// none is refused.
#[test]
fn the_user_says_the_datum() {
    let folder = TempDir::new().expect("a temporary folder");
    let (silent, stated) = (level(&folder, "a.tif", "EPSG:4326", 500.0), level(&folder, "b.tif", "EPSG:9707", 500.0));
    let n = normal(-99.5, 39.5);
    for file in [&silent, &stated] {
        let own = OpenOptions::default().with_layers(vec![LayerOptions::default().with_src_vertical(ELLIPSOID)]);
        for said in [own, OpenOptions::default().with_src_vertical(ELLIPSOID)] {
            let relief = opened(file, &said.clone().with_vertical(EGM96));
            assert!((relief.sample(n).height_m - 500.0).abs() > 20.0, "{file:?}");
            assert_eq!(opened(file, &said.clone().with_vertical(ELLIPSOID)).sample(n).height_m, 500.0);
            assert_eq!(opened(file, &said).layers()[0].datum, "ellipsoid");
        }
    }
    // The ellipsoid is that of WGS 84, also where longitudes and latitudes are of another: NAD27's is 35 m off there.
    let shift_m = |file: &Path| opened(file, &to(EGM96).with_src_vertical(ELLIPSOID)).sample(n).height_m - 500.0;
    let old = level(&folder, "c.tif", "EPSG:4267", 500.0);
    assert!((shift_m(&old) - shift_m(&silent)).abs() < 0.01, "{} {}", shift_m(&old), shift_m(&silent));
    let wrong = OpenOptions::default().with_src_vertical(Some(VerticalDatum::Epsg(4326)));
    for error in [open(&[&silent], &wrong), open(&[&silent], &to(Some(VerticalDatum::Epsg(32_633))))] {
        let error = error.expect_err("no vertical system");
        assert!(
            matches!(error, HeightError::NoVerticalDatum { .. }) && error.to_string().contains("WGS 84"),
            "{error}"
        );
    }
}

/// Law: files of a folder that are above different datums are not brought to one by the shift of some of them; nor is a datum to which
/// nothing leads.
#[test]
fn what_cannot_be_is_refused() {
    let folder = TempDir::new().expect("a temporary folder");
    level(&folder, "a.tif", "EPSG:9707", 500.0);
    let frame = Frame::north_up("EPSG:4979", (20, 20), -98.0, 40.0, 0.01);
    frame.write::<f32>(&folder.path().join("b.tif"), vec![100.0; 400]).close().expect("closed");
    let refused = |options: &OpenOptions| open(&[folder.path()], options).expect_err("refused").to_string();
    let said = refused(&to(EGM96));
    assert!(said.contains("EGM96 height; ellipsoid") && said.contains("vdatum="), "{said}");
    assert!(open(&[folder.path()], &to(EGM96).with_src_vertical(EGM96)).is_ok());
    // Baltic heights, which EPSG ties to nothing else.
    let baltic = Some(VerticalDatum::Epsg(5705));
    let said = refused(&to(EGM96).with_src_vertical(baltic));
    assert!(
        said.contains("Baltic 1977 height") && said.contains("EGM96 height") && said.contains("no transformation"),
        "{said}"
    );
}

/// Law: a grid that PROJ has not is named, whichever side needs it, and no height is passed on without it.
#[test]
fn missing_grids_are_named() {
    let folder = TempDir::new().expect("a temporary folder");
    let file = level(&folder, "a.tif", "EPSG:4979", 500.0);
    let missing = |options: &OpenOptions, grid: &str| match open(&[&file], options) {
        // This machine has it.
        Ok(relief) => assert_ne!(relief.layers()[0].range_m, opened(&file, &to(None)).layers()[0].range_m),
        Err(error) => assert!(error.to_string().contains(grid), "{error}"),
    };
    missing(&to(EGM2008), "us_nga_egm08_25.tif (https://cdn.proj.org/us_nga_egm08_25.tif)");
    missing(&to(EGM96).with_src_vertical(EGM2008), "us_nga_egm08_25.tif");
    missing(&to(Some(VerticalDatum::NAVD88)), "us_noaa_g");
    missing(&to(ELLIPSOID).with_src_vertical(Some(VerticalDatum::NAVD88)), "us_noaa_g");
}

/// Set where PROJ is given grids of the test.
const GRIDS: &str = "OROGEN_TEST_GRIDS";

/// A grid of a geoid as PROJ reads it: nodes some parts of a degree apart.
fn write_grid(path: &Path, parts: f64, [west, south, east, north]: [f64; 4]) {
    let [columns, rows] = [east - west, north - south].map(|extent| (extent * parts).round() as usize + 1);
    let node = |k: usize| {
        let (x, y) = (k % columns, k / columns);
        (-30.0 + 0.2 * (x as f64 / 5.0).sin() + 0.01 * y as f64 + 0.02 * (k as f64 * 12.9898).sin()) as f32
    };
    let half = 0.5 / parts;
    Frame::north_up("EPSG:4326", (columns, rows), west - half, north + half, 1.0 / parts)
        .write::<f32>(path, (0..columns * rows).map(node).collect())
        .close()
        .expect("closed");
}

/// Law: with a grid of its own, a datum is reached as GDAL says, to a millimetre, from the ellipsoid, from other datums, and back; where the
/// grid ends heights stay, and that is told.
#[test]
fn grids_of_other_datums() {
    if std::env::var_os(GRIDS).is_none() {
        let folder = TempDir::new().expect("a temporary folder");
        write_grid(&folder.path().join("us_nga_egm08_25.tif"), 24.0, [-104.0, 35.0, -95.0, 44.0]);
        write_grid(&folder.path().join("us_noaa_g2018u0.tif"), 60.0, [-102.0, 37.0, -97.0, 42.0]);
        // SAFETY: the list and its texts are GDAL's until it is destroyed.
        let own = unsafe {
            let list = gdal_sys::OSRGetPROJSearchPaths();
            let paths: Vec<CString> = (0..gdal_sys::CSLCount(list))
                .map(|k| CStr::from_ptr(gdal_sys::CSLGetField(list, k)).to_owned())
                .collect();
            gdal_sys::CSLDestroy(list);
            paths
        };
        let own = own.iter().map(|path| PathBuf::from(path.to_str().expect("UTF-8")));
        let paths = std::env::join_paths(std::iter::once(folder.path().to_path_buf()).chain(own)).expect("paths");
        let child = Command::new(std::env::current_exe().expect("this test"))
            .args(["datums::grids_of_other_datums", "--exact", "--nocapture"])
            .env("PROJ_DATA", &paths)
            .env("PROJ_LIB", &paths)
            .env(GRIDS, "1")
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&child.stdout) + String::from_utf8_lossy(&child.stderr);
        assert!(child.status.success() && said.contains("1 passed"), "{said}");
        return;
    }
    let folder = TempDir::new().expect("a temporary folder");
    let places = places(10_000, LEVEL);
    for (crs, target, system) in [
        ("EPSG:4979", EGM2008, "EPSG:4326+3855"),
        ("EPSG:4326+3855", ELLIPSOID, "EPSG:4979"),
        ("EPSG:4326+5773", EGM2008, "EPSG:4326+3855"),
        ("EPSG:6318+5703", ELLIPSOID, "EPSG:4979"),
        ("EPSG:6318+6360", ELLIPSOID, "EPSG:4979"),
        ("EPSG:6318+5703", EGM2008, "EPSG:4326+3855"),
        ("EPSG:6319", Some(VerticalDatum::NAVD88), "EPSG:4326+5703"),
    ] {
        let file = level(&folder, "dem.tif", crs, 1000.0);
        let relief = opened(&file, &to(target));
        let mut worst = 0f64;
        for ((lon, lat), expected) in places.iter().zip(by_gdal(crs, system, &places, 1000.0)) {
            let got = relief.sample(normal(*lon, *lat)).height_m;
            worst = worst.max((got - expected.expect("within the grid")).abs());
        }
        println!("{crs} to {target:?}: {worst:.6} m, {:?}", relief.layers()[0].notes);
        assert!(worst < 1e-3, "{crs} to {target:?}: {worst} m from GDAL, {:?}", relief.layers()[0]);
    }
    // What lies below goes to the same datum where the grid has it.
    let (plain, shifted) = (open(&[], &to(None)).expect("opens"), open(&[], &to(EGM2008)).expect("opens"));
    let added =
        |lon: f64, lat: f64| shifted.sample(normal(lon, lat)).height_m - plain.sample(normal(lon, lat)).height_m;
    let around: Vec<(f64, f64)> = places.iter().map(|(lon, lat)| (lon + 2.0, *lat)).collect();
    for (place, expected) in around.iter().zip(by_gdal("EPSG:4326+5773", "EPSG:4326+3855", &around, 0.0)) {
        assert!((added(place.0, place.1) - expected.expect("within the grid")).abs() < 1e-3, "{place:?}");
    }
    assert_eq!(added(10.0, 50.0), 0.0);
    assert!(
        shifted.layers()[0].notes.iter().any(|note| note.contains("stay as they are")),
        "{:?}",
        shifted.layers()[0]
    );
    // Beyond its end a file that states its datum is remarked upon, and one that lies there altogether is refused.
    let frame = Frame::north_up("EPSG:4979", (100, 100), -95.5, 40.0, 0.01);
    let (edge, beyond) = (folder.path().join("edge.tif"), folder.path().join("beyond.tif"));
    frame.write::<f32>(&edge, vec![100.0; 10_000]).close().expect("closed");
    let frame = Frame::north_up("EPSG:4979", (100, 100), 7.0, 47.0, 0.01);
    frame.write::<f32>(&beyond, vec![100.0; 10_000]).close().expect("closed");
    let remarks = opened(&edge, &to(EGM2008)).layers()[0].remarks.join("; ");
    assert!(remarks.contains("% of its extent"), "{remarks}");
    let error = open(&[&beyond], &to(EGM2008)).expect_err("no answer there");
    assert!(error.to_string().contains("no transformation between them there"), "{error}");
}

/// Law: a pack keeps the datum that it was baked with, also by its name alone, and is brought to another by it; one of several datums is
/// not.
#[test]
fn packs_keep_their_datum() {
    let folder = TempDir::new().expect("a temporary folder");
    let bake = |crs: &'static str, options: &OpenOptions| {
        let (file, pack) = (level(&folder, "dem.tif", crs, 500.0), folder.path().join("out.pack"));
        let _none_before = std::fs::remove_file(&pack);
        let coarse = BakeOptions::default().with_max_level(Some(1));
        Bake::new(&[file], options, &coarse).expect("a source").run(&pack, false, &mut |_| {}).expect("baked");
        pack
    };
    let places = places(200, EARTH);
    let geoid = by_gdal("EPSG:9707", "EPSG:4979", &places, 0.0);
    for (crs, options, datum, other, sign) in [
        ("EPSG:9707", to(None), "EGM96 height; mean sea level", ELLIPSOID, 1.0),
        ("EPSG:9707", to(ELLIPSOID), "ellipsoid", EGM96, -1.0),
    ] {
        let pack = bake(crs, &options);
        let (plain, shifted) = (opened(&pack, &to(None)), opened(&pack, &to(other)));
        assert_eq!(plain.layers()[0].datum, datum);
        for ((lon, lat), geoid) in places.iter().zip(&geoid) {
            let added = shifted.sample(normal(*lon, *lat)).height_m - plain.sample(normal(*lon, *lat)).height_m;
            assert!((added - sign * geoid.expect("a geoid")).abs() < 1e-3, "{datum}: {added} {geoid:?}");
        }
    }
    let error = open(&[&bake("EPSG:4979", &to(None))], &to(EGM96)).expect_err("two datums").to_string();
    assert!(error.contains("ellipsoid; mean sea level") && error.contains("several"), "{error}");
}

/// Law: a pack's datum is the one of its name, whatever its case, never one that begins alike; who knows it says it.
#[test]
fn packs_have_datums_by_whole_names() {
    let folder = TempDir::new().expect("a temporary folder");
    let bake = |datum: &str| {
        let crs = format!(
            r#"COMPD_CS["of mine",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],VERT_CS["{datum}",VERT_DATUM["mine",2005],UNIT["metre",1],AXIS["Up",UP]]]"#
        );
        let (file, pack) = (level(&folder, "dem.tif", "EPSG:4326", 500.0), folder.path().join("out.pack"));
        let _none_before = std::fs::remove_file(&pack);
        let coarse = BakeOptions::default().with_max_level(Some(1));
        let (options, open_below) = (to(None).with_src_crs(Some(crs)), [file]);
        Bake::new(&open_below, &options, &coarse).expect("a source").run(&pack, false, &mut |_| {}).expect("baked");
        pack
    };
    // The relief below the file is above another datum, which is no matter for what is told of the first.
    let said = |datum: &str| {
        let own = LayerOptions::default().with_src_vertical(datum.parse().ok());
        OpenOptions::default().with_layers(vec![own])
    };
    let pack = bake("EGM96 HEIGHT");
    let plain = opened(&pack, &to(None)).sample(normal(-99.5, 39.5)).height_m;
    let geoid_m = by_gdal("EPSG:9707", "EPSG:4979", &[(-99.5, 39.5)], 0.0)[0].expect("a geoid");
    for (pack, options) in [(&pack, said("egm96")), (&bake("Baltic"), said("EPSG:5773"))] {
        let shifted = opened(pack, &options.with_vertical(ELLIPSOID));
        assert!((shifted.sample(normal(-99.5, 39.5)).height_m - plain - geoid_m).abs() < 1e-3);
        assert_eq!(shifted.source_at(0, normal(-99.5, 39.5)).source_datum, "EGM96 height");
    }
    assert_eq!(opened(&pack, &said("ellipsoid")).layers()[0].datum, "ellipsoid");
    let wrong = open(&[&pack], &said("EPSG:4326")).expect_err("no vertical system");
    assert!(matches!(wrong, HeightError::NoVerticalDatum { .. }), "{wrong}");
}

/// Law: heights in space are above the ellipsoid of their system; one that is not WGS 84's is named, and brought to that as PROJ does it.
#[test]
fn old_ellipsoids_are_none_of_ours() {
    let folder = TempDir::new().expect("a temporary folder");
    let [old, ours] =
        [("old.tif", "EPSG:4985"), ("ours.tif", "EPSG:6319")].map(|(name, crs)| level(&folder, name, crs, 500.0));
    let n = normal(-99.5, 39.5);
    let relief = opened(&old, &to(ELLIPSOID));
    assert_eq!(relief.source_datum(0), "ellipsoid of WGS 72");
    assert_eq!(relief.layers()[0].datum, "ellipsoid");
    let expected = by_gdal("EPSG:4985", "EPSG:4979", &[(-99.5, 39.5)], 500.0)[0].expect("a way");
    let got = relief.sample(n).height_m;
    assert!((got - expected).abs() < 1e-3 && (got - 500.0).abs() > 1.0, "{got} {expected}");
    let relief = opened(&ours, &to(ELLIPSOID));
    assert_eq!((relief.source_datum(0), relief.sample(n).height_m), ("ellipsoid", 500.0));
}

/// Law: layers of one datum share its table, so many are opened as fast as one; heights are those of the layer alone.
#[test]
fn layers_of_one_datum_share_its_table() {
    let folder = TempDir::new().expect("a temporary folder");
    let (silent, stated) = (level(&folder, "a.tif", "EPSG:4326", 500.0), level(&folder, "b.tif", "EPSG:9707", 500.0));
    let n = normal(-99.5, 39.5);
    let alone = [&silent, &stated].map(|file| opened(file, &to(ELLIPSOID)).sample(n).height_m);
    let together = [[&silent, &stated], [&stated, &silent]]
        .map(|files| open(&files.map(PathBuf::as_path), &to(ELLIPSOID)).expect("opens"));
    for (k, relief) in together.iter().enumerate() {
        assert!((relief.sample(n).height_m - alone[k]).abs() < 1e-4);
        let (low, high) = relief.layers()[0].range_m;
        assert!(high - low < 10.0, "{low} {high}: that of the layer alone");
    }
}
