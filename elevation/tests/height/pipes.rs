//! What is no file, and what others fetch: pipes, devices and addresses that a folder, a raster or an archive names.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use elevation::height::{HeightError, OpenOptions};
use tempfile::TempDir;

use super::folders::{height_m, open, row_of};

/// Law: what is no file is not opened in a folder, and refused by its own name, at once.
#[cfg(unix)]
#[test]
fn pipes_and_devices() {
    let folder = TempDir::new().expect("a temporary folder");
    row_of(folder.path(), 2);
    let pipe = folder.path().join("pipe.tif");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("coreutils").success());
    let relief = open(folder.path(), &OpenOptions::default()).unwrap();
    assert_eq!(height_m(&relief, 0), 100.0);
    for (name, word) in [(pipe.as_path(), "a pipe"), (Path::new("/dev/zero"), "a device")] {
        let error = open(name, &OpenOptions::default()).unwrap_err();
        assert!(matches!(&error, HeightError::NoFile { kind, .. } if *kind == word), "{error}");
        assert!(!elevation::pack::is_pack(name));
    }
}

/// Law: a virtual raster whose source is no file is refused with the name of that, at once, however deep it is. In a folder it is left
/// out as a damaged file is.
#[cfg(unix)]
#[test]
fn pipes_that_virtual_rasters_name() {
    let folder = TempDir::new().expect("a temporary folder");
    row_of(folder.path(), 2);
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("coreutils").success());
    let virtual_of = |name: &str, source: &str| {
        let text = format!(
            "<VRTDataset rasterXSize=\"20\" rasterYSize=\"20\"><SRS>EPSG:4326</SRS>\
             <GeoTransform>-160, 0.01, 0, 20, 0, -0.01</GeoTransform><VRTRasterBand dataType=\"Float32\" band=\"1\">\
             <SimpleSource><SourceFilename relativeToVRT=\"1\">{source}</SourceFilename><SourceBand>1</SourceBand></SimpleSource>\
             </VRTRasterBand></VRTDataset>"
        );
        fs::write(folder.path().join(name), text).expect("written");
    };
    virtual_of("inner.vrt", "pipe");
    virtual_of("outer.vrt", "inner.vrt");
    for name in ["inner.vrt", "outer.vrt"] {
        let error = open(&folder.path().join(name), &OpenOptions::default()).expect_err("refused").to_string();
        assert!(error.contains("/pipe: it is a pipe"), "{name}: {error}");
    }
    // Like a pipe itself, where other files are no virtual rasters; where some are, it is a damaged one.
    assert_eq!(height_m(&open(folder.path(), &OpenOptions::default()).unwrap(), 1), 101.0);
    virtual_of("sound.vrt", "piece-000.tif");
    let error = open(folder.path(), &OpenOptions::default()).expect_err("refused").to_string();
    assert!(error.contains("/pipe: it is a pipe") && error.contains("--skip-bad"), "{error}");
    let relief = open(folder.path(), &OpenOptions::default().with_skip_bad(true)).unwrap();
    assert_eq!(height_m(&relief, 1), 101.0);
}

/// Law: a virtual raster within an archive whose source is a pipe is refused, and not waited for.
#[cfg(unix)]
#[test]
fn pipes_that_virtual_rasters_in_archives_name() {
    let folder = TempDir::new().expect("a temporary folder");
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("coreutils").success());
    let text = |source: &Path| {
        format!(
            "<VRTDataset rasterXSize=\"20\" rasterYSize=\"20\"><SRS>EPSG:4326</SRS>\
             <GeoTransform>-160, 0.01, 0, 20, 0, -0.01</GeoTransform><VRTRasterBand dataType=\"Float32\" band=\"1\">\
             <SimpleSource><SourceFilename>{}</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>",
            source.display()
        )
    };
    let plain = folder.path().join("a.vrt");
    fs::write(&plain, text(&pipe)).expect("written");
    assert!(Command::new("gzip").arg("-k").arg(&plain).status().expect("gzip").success());
    let squeezed = PathBuf::from(format!("/vsigzip/{}.gz", plain.display()));
    let outer = folder.path().join("outer.vrt");
    fs::write(&outer, text(&squeezed)).expect("written");
    let whole = PathBuf::from(format!("/vsisubfile/0,{}", plain.display()));
    for name in [&squeezed, &whole, &outer] {
        let error = open(name, &OpenOptions::default()).expect_err("a pipe");
        assert!(matches!(&error, HeightError::NoFile { file, .. } if *file == pipe), "{}: {error}", name.display());
    }
}

/// Law: a source of a virtual raster that a driver would fetch by itself is asked for nothing, unless the network is allowed.
#[test]
fn addresses_behind_drivers() {
    let folder = TempDir::new().expect("a temporary folder");
    let server = std::net::TcpListener::bind("127.0.0.1:0").expect("loopback");
    server.set_nonblocking(true).expect("set");
    let address = format!("http://127.0.0.1:{}/a.nc", server.local_addr().expect("an address").port());
    let file = folder.path().join("a.vrt");
    for name in [
        format!("NETCDF:&quot;{address}&quot;:z"),
        format!("HDF5:&quot;{address}&quot;://z"),
        format!("GRIB:{address}"),
    ] {
        let text = format!(
            "<VRTDataset rasterXSize=\"20\" rasterYSize=\"20\"><SRS>EPSG:4326</SRS>\
             <GeoTransform>-160, 0.01, 0, 20, 0, -0.01</GeoTransform><VRTRasterBand dataType=\"Float32\" band=\"1\">\
             <SimpleSource><SourceFilename>{name}</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>"
        );
        fs::write(&file, text).expect("written");
        let error = open(&file, &OpenOptions::default()).expect_err("refused").to_string();
        assert!(error.contains("127.0.0.1") && error.contains("--online"), "{error}");
        assert!(server.accept().is_err(), "{name}");
    }
}

/// Law: a pipe beside the source of a virtual raster, under a name that GDAL opens, is refused and not waited for.
#[cfg(unix)]
#[test]
fn pipes_beside_sources_of_virtual_rasters() {
    for name in ["piece-000.tif.aux.xml", "piece-000.aux", "piece-000.tif.ovr", "piece-000.prj", "piece-000.tfw"] {
        let folder = TempDir::new().expect("a temporary folder");
        let files = row_of(folder.path(), 1);
        let all = folder.path().join("all.vrt");
        let source = gdal::Dataset::open(&files[0]).expect("opens");
        let driver = gdal::DriverManager::get_driver_by_name("VRT").expect("virtual rasters");
        source.create_copy(&driver, &all, &gdal::cpl::CslStringList::new()).expect("written").close().expect("closed");
        drop(source);
        assert!(open(&all, &OpenOptions::default()).is_ok());
        let pipe = folder.path().join(name);
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("coreutils").success());
        let error = open(&all, &OpenOptions::default()).expect_err("a pipe");
        assert!(matches!(&error, HeightError::NoFile { file, .. } if *file == pipe), "{name}: {error}");
    }
}
