//! Folders as users have them: links that lead back, pipes, damaged files; and headers that are read once.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    time::{Duration, SystemTime},
};

use elevation::{
    bake::{Bake, BakeError, BakeOptions},
    height::{CoarseErrors, HeightError, OpenOptions, Relief, ShadeBlock, ShadeCube},
    sample_spacing::SampleSpacing,
    shading_tile::ShadingTile,
    tile::TileId,
};
use tempfile::TempDir;

use super::raster_files::{Frame, normal};

const SIZE: usize = 20;

/// A row of rasters that abut, of one height each, last changed an hour ago.
fn row_of(folder: &Path, count: usize) -> Vec<PathBuf> {
    let file = |k: usize| {
        let file = folder.join(format!("piece-{k:03}.tif"));
        let frame = Frame::north_up("EPSG:4326", (SIZE, SIZE), -150.0 + 0.2 * k as f64, 20.0, 0.01);
        frame.write::<f32>(&file, vec![100.0 + k as f32; SIZE * SIZE]).close().expect("closed");
        dated(&file, 3600);
        file
    };
    (0..count).map(file).collect()
}

/// Last changed so many seconds ago.
fn dated(file: &Path, seconds: u64) {
    let file = fs::File::options().write(true).open(file).expect("opened");
    file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).expect("dated");
}

fn height_m(relief: &Relief, k: usize) -> f64 {
    relief.sample(normal(-149.9 + 0.2 * k as f64, 19.9)).height_m
}

fn open(path: &Path, options: &OpenOptions) -> Result<Relief, HeightError> {
    Relief::open(&[path.to_path_buf()], options)
}

/// Law: a folder is visited once, however many links lead to it; two that lead back would be 2^40 ways.
#[cfg(unix)]
#[test]
fn links_that_lead_back() {
    let folder = TempDir::new().expect("a temporary folder");
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    row_of(&inner, 2);
    for name in ["a", "b"] {
        std::os::unix::fs::symlink(folder.path(), inner.join(name)).unwrap();
        std::os::unix::fs::symlink(&inner, folder.path().join(name)).unwrap();
    }
    let relief = open(folder.path(), &OpenOptions::default()).unwrap();
    assert!(relief.layers()[0].notes[0].starts_with("2 files"), "{:?}", relief.layers()[0].notes);
    assert_eq!(height_m(&relief, 1), 101.0);
}

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

/// Law: a virtual raster whose source is no file is refused with the name of that, at once, however deep it is, and left out of a
/// folder as a damaged file is.
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

