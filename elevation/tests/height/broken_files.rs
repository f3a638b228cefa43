//! Files that cannot be used are refused with their name, the reason and the way out; nothing panics.

use std::{fs, path::PathBuf};

use elevation::height::{GlobalGrid, HeightError, OpenOptions, Registration, Relief};
use tempfile::TempDir;

use super::raster_files::Frame;

fn refusal(file: PathBuf, options: &OpenOptions) -> HeightError {
    let error = Relief::open(std::slice::from_ref(&file), options).expect_err("it must be refused");
    let text = error.to_string();
    assert!(!text.contains('\n'), "one line: {text}");
    assert!(
        text.contains(&*file.file_name().unwrap_or_default().to_string_lossy()) || options.src_crs.is_some(),
        "{text}"
    );
    error
}

fn refused(file: PathBuf) -> HeightError {
    refusal(file, &OpenOptions::default())
}

#[test]
fn missing_foreign_and_empty_files() {
    let folder = TempDir::new().expect("a temporary folder");
    assert!(matches!(refused(folder.path().join("absent.tif")), HeightError::Missing { .. }));
    for (name, bytes) in
        [("notes.txt", &b"not a raster"[..]), ("empty.tif", &[]), ("stub.tif", &b"II*\0\x08\0\0\0"[..])]
    {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("written");
        assert!(matches!(refused(path), HeightError::CannotOpen { .. }), "{name}");
    }
    assert!(matches!(refused(folder.path().to_path_buf()), HeightError::CannotOpen { .. }));
    assert!(matches!(refused("/vsizip/absent.zip/a.tif".into()), HeightError::CannotOpen { .. }));
}

#[test]
fn truncated_data() {
    let folder = TempDir::new().expect("a temporary folder");
    let frame = Frame::north_up("EPSG:4326", (200, 200), 5.0, 48.0, 0.01);
    let path = folder.path().join("cut.tif");
    frame.write::<f32>(&path, vec![1.0; 40_000]).close().expect("closed");
    let bytes = fs::read(&path).expect("read");
    fs::write(&path, &bytes[..bytes.len() / 2]).expect("written");
    let error = refused(path);
    assert!(matches!(error, HeightError::Read { .. } | HeightError::CannotOpen { .. }), "{error}");
}

#[test]
fn no_georeference_no_system_no_extent() {
    let folder = TempDir::new().expect("a temporary folder");
    let driver = gdal::DriverManager::get_driver_by_name("GTiff").expect("GeoTIFF");
    let bare = folder.path().join("bare.tif");
    driver.create_with_band_type::<f32, _>(&bare, 10, 10, 1).expect("created").close().expect("closed");
    assert!(matches!(refused(bare.clone()), HeightError::NoGeoreference { .. }));

    let metres = folder.path().join("metres.tif");
    let mut dataset = driver.create_with_band_type::<f32, _>(&metres, 10, 10, 1).expect("created");
    dataset.set_geo_transform(&[500_000.0, 30.0, 0.0, 5_000_000.0, 0.0, -30.0]).expect("placed");
    dataset.close().expect("closed");
    let error = refused(metres.clone());
    assert!(matches!(error, HeightError::NoCrs { .. }) && error.to_string().contains("500000"), "{error}");
    // Saying what it is helps; saying nonsense does not.
    let with = |crs: &str| OpenOptions::default().with_src_crs(Some(crs.to_owned()));
    assert!(Relief::open(std::slice::from_ref(&metres), &with("EPSG:32633")).is_ok());
    assert!(matches!(refusal(metres, &with("EPSG:nonsense")), HeightError::UnknownCrs { .. }));

    let line = folder.path().join("line.tif");
    let mut dataset = driver.create_with_band_type::<f32, _>(&line, 10, 10, 1).expect("created");
    dataset.set_geo_transform(&[5.0, 0.01, 0.01, 45.0, 0.01, 0.01]).expect("placed");
    dataset.close().expect("closed");
    assert!(matches!(refused(line), HeightError::DegenerateGeoreference { .. }));
}

