//! Files that go bad while they are in use: what lies below answers in their place, and it is known which file, and why.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use elevation::{
    height::{CoarseErrors, HeightError, OpenOptions, Relief},
    tile::{Tile, birth},
};
use tempfile::TempDir;

use super::raster_files::{Frame, normal, overwrite, zip};

const SIZE: usize = 2100;
const POSTING: f64 = 0.001;

fn frame() -> Frame {
    Frame::north_up("EPSG:4326", (SIZE, SIZE), -150.0, 20.0, POSTING)
}

/// A raster of a few windows, in the Pacific.
fn raster(folder: &Path) -> PathBuf {
    let path = folder.join("hills.tif");
    let values = (0..SIZE * SIZE).map(|k| 500.0 + (k % SIZE % 97) as f32 + (k / SIZE % 89) as f32).collect();
    frame().write::<f32>(&path, values).close().expect("closed");
    path
}

/// Opened with a budget that it exceeds.
fn in_windows(file: &Path) -> Relief {
    let options = OpenOptions::default().with_layer_bytes(12 << 20);
    let relief = Relief::open(&[file.to_path_buf()], &options).unwrap_or_else(|e| panic!("{e}"));
    assert!(relief.layers()[0].notes.iter().any(|note| note.contains("windows")));
    relief
}

/// A place in the window of a column and row.
fn place(i: usize, j: usize) -> glam::DVec3 {
    let texel = |k: usize| (k * 1024 + 500) as f64;
    normal(-150.0 + POSTING * texel(i), 20.0 - POSTING * texel(j))
}

/// Law: whatever happens to the file, places in windows that were read stay as they are, others fall to the sea floor below, and
/// the failure names the file.
fn degrades(relief: &Relief, file: &Path, word: &str) {
    let read = relief.sample(place(0, 0));
    assert_eq!(read.layer, 0);
    let lost = relief.sample(place(1, 1));
    assert_eq!(lost.layer, 1, "the relief below answers");
    assert!(lost.height_m < -3000.0, "{lost:?}");
    assert_eq!(relief.sample(place(0, 0)), read);
    let failure = relief.failure().expect("it is known").to_string();
    let name = file.file_name().unwrap().to_string_lossy();
    assert!(failure.contains(&*name) && failure.contains(word), "{failure}");
    // Tiles are made of what there is.
    let coarse_errors = CoarseErrors::build(relief, 1);
    let (id, ..) = birth(elevation::cube::CubePoint::nearest(place(1, 1)));
    let id = std::iter::successors(Some(id), |id| id.parent()).find(|id| id.level == 9).unwrap();
    let tile = Tile::build(relief, &coarse_errors, id);
    assert!(tile.range_m().0 > -12_000.0 && tile.range_m().1 < 9_000.0, "{:?}", tile.range_m());
}

#[test]
fn a_file_that_vanishes() {
    let folder = TempDir::new().expect("a temporary folder");
    let path = raster(folder.path());
    let relief = in_windows(&path);
    assert_eq!(relief.sample(place(0, 0)).layer, 0);
    fs::remove_file(&path).expect("removed");
    degrades(&relief, &path, "no such file");
}

#[test]
fn a_file_that_is_written_anew() {
    let folder = TempDir::new().expect("a temporary folder");
    let path = raster(folder.path());
    let relief = in_windows(&path);
    assert_eq!(relief.sample(place(0, 0)).layer, 0);
    // The same size and place, other heights: half old, half new would be cliffs.
    frame().write::<f32>(&path, vec![7.0; SIZE * SIZE]).close().expect("closed");
    let file = fs::File::options().write(true).open(&path).expect("opened");
    file.set_modified(SystemTime::now() + Duration::from_secs(60)).expect("dated");
    degrades(&relief, &path, "changed");
}

#[test]
fn a_file_that_is_cut_short() {
    let folder = TempDir::new().expect("a temporary folder");
    let path = raster(folder.path());
    let relief = in_windows(&path);
    assert_eq!(relief.sample(place(0, 0)).layer, 0);
    let file = fs::File::options().write(true).open(&path).expect("opened");
    let length = file.metadata().expect("its length").len();
    file.set_len(length / 4).expect("cut");
    degrades(&relief, &path, "changed");
}

/// Sources that are made of others, however they name them: a virtual raster, one of a virtual raster that does not look like one,
/// a file in an archive, a virtual raster of that, and a folder of virtual rasters. With the file behind each.
fn made_of_others(folder: &Path) -> Vec<(PathBuf, PathBuf)> {
    let own = |name: &str| {
        let own = folder.join(name);
        fs::create_dir(&own).expect("made");
        own
    };
    let stack = |name: PathBuf, of: &Path| {
        let of = gdal::Dataset::open(of).expect("opens");
        gdal::programs::raster::build_vrt(Some(&name), &[of], None).expect("built").close().expect("closed");
        name
    };
    let zipped = |folder: &Path| {
        let (plain, archive) = (raster(folder), folder.join("hills.zip"));
        let inside = PathBuf::from(format!("/vsizip/{}/hills.tif", archive.display()));
        zip(&inside, &fs::read(&plain).expect("read"));
        fs::remove_file(plain).expect("removed");
        (inside, archive)
    };
    let mut sources = Vec::new();
    let plain = raster(&own("virtual"));
    sources.push((stack(plain.with_file_name("a.vrt"), &plain), plain));
    let plain = raster(&own("nested"));
    let inner = stack(plain.with_file_name("a.txt"), &plain);
    sources.push((stack(plain.with_file_name("b.vrt"), &inner), plain));
    let (inside, archive) = zipped(&own("archive"));
    sources.push((inside, archive));
    let (inside, archive) = zipped(&own("virtual archive"));
    sources.push((stack(archive.with_file_name("a.vrt"), &inside), archive));
    let (plain, many) = (raster(&own("behind")), own("folder"));
    stack(many.join("a.vrt"), &plain);
    sources.push((many, plain));
    sources
}