/// Law: files of formats of bare values, of which GDAL reads what is missing as zeros, are refused when they are cut, alone and
/// among others, before their heights are read; whole ones are not.
#[test]
fn bare_values_that_are_cut() {
    for (format, name) in [("ENVI", "bare.dat"), ("netCDF", "bare.nc")] {
        let folder = TempDir::new().expect("a temporary folder");
        let frame = Frame::north_up("EPSG:4326", (200, 200), -160.0, 20.0, 0.01);
        let source = folder.path().join("source.tif");
        frame.write::<f32>(&source, (0..40_000).map(|k| 500.0 + k as f32 * 0.01).collect()).close().expect("closed");
        let within = folder.path().join("files");
        fs::create_dir(&within).expect("a folder");
        let written = within.join(name);
        let driver = gdal::DriverManager::get_driver_by_name(format).expect("GDAL has it");
        let copied = gdal::Dataset::open(&source).expect("opens");
        copied
            .create_copy(&driver, &written, &gdal::cpl::CslStringList::new())
            .expect("written")
            .close()
            .expect("closed");
        let other = within.join(format!("other.{}", written.extension().unwrap_or_default().display()));
        frame.write::<f32>(&other, vec![7.0; 40_000]).close().expect("closed");
        assert!(open(&written, &OpenOptions::default()).is_ok(), "{format}");
        let length = fs::metadata(&written).expect("there").len();
        let cut_to = |length: u64| {
            fs::File::options().write(true).open(&written).and_then(|file| file.set_len(length)).expect("cut");
        };
        if format == "netCDF" {
            // Fewer bytes than its header and coordinates take.
            cut_to(length - 2000);
            let error = open(&written, &OpenOptions::default()).expect_err("cut").to_string();
            assert!(error.contains("its values take"), "{error}");
        }
        cut_to(length * 6 / 10);
        let alone = open(&written, &OpenOptions::default()).expect_err("cut").to_string();
        assert!(alone.contains(name) && alone.contains(" bytes, and it has "), "{format}: {alone}");
        let around = folder.path().join("around.vrt");
        let text = format!(
            "<VRTDataset rasterXSize=\"200\" rasterYSize=\"200\"><SRS>EPSG:4326</SRS>\
             <GeoTransform>-160, 0.01, 0, 20, 0, -0.01</GeoTransform><VRTRasterBand dataType=\"Float32\" band=\"1\">\
             <SimpleSource><SourceFilename relativeToVRT=\"1\">files/{name}</SourceFilename></SimpleSource>\
             </VRTRasterBand></VRTDataset>"
        );
        fs::write(&around, text).expect("written");
        let error = open(&around, &OpenOptions::default()).expect_err("cut").to_string();
        assert!(error.contains(name) && error.contains(" bytes, and it has "), "{format} in a virtual raster: {error}");
        let error = open(&within, &OpenOptions::default()).expect_err("cut").to_string();
        assert!(error.contains(name) && error.contains("--skip-bad"), "{format}: {error}");
        let relief = open(&within, &OpenOptions::default().with_skip_bad(true)).expect("the other");
        assert!((relief.sample(normal(-159.0, 19.0)).height_m - 7.0).abs() < 1e-3, "{format}");
    }
}

/// Law: a text of points that is cut at its end is refused, wherever it is cut, alone and among others; one of which other points are
/// missing is sparse, and read as GDAL reads it.
#[test]
fn points_that_are_cut() {
    let folder = TempDir::new().expect("a temporary folder");
    let file = folder.path().join("points.xyz");
    let options = OpenOptions::default().with_src_crs(Some("EPSG:4326".to_owned()));
    let lines: Vec<String> = (0..400)
        .map(|k| format!("{:.2} {:.2} {}", -160.0 + 0.01 * f64::from(k % 20), 20.0 - 0.01 * f64::from(k / 20), 700 + k))
        .collect();
    let text = lines.join("\n") + "\n";
    fs::write(&file, &text).expect("written");
    let relief = open(&file, &options).unwrap_or_else(|e| panic!("{e}"));
    assert!((relief.sample(normal(-160.0 + 0.05, 20.0 - 0.1)).height_m - 905.0).abs() < 1e-6);
    for lines_left in [381, 390, 399] {
        let whole: usize = lines[..lines_left].iter().map(|line| line.len() + 1).sum();
        for more in [0, 4, 9] {
            fs::write(&file, &text[..whole + more]).expect("written");
            let error = open(&file, &options).expect_err("cut").to_string();
            let is_told = error.contains("is cut") || more > 0 && error.contains("Expected 3 at least");
            assert!(error.contains("points.xyz") && is_told, "{lines_left}, {more}: {error}");
        }
    }
    fs::write(folder.path().join("other.xyz"), &text).expect("written");
    let error = open(folder.path(), &options).expect_err("cut").to_string();
    assert!(error.contains("points.xyz") && error.contains("--skip-bad"), "{error}");
    for (what, is_missing) in [("rows with gaps", 7), ("a corner and gaps", 3)] {
        let sparse: String = lines
            .iter()
            .enumerate()
            .filter(|(k, _)| k % is_missing != 5 % is_missing)
            .map(|(_, l)| format!("{l}\n"))
            .collect();
        fs::write(&file, sparse).expect("written");
        let opened = open(&file, &options);
        assert_eq!(opened.is_ok(), gdal::Dataset::open(&file).is_ok(), "{what}: {opened:?}");
        assert!(opened.is_ok(), "{what}");
    }
}