#[test]
fn systems_that_are_not_on_this_earth() {
    let folder = TempDir::new().expect("a temporary folder");
    let moon = Frame::north_up("+proj=longlat +R=1737400 +no_defs", (10, 10), 5.0, 45.0, 0.01);
    let path = folder.path().join("moon.tif");
    moon.write::<f32>(&path, vec![0.0; 100]).close().expect("closed");
    match Relief::open(std::slice::from_ref(&path), &OpenOptions::default()) {
        Err(HeightError::NoTransform { .. }) | Ok(_) => {}
        Err(other) => panic!("{other}"),
    }
    // Far outside of the projection's domain.
    let nowhere = Frame::north_up("EPSG:3035", (10, 10), 9e9, 9e9, 1000.0);
    let path = folder.path().join("nowhere.tif");
    nowhere.write::<f32>(&path, vec![0.0; 100]).close().expect("closed");
    assert!(matches!(refused(path), HeightError::NoTransform { .. }));
}

#[test]
fn bands() {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("one.tif");
    Frame::north_up("EPSG:4326", (10, 10), 5.0, 45.0, 0.01)
        .write::<f32>(&path, vec![0.0; 100])
        .close()
        .expect("closed");
    for band in [0, 2, usize::MAX] {
        let error = refusal(path.clone(), &OpenOptions::default().with_band(band));
        assert_eq!(error, HeightError::BandOutOfRange { file: path.clone(), asked: band, count: 1 });
    }
}

#[test]
fn grids() {
    let good = GlobalGrid::from_fn(8, 5, Registration::Node, |_, _| 0.0);
    assert!(Relief::from_grid(good.clone()).is_ok());
    let bad = [
        GlobalGrid { width: 3, ..good.clone() },
        GlobalGrid { height: 2, ..good.clone() },
        GlobalGrid { height: 6, ..good.clone() },
        GlobalGrid { width: usize::MAX, ..good.clone() },
        GlobalGrid { west_deg: f64::NAN, ..good.clone() },
        GlobalGrid { heights_m: vec![f32::NAN; 40], ..good.clone() },
        GlobalGrid { heights_m: vec![f32::INFINITY; 40], ..good },
    ];
    for grid in bad {
        assert!(matches!(Relief::from_grid(grid), Err(HeightError::Grid { .. })));
    }
}

/// Law: a file that says that its blocks are larger than a machine's memory is refused before one is read.
#[test]
fn blocks_beyond_memory() {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("blocks.tif");
    let driver = gdal::DriverManager::get_driver_by_name("GTiff").expect("GeoTIFF");
    let options = ["SPARSE_OK=TRUE", "TILED=YES", "BLOCKXSIZE=32768", "BLOCKYSIZE=32768"];
    let options = gdal::raster::RasterCreationOptions::from_iter(options);
    let mut dataset =
        driver.create_with_band_type_with_options::<f64, _>(&path, 60_000, 60_000, 1, &options).expect("created");
    dataset.set_geo_transform(&[6.0, 1e-5, 0.0, 46.0, 0.0, -1e-5]).expect("placed");
    dataset.set_spatial_ref(&gdal::spatial_ref::SpatialRef::from_epsg(4326).expect("known")).expect("placed");
    dataset.close().expect("closed");
    let error = refused(path);
    assert!(matches!(&error, HeightError::CannotOpen { reason, .. } if reason.contains("8 GiB each")), "{error}");
}