/// Law: what holds for a file holds for every file behind a source: when one is changed or gone, no heights of after are mixed
/// with those of before, and the failure names it.
#[test]
fn files_behind_a_source() {
    type Accident = fn(&Path);
    let accidents: [(&str, Accident); 2] = [
        ("no such file", |file| fs::remove_file(file).expect("removed")),
        ("changed", |file| {
            let file = fs::File::options().write(true).open(file).expect("opened");
            file.set_modified(SystemTime::now() + Duration::from_secs(60)).expect("dated");
        }),
    ];
    for (word, accident) in accidents {
        let folder = TempDir::new().expect("a temporary folder");
        for (source, behind) in made_of_others(folder.path()) {
            let options = OpenOptions::default().with_layer_bytes(12 << 20);
            let relief = Relief::open(std::slice::from_ref(&source), &options).unwrap_or_else(|e| panic!("{e}"));
            if source.is_dir() {
                // Nothing of a folder is read before it is asked for.
                accident(&behind);
                assert_eq!(relief.sample(place(1, 1)).layer, 1, "{}", source.display());
                let failure = relief.failure().expect("it is known").to_string();
                assert!(failure.contains("hills.tif") && failure.contains(word), "{failure}");
                continue;
            }
            assert_eq!(relief.sample(place(0, 0)).layer, 0, "{}", source.display());
            accident(&behind);
            degrades(&relief, &behind, word);
        }
    }
}

/// A block of rubbish in a compressed file is found when it is read; the rest of the file is used. In memory, where no time tells that the
/// file has changed.
#[test]
fn a_corrupt_block() {
    let folder = TempDir::new().expect("a temporary folder");
    let plain = raster(folder.path());
    let path = PathBuf::from("/vsimem/orogen-a-corrupt-block.tif");
    let driver = gdal::DriverManager::get_driver_by_name("GTiff").expect("GeoTIFF");
    let options = ["COMPRESS=DEFLATE", "TILED=YES", "BLOCKXSIZE=512", "BLOCKYSIZE=512"];
    let options = gdal::raster::RasterCreationOptions::from_iter(options);
    let copy = gdal::Dataset::open(&plain).expect("opens").create_copy(&driver, &path, &options).expect("copied");
    copy.close().expect("closed");
    let relief = in_windows(&path);
    assert_eq!(relief.sample(place(0, 0)).layer, 0);
    // Blocks lie row by row, so the middle of the file is in the middle of the raster.
    let length = gdal::vsi::call_on_mem_file_bytes(&path, <[u8]>::len).expect("it is there");
    overwrite(&path, length / 3, &vec![0x5a; length / 3]);
    degrades(&relief, &path, "cannot read heights");
    gdal::vsi::unlink_mem_file(&path).expect("removed");
}

#[test]
fn rasters_of_nothing_and_of_one_texel() {
    let folder = TempDir::new().expect("a temporary folder");
    let small = |size: usize| Frame::north_up("EPSG:4326", (size, size), -150.0, 20.0, 0.01);
    let n = |size: f64| normal(-150.0 + 0.005 * size, 20.0 - 0.005 * size);
    for (name, value) in
        [("nan.tif", f32::NAN), ("infinite.tif", f32::INFINITY), ("huge.tif", 1e38), ("low.tif", -1e38)]
    {
        let path = folder.path().join(name);
        small(20).write::<f32>(&path, vec![value; 400]).close().expect("closed");
        let relief = Relief::open(&[path], &OpenOptions::default()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(relief.sample(n(20.0)).layer, 1, "{name}");
        let info = &relief.layers()[0];
        assert_eq!(info.void_share, 1.0);
        assert!(info.remarks.iter().any(|remark| remark.contains("all values are void")), "{name}: {:?}", info.remarks);
        assert!(relief.range_m().1 < 9_000.0);
    }
    let path = folder.path().join("one.tif");
    small(1).write::<f32>(&path, vec![42.0]).close().expect("closed");
    let relief = Relief::open(&[path], &OpenOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    let sample = relief.sample(n(1.0));
    assert!(sample.layer == 0 && (sample.height_m - 42.0).abs() < 1e-3, "{sample:?}");
    // Transforms that place a raster nowhere.
    for transform in [[0.0, f64::NAN, 0.0, 0.0, 0.0, 1.0], [0.0; 6], [5.0, 1e-300, 0.0, 45.0, 0.0, -1e-300]] {
        let path = folder.path().join("degenerate.tif");
        let frame = Frame { size: (4, 4), geo_transform: transform, crs: "EPSG:4326" };
        frame.write::<f32>(&path, vec![1.0; 16]).close().expect("closed");
        match Relief::open(std::slice::from_ref(&path), &OpenOptions::default()) {
            Err(HeightError::DegenerateGeoreference { .. } | HeightError::NoGeoreference { .. }) => {}
            // What is smaller than an atom answers nowhere else.
            Ok(relief) => assert_eq!(relief.sample(n(9.0)).layer, 1, "{transform:?}"),
            Err(other) => panic!("{transform:?}: {other}"),
        }
    }
}