/// Law: bare values that a virtual raster describes are refused where their file ends before them, in whatever order they lie in
/// it, and are not where they end with it.
#[test]
fn raw_bands_that_are_cut() {
    let folder = TempDir::new().expect("a temporary folder");
    let raw = folder.path().join("values.raw");
    let bytes: Vec<u8> = [vec![0; 100], 700i16.to_le_bytes().repeat(40_000)].concat();
    for (first, row) in [(100, 400), (79_700, -400)] {
        let text = format!(
            "<VRTDataset rasterXSize=\"200\" rasterYSize=\"200\"><SRS>EPSG:4326</SRS>\
             <GeoTransform>-160, 0.01, 0, 20, 0, -0.01</GeoTransform>\
             <VRTRasterBand dataType=\"Int16\" band=\"1\" subClass=\"VRTRawRasterBand\">\
             <SourceFilename relativeToVRT=\"1\">values.raw</SourceFilename><ImageOffset>{first}</ImageOffset>\
             <PixelOffset>2</PixelOffset><LineOffset>{row}</LineOffset><ByteOrder>LSB</ByteOrder>\
             </VRTRasterBand></VRTDataset>"
        );
        let described = folder.path().join("described.vrt");
        fs::write(&described, text).expect("written");
        fs::write(&raw, &bytes).expect("written");
        let relief = open(&described, &OpenOptions::default()).unwrap_or_else(|e| panic!("{row}: {e}"));
        assert_eq!(relief.sample(normal(-159.0, 19.0)).height_m, 700.0);
        for missing in [1, 50_000] {
            fs::write(&raw, &bytes[..bytes.len() - missing]).expect("written");
            let error = open(&described, &OpenOptions::default()).expect_err("cut").to_string();
            assert!(error.contains("go on to byte 80100") && error.contains("values.raw"), "{row}: {error}");
        }
    }
}

/// Law: a file that is cut behind its header is refused before its heights are read, alone and among others, and is left out and
/// told where damaged files are; whole files are none of these, sparse ones too.
#[test]
fn files_cut_behind_their_headers() {
    for options in [
        &["TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16"][..],
        &["COMPRESS=DEFLATE"],
        &["BLOCKYSIZE=1"],
        &["SPARSE_OK=TRUE"],
    ] {
        let folder = TempDir::new().expect("a temporary folder");
        let files = row_of(folder.path(), 3);
        let written = folder.path().join("written.tif");
        let frame = Frame::north_up("EPSG:4326", (200, 200), -160.0, 20.0, 0.01);
        let sparse = options[0].starts_with("SPARSE");
        // Nothing in the lower half of a sparse one.
        let value = |k: usize| if sparse && k >= 20_000 { 0.0 } else { (k * 7919 % 8110) as f32 };
        let memory = folder.path().join("memory");
        frame.write::<f32>(&memory, (0..40_000).map(value).collect()).close().expect("closed");
        let source = gdal::Dataset::open(&memory).expect("opens");
        let driver = gdal::DriverManager::get_driver_by_name("GTiff").expect("GeoTIFF");
        let options: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
        let options = options.iter().map(String::as_str).collect::<gdal::cpl::CslStringList>();
        source.create_copy(&driver, &written, &options).expect("written").close().expect("closed");
        fs::remove_file(&memory).expect("removed");
        assert!(open(&written, &OpenOptions::default()).is_ok());
        assert!(open(folder.path(), &OpenOptions::default()).is_ok());
        let length = fs::metadata(&written).expect("there").len();
        fs::File::options().write(true).open(&written).and_then(|file| file.set_len(length - length / 4)).expect("cut");
        let alone = open(&written, &OpenOptions::default().with_layer_bytes(4096)).unwrap_err();
        assert!(matches!(alone, HeightError::Read { .. }) && alone.to_string().contains("it ends at byte"), "{alone}");
        let error = open(folder.path(), &OpenOptions::default()).unwrap_err().to_string();
        assert!(
            error.contains("written.tif") && error.contains("it ends at byte") && error.contains("--skip-bad"),
            "{error}"
        );
        let relief = open(folder.path(), &OpenOptions::default().with_skip_bad(true)).unwrap();
        let said = relief.layers()[0].remarks.join("\n");
        assert!(said.contains("1 damaged file in it is left out") && said.contains("written.tif"), "{said}");
        assert_eq!(height_m(&relief, files.len() - 1), 102.0);
    }
}

