//! Folders as users have them: links that lead back, damaged files; and headers that are read once.

use std::{
    fs,
    path::{Path, PathBuf},
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
use gdal::{DriverManager, raster::Buffer};
use tempfile::TempDir;

use super::raster_files::{Frame, normal};

const SIZE: usize = 20;

/// A row of rasters that abut, of one height each, last changed an hour ago.
pub fn row_of(folder: &Path, count: usize) -> Vec<PathBuf> {
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

pub fn height_m(relief: &Relief, k: usize) -> f64 {
    relief.sample(normal(-149.9 + 0.2 * k as f64, 19.9)).height_m
}

pub fn open(path: &Path, options: &OpenOptions) -> Result<Relief, HeightError> {
    Relief::open(&[path.to_path_buf()], options)
}

/// Law: what belongs to a raster is found beside it, however many other files are there.
#[cfg(unix)]
#[test]
fn files_beside_a_raster_among_many() {
    for others in [0, 200] {
        let folder = TempDir::new().expect("a temporary folder");
        let file = folder.path().join("a.tif");
        let driver = DriverManager::get_driver_by_name("GTiff").expect("GDAL has GeoTIFF");
        let dataset = driver.create_with_band_type::<f32, _>(&file, SIZE, SIZE, 1).expect("the folder is writable");
        let mut heights = Buffer::new((SIZE, SIZE), (0..SIZE * SIZE).map(|k| (k % 2) as f32).collect());
        let band = dataset.rasterband(1);
        band.expect("a band").write((0, 0), (SIZE, SIZE), &mut heights).expect("written");
        dataset.close().expect("closed");
        fs::write(file.with_extension("tfw"), "0.01\n0\n0\n-0.01\n-149.995\n19.995\n").expect("written");
        let scaled =
            "<PAMDataset><PAMRasterBand band=\"1\"><Offset>100</Offset><Scale>1</Scale></PAMRasterBand></PAMDataset>";
        fs::write(folder.path().join("a.tif.aux.xml"), scaled).expect("written");
        (0..others).for_each(|k| fs::write(folder.path().join(format!("{k:03}.txt")), "").expect("written"));
        dated(&file, 3600);
        let an_hour_ago = SystemTime::now() - Duration::from_secs(3600);
        fs::File::open(folder.path()).and_then(|folder| folder.set_modified(an_hour_ago)).expect("dated");
        let relief = open(&file, &OpenOptions::default()).expect("a raster with a place");
        assert_eq!(relief.sample(normal(-149.905, 19.905)).height_m, 101.0, "among {others}");
    }
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
    let beside = folder.path().join("README.txt");
    fs::write(&beside, "Heights.\n").unwrap();
    dated(&beside, 3600);
    let options = OpenOptions::default().with_index(Some(index.path().into()));
    let first = open(folder.path(), &options).unwrap();
    // The memory is replaced when a file has been opened.
    let replaced = || {
        let memories: Vec<_> = fs::read_dir(index.path()).unwrap().map(|entry| entry.unwrap().metadata()).collect();
        assert_eq!(memories.len(), 1);
        memories[0].as_ref().unwrap().modified().unwrap()
    };
    let before = replaced();
    let second = open(folder.path(), &options).unwrap();
    assert_eq!(second.layers(), first.layers());
    assert_eq!(replaced(), before, "a file was opened");
    for k in [0, 40, 69] {
        assert_eq!(height_m(&second, k), height_m(&first, k));
    }
    // Rubbish of the same length and time in the same file.
    let damaged = &files[3];
    let (bytes, modified) = (fs::read(damaged).unwrap(), fs::metadata(damaged).and_then(|m| m.modified()).unwrap());
    let damage = |bytes: &[u8]| {
        fs::write(damaged, bytes).unwrap();
        fs::File::options().write(true).open(damaged).and_then(|file| file.set_modified(modified)).unwrap();
    };
    damage(&vec![0x5a; bytes.len()]);
    assert!(open(folder.path(), &options).is_err(), "it is damaged");
    damage(&bytes);
    assert!(open(folder.path(), &options).is_ok());
    // A world file beside it may move it: what was known of it is not remembered.
    let memory = fs::read_dir(index.path()).unwrap().next().unwrap().unwrap().path();
    let known = fs::read(&memory).unwrap();
    let beside = damaged.with_extension("tfw");
    fs::write(&beside, "0.01\n0\n0\n-0.01\n-150\n20\n").unwrap();
    assert!(open(folder.path(), &options).is_ok());
    assert!(fs::read(&memory).unwrap() != known, "it is not opened again");
    fs::remove_file(beside).unwrap();
    dated(damaged, 60);
    fs::write(damaged, "no raster").unwrap();
    assert!(open(folder.path(), &options).is_err(), "it has changed");
    // A damaged memory is no memory.
    damage(&bytes);
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
    let held = || relief.memory_use()[0].expect("a folder tells").bytes;
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
    let accidents: &[(&str, Accident)] = &[
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
        #[cfg(unix)]
        ("changed", |file| {
            // Other heights of the same length in the same file, and its time set back.
            let (mut bytes, modified) =
                (fs::read(file).unwrap(), fs::metadata(file).and_then(|m| m.modified()).unwrap());
            let first = bytes.len() - 4 * SIZE * SIZE;
            bytes[first..].chunks_mut(4).for_each(|height| height.copy_from_slice(&160f32.to_le_bytes()));
            fs::write(file, bytes).unwrap();
            fs::File::options().write(true).open(file).and_then(|f| f.set_modified(modified)).unwrap();
        }),
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
    let log = || {
        let mut entries = fs::read_dir(index.path()).unwrap().flatten();
        entries.find(|file| file.file_name() == "means.young").unwrap().path()
    };
    let written = fs::read(log()).unwrap();
    assert_eq!(means_m(), first_m);
    assert!(fs::read(log()).unwrap() == written, "a file was read again");
    // Other heights of the same length in the same file.
    let changed = &files[5];
    let mut other = fs::read(changed).unwrap();
    // The heights end the file.
    let first = other.len() - 4 * SIZE * SIZE;
    let is_height = |four: &[u8]| four == 105f32.to_le_bytes();
    assert!(other[first..].chunks(4).all(is_height), "the file is laid out in another way");
    other[first..].chunks_mut(4).for_each(|four| four.copy_from_slice(&160f32.to_le_bytes()));
    fs::write(changed, &other).unwrap();
    dated(changed, 3600);
    let second_m = means_m();
    assert!((second_m[5] - 160.0).abs() < 0.5, "{}", second_m[5]);
    assert!(second_m.iter().zip(&first_m).enumerate().all(|(k, (a, b))| k == 5 || a == b));
    // A damaged log is nothing worse than none.
    let mut damaged = fs::read(log()).unwrap();
    damaged.iter_mut().skip(40).step_by(97).for_each(|byte| *byte ^= 5);
    fs::write(log(), damaged).unwrap();
    assert_eq!(means_m(), second_m);
}