/// Law: a pipe under a name that GDAL would open beside a raster is refused, and not waited for, beside one raster and beside one
/// of many in a virtual one; in a folder that has just changed and in one that is known to have had none.
#[cfg(unix)]
#[test]
fn pipes_beside_rasters() {
    let folder = TempDir::new().expect("a temporary folder");
    let path = |k: usize| folder.path().join(format!("IMG_a{k}_R1C1.tif"));
    for k in 0..20 {
        let frame = Frame::north_up("EPSG:4326", (10, 10), 5.0, 45.0, 0.01);
        frame.write::<f32>(&path(k), vec![0.0; 100]).close().expect("closed");
    }
    let sources: String = (0..20)
        .map(|k| {
            let name = path(k).file_name().expect("a name").display().to_string();
            format!("<SimpleSource><SourceFilename relativeToVRT=\"1\">{name}</SourceFilename></SimpleSource>")
        })
        .collect();
    let text = format!(
        "<VRTDataset rasterXSize=\"10\" rasterYSize=\"10\"><SRS>EPSG:4326</SRS>\
         <GeoTransform>5, 0.01, 0, 45, 0, -0.01</GeoTransform>\
         <VRTRasterBand dataType=\"Float32\" band=\"1\">{sources}</VRTRasterBand></VRTDataset>"
    );
    let all = folder.path().join("all.vrt");
    fs::write(&all, text).expect("written");
    let open = |path: &PathBuf, skip: bool| {
        Relief::open(std::slice::from_ref(path), &OpenOptions::default().with_skip_bad(skip))
    };
    assert!(open(&path(7), false).is_ok() && open(&all, false).is_ok());
    // Files that changed within two seconds are not relied upon.
    std::thread::sleep(std::time::Duration::from_millis(2100));
    assert!(open(&path(7), false).is_ok() && open(&all, false).is_ok());
    for name in [
        "IMG_a7_R1C1.tif.aux.xml",
        "IMG_a7_R1C1.tif.ovr",
        "IMG_a7_R1C1.tif.msk",
        "IMG_a7_R1C1.tfw",
        "IMG_a7_R1C1.prj",
        "IMG_a7_R1C1_rpc.txt",
        "IMG_a7_R1C1_RPC.TXT",
        "IMG_a7_R1C1.rpb",
        "IMG_a7_R1C1.RPB",
        "IMG_a7_R1C1.IMD",
        "IMG_a7_R1C1.XML",
        "IMG_a7_R1C1.pvl",
        "IMG_a7_R1C1_metadata.txt",
        "IMG_a7_R1C1_MTL.txt",
        "RPC_a7.XML",
        "DIM_a7_R1C1.XML",
    ] {
        let pipe = folder.path().join(name);
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("coreutils").success());
        for (raster, skip) in [(&path(7), false), (&path(7), true), (&all, false), (&folder.path().into(), false)] {
            let error = open(raster, skip).expect_err("a pipe");
            assert!(error.to_string().contains(&format!("{name}: it is a pipe")), "{raster:?} {name}: {error}");
        }
        assert!(open(&folder.path().into(), true).is_ok(), "{name}: the others");
        fs::remove_file(&pipe).expect("removed");
    }
}

/// Law: a pipe is refused whatever its name is wrapped in.
#[cfg(unix)]
#[test]
fn pipes_in_wrapped_names() {
    let folder = TempDir::new().expect("a temporary folder");
    let pipe = folder.path().join("p.tif");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("coreutils").success());
    let at = pipe.display();
    let wrapped = [
        format!("/vsigzip/{at}"),
        format!("/vsisubfile/0,{at}"),
        format!("/vsizip/{at}/a.tif"),
        format!("/vsizip/{{{at}}}/a.tif"),
        format!("GTIFF_DIR:1:{at}"),
        format!("vrt://{at}"),
    ];
    for name in &wrapped {
        let text = format!(
            "<VRTDataset rasterXSize=\"10\" rasterYSize=\"10\"><SRS>EPSG:4326</SRS>\
             <GeoTransform>5, 0.01, 0, 45, 0, -0.01</GeoTransform><VRTRasterBand dataType=\"Float32\" band=\"1\">\
             <SimpleSource><SourceFilename>{name}</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>"
        );
        let around = folder.path().join("around.vrt");
        fs::write(&around, text).expect("written");
        for raster in [PathBuf::from(name), around] {
            let error = Relief::open(std::slice::from_ref(&raster), &OpenOptions::default()).expect_err("a pipe");
            assert!(matches!(&error, HeightError::NoFile { file, .. } if *file == pipe), "{raster:?}: {error}");
        }
    }
}