/// Law: damaged files among good ones are an error that names one and counts the others, or are left out and told.
#[test]
fn damaged_files() {
    let folder = TempDir::new().expect("a temporary folder");
    let files = row_of(folder.path(), 4);
    for file in &files[..2] {
        fs::write(file, "no raster").unwrap();
    }
    let error = open(folder.path(), &OpenOptions::default()).unwrap_err().to_string();
    assert!(error.contains("piece-000.tif") && error.contains("1 more") && error.contains("--skip-bad"), "{error}");
    let relief = open(folder.path(), &OpenOptions::default().with_skip_bad(true)).unwrap();
    assert_eq!((height_m(&relief, 2), height_m(&relief, 3)), (102.0, 103.0));
    assert!(height_m(&relief, 0) < 0.0, "the sea floor below");
    let said = &relief.layers()[0].remarks[0];
    assert!(said.starts_with("2 damaged files in it are left out, piece-000.tif and piece-001.tif: "), "{said}");
    // All by name, as far as a line goes.
    let files = row_of(folder.path(), 9);
    for file in &files[..8] {
        fs::write(file, "no raster").unwrap();
    }
    let relief = open(folder.path(), &OpenOptions::default().with_skip_bad(true)).unwrap();
    let said = &relief.layers()[0].remarks[0];
    assert!(said.contains("piece-003.tif, piece-004.tif and 3 more: ") && !said.contains("piece-005.tif"), "{said}");
}

/// Law: with headers remembered no unchanged file is opened, and heights are the same; a file that has changed, or that has got
/// another beside it, is looked at again.
#[test]
fn headers_are_read_once() {
    let (folder, index) = (TempDir::new().expect("a folder"), TempDir::new().expect("a folder"));
    let files = row_of(folder.path(), 70);
    fs::write(folder.path().join("README.txt"), "Heights.\n").unwrap();
    let options = OpenOptions::default().with_index(Some(index.path().into()));
    let first = open(folder.path(), &options).unwrap();
    assert_eq!(fs::read_dir(index.path()).unwrap().count(), 1);
    // Rubbish of the same length and time in the same file: only who opens it finds out.
    let damaged = &files[3];
    let (bytes, modified) = (fs::read(damaged).unwrap(), fs::metadata(damaged).and_then(|m| m.modified()).unwrap());
    let damage = |bytes: &[u8]| {
        fs::write(damaged, bytes).unwrap();
        fs::File::options().write(true).open(damaged).and_then(|file| file.set_modified(modified)).unwrap();
    };
    damage(&vec![0x5a; bytes.len()]);
    let second = open(folder.path(), &options).unwrap();
    assert_eq!(second.layers(), first.layers());
    assert!(open(folder.path(), &OpenOptions::default()).is_err(), "it is damaged");
    for k in [0, 40, 69] {
        assert_eq!(height_m(&second, k), height_m(&first, k));
    }
    // A world file beside it may move it.
    let beside = damaged.with_extension("tfw");
    fs::write(&beside, "0.01\n0\n0\n-0.01\n-150\n20\n").unwrap();
    assert!(open(folder.path(), &options).is_err(), "it is opened again");
    fs::remove_file(beside).unwrap();
    damage(&bytes);
    assert!(open(folder.path(), &options).is_ok());
    dated(damaged, 60);
    fs::write(damaged, "no raster").unwrap();
    assert!(open(folder.path(), &options).is_err(), "it has changed");
    // A damaged memory is no memory.
    damage(&bytes);
    let memory = fs::read_dir(index.path()).unwrap().next().unwrap().unwrap().path();
    let length = fs::metadata(&memory).unwrap().len();
    fs::File::options().write(true).open(&memory).and_then(|file| file.set_len(length / 2)).unwrap();
    assert_eq!(open(folder.path(), &options).unwrap().layers(), first.layers());
}

/// Makes the shading map, as a view of the whole does.
fn shade(relief: &Arc<Relief>) {
    let cube = ShadeCube::new(relief.clone(), 256);
    ShadeBlock::all().for_each(|block| drop(cube.block(block)));
}

/// Law: views of the whole read the average of a raster that is larger than its budget, and nothing else.
#[test]
fn views_of_the_whole_read_no_windows() {
    let folder = TempDir::new().expect("a temporary folder");
    let file = folder.path().join("hills.tif");
    const SIDE: usize = 2100;
    let frame = Frame::north_up("EPSG:4326", (SIDE, SIDE), -150.0, 20.0, 0.001);
    let values = (0..SIDE * SIDE).map(|k| 500.0 + (k % SIDE % 97) as f32 + (k / SIDE % 89) as f32).collect();
    frame.write::<f32>(&file, values).close().expect("closed");
    let relief = Arc::new(open(&file, &OpenOptions::default().with_layer_bytes(12 << 20)).unwrap());
    fs::remove_file(&file).unwrap();
    let coarse_errors = CoarseErrors::build(&relief, CoarseErrors::DEFAULT_LEVEL);
    shade(&relief);
    assert_eq!(relief.failure(), None);
    assert!(coarse_errors.level() == CoarseErrors::DEFAULT_LEVEL && relief.check().is_err());
}

/// Law: views of the whole of a folder, and light on it from far away, read overviews of its files and none in full.
#[test]
fn far_views_of_a_folder_read_no_file_in_full() {
    let folder = TempDir::new().expect("a temporary folder");
    const SIDE: u64 = 1201;
    for (lat, lon) in (0..6).flat_map(|lat| (0..6).map(move |lon| (lat, lon))) {
        let file = fs::File::create(folder.path().join(format!("N{lat:02}E{lon:03}.hgt"))).unwrap();
        // All zeros, which take no room on the disk.
        file.set_len(2 * SIDE * SIDE).unwrap();
    }
    let relief = open(folder.path(), &OpenOptions::default().with_layer_bytes(64 << 20)).unwrap();
    CoarseErrors::build(&relief, 6);
    let held = || relief.held()[0].expect("a folder tells").bytes;
    let overviews = held();
    assert!(overviews > 0);
    let spacing = SampleSpacing::of(&relief);
    for level in 3..6 {
        // Of the face round longitude 0 and the equator, from the middle on.
        let middle = 1 << (level - 1);
        let tile = ShadingTile::build(&relief, &spacing, TileId { face: 0, level, i: middle, j: middle });
        assert_eq!(tile.height_m(0, 20, 20), 0.0);
    }
    assert_eq!(held(), overviews);
    // Near by, files are read.
    ShadingTile::build(&relief, &spacing, TileId { face: 0, level: 8, i: 140, j: 140 });
    assert!(held() > overviews);
}

/// Law: a source that changes after it was opened is noticed, whether its heights are in memory or not, and no pack is made of it.
#[test]
fn sources_that_change() {
    type Accident = fn(&Path);
    let accidents: [(&str, Accident); 3] = [
        ("no such file", |file| fs::remove_file(file).unwrap()),
        ("changed", |file| {
            // Another file of the same name, length and time.
            let (other, modified) =
                (file.with_extension("other"), fs::metadata(file).and_then(|m| m.modified()).unwrap());
            fs::copy(file, &other).unwrap();
            fs::File::options().write(true).open(&other).and_then(|o| o.set_modified(modified)).unwrap();
            fs::rename(&other, file).unwrap();
        }),
        ("changed", |file| fs::File::options().write(true).open(file).and_then(|f| f.set_len(100)).unwrap()),
    ];
    for (word, accident) in accidents {
        let folder = TempDir::new().expect("a temporary folder");
        let files = row_of(folder.path(), 2);
        for source in [files[0].as_path(), folder.path()] {
            let relief = open(source, &OpenOptions::default()).unwrap();
            assert_eq!((height_m(&relief, 0), relief.check()), (100.0, Ok(())));
        }
        let options = BakeOptions::default().with_max_level(Some(3)).with_bbox_deg(Some([-150.0, 19.8, -149.8, 20.0]));
        let bake = Bake::new(&files[..1], &OpenOptions::default(), &options).unwrap();
        let relief = open(&files[0], &OpenOptions::default()).unwrap();
        accident(&files[0]);
        let noticed = relief.check().unwrap_err().to_string();
        assert!(noticed.contains("piece-000.tif") && noticed.contains(word), "{noticed}");
        let out = folder.path().join("a.pack");
        let error = bake.run(&out, false, &mut |_| {}).unwrap_err();
        assert!(matches!(error, BakeError::Source(_)), "{error}");
        assert!(!out.exists());
    }
}

/// Law: means of the files of a folder are those of an earlier start, and of the files as they are: what has changed is read again.
#[test]
fn means_are_kept_until_files_change() {
    let (folder, index) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let files = row_of(folder.path(), 70);
    let options = OpenOptions::default().with_index(Some(index.path().into()));
    let means_m = || -> Vec<f64> {
        let relief = open(folder.path(), &options).unwrap();
        let middle = |k: usize| normal(-149.9 + 0.2 * k as f64, 19.9);
        (0..files.len()).map(|k| relief.overview_m(middle(k), 50_000.0)).collect()
    };
    let first_m = means_m();
    assert!(first_m.iter().enumerate().all(|(k, m)| (m - 100.0 - k as f64).abs() < 0.5), "{first_m:?}");
    // Other heights of the same length and time in the same file: only who reads it finds out.
    let changed = &files[5];
    let modified = fs::metadata(changed).and_then(|m| m.modified()).unwrap();
    let mut other = fs::read(changed).unwrap();
    // The heights end the file.
    let first = other.len() - 4 * SIZE * SIZE;
    let is_height = |four: &[u8]| four == 105f32.to_le_bytes();
    assert!(other[first..].chunks(4).all(is_height), "the file is laid out in another way");
    other[first..].chunks_mut(4).for_each(|four| four.copy_from_slice(&160f32.to_le_bytes()));
    fs::write(changed, &other).unwrap();
    fs::File::options().write(true).open(changed).unwrap().set_modified(modified).unwrap();
    assert_eq!(means_m(), first_m, "it was not read");
    dated(changed, 1800);
    let second_m = means_m();
    assert!((second_m[5] - 160.0).abs() < 0.5, "{}", second_m[5]);
    assert!(second_m.iter().zip(&first_m).enumerate().all(|(k, (a, b))| k == 5 || a == b));
    // A damaged log is nothing worse than none.
    let log =
        fs::read_dir(index.path()).unwrap().flatten().find(|file| file.file_name() == "means.young").unwrap().path();
    let mut damaged = fs::read(&log).unwrap();
    damaged.iter_mut().skip(40).step_by(97).for_each(|byte| *byte ^= 5);
    fs::write(&log, damaged).unwrap();
    assert_eq!(means_m(), second_m);
}
