//! Heights that look wrong are remarked upon, however the file with them is opened; sound ones are not.

use std::{
    fmt::Debug,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use elevation::{
    bake::{Bake, BakeOptions},
    height::{OpenOptions, Relief, VerticalDatum},
};
use rand::{Rng, rngs::StdRng};
use tempfile::TempDir;
use tracing::{Event, Metadata, Subscriber, field::Field, span};

use super::places::EARTH;
use super::raster_files::{Frame, normal};
use crate::random;

const SIDE: usize = 60;

/// Writes a raster in the Pacific, so many files east of the first.
fn write(file: &Path, place: usize, values: impl Fn(usize) -> f32) {
    let frame = Frame::north_up("EPSG:4326", (SIDE, SIDE), -150.0 + 0.6 * place as f64, 20.0, 0.01);
    frame.write::<f32>(file, (0..SIDE * SIDE).map(values).collect()).close().expect("closed");
}

fn relief_m(k: usize) -> f32 {
    300.0 + (k * 7919 % 8110) as f32 * 0.1
}

fn remarks(file: &Path) -> String {
    let relief = Relief::open(&[file.to_path_buf()], &OpenOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    relief.layers()[0].remarks.join("; ")
}

/// Law: what is remarked on a raster alone is remarked on it in a folder, in a list and in a virtual raster, with its name, and on a
/// pack that was made of it; on sound ones nothing is.
#[test]
fn values_are_remarked_upon_however_they_are_opened() {
    type Values = fn(usize) -> f32;
    let cases: [(Values, &str); 6] = [
        (|k| if k % 3 == 0 { -9999.0 } else { relief_m(k) }, "exactly -9999"),
        (|k| 11_000.0 + relief_m(k), "not of this Earth"),
        (|k| if k % 50 == 0 { 0.0 } else { relief_m(k) }, "the lowest of all"),
        (|k| if k % 50 == 0 { 29_029.0 } else { relief_m(k) }, "are taken as voids"),
        // A ramp of few steps.
        (|k| 1_000.0 + 10.0 * (k % SIDE) as f32, ""),
        (relief_m, ""),
    ];
    for (values, word) in cases {
        let folder = TempDir::new().expect("a temporary folder");
        let inner = folder.path().join("files");
        fs::create_dir(&inner).expect("a folder");
        let file = inner.join("a.tif");
        write(&file, 0, values);
        write(&inner.join("b.tif"), 1, relief_m);
        // What macOS leaves there.
        fs::write(inner.join("._a.tif"), "no raster").expect("written");
        let list = folder.path().join("list.txt");
        fs::write(&list, "files/b.tif\nfiles/a.tif\n").expect("written");
        let list = PathBuf::from(format!("@{}", list.display()));
        let pack = folder.path().join("a.pack");
        let options = BakeOptions::default().with_max_level(Some(1));
        let bake = Bake::new(std::slice::from_ref(&inner), &OpenOptions::default(), &options).expect("sources");
        bake.run(&pack, false, &mut |_| {}).expect("baked");
        for (opened, name) in [(&file, ""), (&inner, "a.tif"), (&list, "a.tif"), (&pack, "a.tif")] {
            let said = remarks(opened);
            assert_eq!(said.is_empty(), word.is_empty(), "{opened:?}: {said}");
            assert!(said.contains(word) && (word.is_empty() || said.contains(name)), "{opened:?}: {said}");
            assert!(!said.contains("b.tif"), "{said}");
        }
    }
}

/// Law: files side by side with the same posting that are given one by one are remarked upon, as what lies below one that covers the Earth; files
/// that overlap, or are apart, or have another posting, are not.
#[test]
fn files_given_one_by_one_are_remarked_upon() {
    let folder = TempDir::new().expect("a temporary folder");
    let write = |name: &str, (size, west, north, posting): ((usize, usize), f64, f64, f64)| {
        let file = folder.path().join(name);
        let frame = Frame::north_up("EPSG:4326", size, west, north, posting);
        let values = (0..size.0 * size.1).map(relief_m).collect();
        frame.write::<f32>(&file, values).close().expect("closed");
        file
    };
    let first = write("first.tif", ((60, 60), -150.0, 20.0, 0.01));
    let said = |others: &[PathBuf]| {
        let files = [std::slice::from_ref(&first), others].concat();
        let relief = Relief::open(&files, &OpenOptions::default()).unwrap_or_else(|e| panic!("{e}"));
        relief.layers()[0].remarks.join("; ")
    };
    let beside = [
        write("east.tif", ((60, 60), -149.4, 20.0, 0.01)),
        write("node.tif", ((61, 60), -149.41, 20.0, 0.01)),
        write("south.tif", ((40, 30), -150.0, 19.4, 0.01)),
        write("turn.tif", ((60, 60), 209.4, 20.0, 0.01)),
    ];
    let other = [
        write("over.tif", ((60, 60), -149.8, 20.1, 0.01)),
        write("apart.tif", ((60, 60), -149.3, 20.0, 0.01)),
        write("corner.tif", ((60, 60), -149.4, 19.4, 0.01)),
        write("coarse.tif", ((30, 30), -149.4, 20.0, 0.02)),
    ];
    for file in &beside {
        let (said, name) = (said(std::slice::from_ref(file)), file.file_name().unwrap_or_default().to_string_lossy());
        assert!(said.contains(&*name) && said.contains("as one layer"), "{name}: {said}");
    }
    for file in &other {
        assert_eq!(said(std::slice::from_ref(file)), "", "{file:?}");
    }
    assert!(said(&[other.to_vec(), beside.to_vec()].concat()).contains("lies beside it"));
    let world = write("world.tif", ((360, 180), -180.0, 90.0, 1.0));
    let relief = Relief::open(&[world, first.clone(), other[1].clone()], &OpenOptions::default()).expect("sources");
    let said = relief.layers()[0].remarks.join("; ");
    assert!(said.contains("first.tif, ") && said.contains("apart.tif below it is not used: give it last"), "{said}");
}

/// Law: heights above the ellipsoid beside, over or under heights above the sea are remarked upon, in a folder too, until all are brought to
/// one datum; heights above one datum are not.
#[test]
fn several_datums_are_remarked_upon() {
    let folder = TempDir::new().expect("a temporary folder");
    let mixed = folder.path().join("mixed");
    fs::create_dir(&mixed).expect("a folder");
    let write = |name: &str, crs, west| {
        let file = folder.path().join(name);
        let values = (0..3_600).map(relief_m).collect();
        Frame::north_up(crs, (60, 60), west, 46.0, 0.01).write::<f32>(&file, values).close().expect("closed");
        file
    };
    let sea = write("sea.tif", "EPSG:9707", 8.0);
    let silent = write("silent.tif", "EPSG:4326", 8.3);
    let space = write("space.tif", "EPSG:4979", 8.4);
    let far = write("far.tif", "EPSG:9707", 48.0);
    fs::copy(&sea, mixed.join("a.tif")).expect("copied");
    fs::copy(&space, mixed.join("b.tif")).expect("copied");
    let said = |files: &[&PathBuf], vertical| {
        let files: Vec<PathBuf> = files.iter().map(|file| (*file).clone()).collect();
        let options = OpenOptions::default().with_vertical(vertical);
        let relief = Relief::open(&files, &options).unwrap_or_else(|e| panic!("{e}"));
        let told = relief.layers().iter().map(|layer| layer.remarks.iter().any(|remark| remark.contains("--vdatum")));
        told.collect::<Vec<bool>>()
    };
    // The relief that ships is above the sea.
    assert_eq!(said(&[&sea, &silent, &far], None), [false; 4]);
    assert_eq!(said(&[&space], None), [true, false]);
    assert_eq!(said(&[&sea, &space], None), [true, true, false]);
    assert_eq!(said(&[&far, &space], None), [false, true, false]);
    assert_eq!(said(&[&space, &silent], None), [true, false, false]);
    assert_eq!(said(&[&mixed], None), [true, false]);
    assert_eq!(said(&[&sea, &space, &silent], Some(VerticalDatum::EGM96)), [false; 4]);
    // Of a pack each source by itself: what lies elsewhere in it is nothing to a raster.
    let pack = folder.path().join("space.pack");
    let options = BakeOptions::default().with_max_level(Some(1));
    let bake = Bake::new(std::slice::from_ref(&space), &OpenOptions::default(), &options).expect("sources");
    bake.run(&pack, false, &mut |_| {}).expect("baked");
    assert!(!said(&[&far, &pack], None)[0] && said(&[&sea, &pack], None)[0]);
    // What counts as above EGM96 says so when it is asked for.
    let options = OpenOptions::default().with_vertical(Some(VerticalDatum::EGM96));
    let relief = Relief::open(&[silent], &options).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((relief.layers()[0].datum.as_str(), relief.source_datum(0)), ("EGM96 height", "not stated"));
}

/// Law: a raster that is read in windows, and one of a folder that is looked at in part, has the remarks that it has in memory, whatever
/// its means hide.
#[test]
fn rasters_in_windows_are_remarked_upon() {
    const SIDE: usize = 1500;
    type Values = fn(usize) -> f32;
    let cases: [(Values, &str); 4] = [
        (|k| if k % 50 == 0 { 0.0 } else { relief_m(k) }, "the lowest of all"),
        (|k| (1u32 << (k * 7919 / 8 % 8)) as f32, "directions of flow"),
        (|k| if k % 5003 == 0 { 77.5 } else { (1u32 << (k * 7919 / 8 % 8)) as f32 }, "directions of flow"),
        (relief_m, ""),
    ];
    for (values, word) in cases {
        let folder = TempDir::new().expect("a temporary folder");
        let file = folder.path().join("a.tif");
        let frame = Frame::north_up("EPSG:4326", (SIDE, SIDE), -150.0, 20.0, 0.001);
        frame.write::<f32>(&file, (0..SIDE * SIDE).map(values).collect()).close().expect("closed");
        write(&folder.path().join("b.tif"), 5, relief_m);
        let windows = OpenOptions::default().with_layer_bytes(4 << 20);
        for (opened, options) in
            [(file.as_path(), OpenOptions::default()), (file.as_path(), windows.clone()), (folder.path(), windows)]
        {
            let relief = Relief::open(&[opened.to_path_buf()], &options).unwrap_or_else(|e| panic!("{e}"));
            let said = relief.layers()[0].remarks.join("; ");
            assert!(said.contains(word) && said.is_empty() == word.is_empty(), "{word}, {opened:?}: {said}");
        }
    }
}

/// What was said on this thread.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<String>>>);

impl Subscriber for Said {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }
    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn event(&self, event: &Event<'_>) {
        let mut said = self.0.lock().expect("no panic before");
        event.record(&mut |_: &Field, value: &dyn Debug| said.push(format!("{value:?}")));
    }
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
}

/// Law: of many files not all are looked at when they are opened; one whose heights look wrong is remarked upon when it is read, once.
#[test]
fn files_are_remarked_upon_when_they_are_read() {
    const COUNT: usize = 130;
    const STRANGE: usize = 100;
    let folder = TempDir::new().expect("a temporary folder");
    for k in 0..COUNT {
        let value = |at: usize| if k == STRANGE && at.is_multiple_of(3) { -9999.0 } else { relief_m(at) };
        write(&folder.path().join(format!("piece-{k:03}.tif")), k, value);
    }
    let relief = Relief::open(&[folder.path().to_path_buf()], &OpenOptions::default()).expect("files");
    let info = &relief.layers()[0];
    assert_eq!((info.remarks.len(), relief.read_remarks().len()), (0, 0));
    let looked = "heights of 44 of 130 files were looked at";
    assert!(info.notes.iter().any(|note| note.starts_with(looked)), "{:?}", info.notes);
    let said = Said::default();
    tracing::subscriber::with_default(said.clone(), || {
        for k in [3, STRANGE, STRANGE] {
            for row in 0..9 {
                relief.sample(normal(-150.0 + 0.6 * k as f64 + 0.31, 19.95 - 0.05 * f64::from(row)));
            }
        }
    });
    // It is for whoever asked to tell it, or not.
    assert_eq!(*said.0.lock().expect("no panic"), [""; 0]);
    let said = relief.remarks(0).join("; ");
    assert_eq!(said.matches("exactly -9999").count(), 1, "{said}");
    assert!(said.contains("piece-100.tif"), "{said}");
    assert_eq!(relief.read_remarks(), [format!("{}: {said}", folder.path().display())]);
    // What was remarked upon before is not once more.
    let alone = TempDir::new().expect("a temporary folder");
    write(&alone.path().join("a.tif"), 0, |at| if at.is_multiple_of(3) { -20_000.0 } else { relief_m(at) });
    let relief = Relief::open(&[alone.path().to_path_buf()], &OpenOptions::default()).expect("a file");
    relief.sample(normal(-149.7, 19.7));
    assert_eq!((relief.layers()[0].remarks.len(), relief.read_remarks().len()), (1, 0));
    // Where there are remarks, too, and with headers that are remembered.
    let value = |at: usize| if at.is_multiple_of(3) { -9999.0 } else { relief_m(at) };
    write(&folder.path().join("piece-003.tif"), 3, value);
    let index = TempDir::new().expect("a temporary folder");
    for _ in 0..2 {
        let options = OpenOptions::default().with_index(Some(index.path().into()));
        let relief = Relief::open(&[folder.path().to_path_buf()], &options).expect("files");
        let info = &relief.layers()[0];
        assert!(info.remarks.iter().any(|remark| remark.contains("exactly -9999")), "{:?}", info.remarks);
        assert!(info.remarks.last().is_some_and(|last| last.starts_with(looked)), "{:?}", info.remarks);
    }
}

/// Law: ground whose shape fits elsewhere, with longitude and latitude exchanged, is remarked upon, alone and in a folder; level
/// ground has no shape.
#[test]
fn level_ground_is_not_swapped() {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("a.tif");
    let mut rng = random::rng();
    let mut said = |west: f64, north: f64, height_m: &mut dyn FnMut(f64, f64, &mut StdRng) -> f64| {
        let frame = Frame::north_up("EPSG:4326", (SIDE, SIDE), west, north, 0.02);
        let at = |k: usize| (west + 0.02 * ((k % SIDE) as f64 + 0.5), north - 0.02 * ((k / SIDE) as f64 + 0.5));
        let values = (0..SIDE * SIDE).map(|k| height_m(at(k).0, at(k).1, &mut rng) as f32).collect();
        frame.write::<f32>(&path, values).close().expect("closed");
        let [alone, within] = [path.as_path(), folder.path()].map(remarks);
        assert_eq!(alone.contains("wrong order"), within.contains("wrong order"), "{alone}, and in a folder {within}");
        alone
    };
    // The highlands of Ethiopia, and the Mediterranean with the axes exchanged.
    for level_m in [0.0, 7.0, -30.0] {
        let level = said(37.8, 11.0, &mut |_, _, _| level_m);
        assert!(!level.contains("wrong order"), "{level_m}: {level}");
        let rough = said(37.8, 11.0, &mut |_, _, rng| level_m + rng.random_range(-0.3..0.3));
        assert!(!rough.contains("wrong order"), "{level_m}: {rough}");
    }
    let exchanged = said(9.8, 39.0, &mut |lon, lat, _| EARTH.sample(normal(lat, lon)).height_m);
    assert!(exchanged.contains("wrong order"), "{exchanged}");
    let right = said(37.8, 11.0, &mut |lon, lat, _| EARTH.sample(normal(lon, lat)).height_m);
    assert!(!right.contains("wrong order"), "{right}");
}

/// Law: heights in feet that no file says are so are remarked upon where they are far from those of the Earth, in degrees and in metres on a
/// plane; heights in metres are not, nor feet whose file says so.
#[test]
fn feet_are_noticed() {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("feet.tif");
    let mut rng = random::rng();
    const RADIUS_M: f64 = 6_378_137.0;
    // Colorado, the Alps and Ethiopia.
    for (west, north) in [(-105.6, 39.0), (10.0, 46.6), (38.5, 10.5_f64)] {
        let in_degrees = move |x: f64, y: f64| (west + 0.01 * x, north - 0.01 * y);
        // Web Mercator, a kilometre a texel there.
        let corner_m = (RADIUS_M * west.to_radians(), RADIUS_M * north.to_radians().tan().asinh());
        let on_plane = move |x: f64, y: f64| {
            let (x_m, y_m) = (corner_m.0 + 1_000.0 * x, corner_m.1 - 1_000.0 * y);
            ((x_m / RADIUS_M).to_degrees(), (y_m / RADIUS_M).sinh().atan().to_degrees())
        };
        let degrees = Frame::north_up("EPSG:4326", (SIDE, SIDE), west, north, 0.01);
        let plane = Frame::north_up("EPSG:3857", (SIDE, SIDE), corner_m.0, corner_m.1, 1_000.0);
        let places: [&dyn Fn(f64, f64) -> (f64, f64); 2] = [&in_degrees, &on_plane];
        for (frame, place) in [degrees, plane].into_iter().zip(places) {
            for per_metre in [1.0, 1.0 / 0.3048] {
                let value = |k: usize| {
                    let (lon, lat) = place((k % SIDE) as f64 + 0.5, (k / SIDE) as f64 + 0.5);
                    (EARTH.sample(normal(lon, lat)).height_m + rng.random_range(-20.0..20.0)) * per_metre
                };
                let values: Vec<f32> = (0..SIDE * SIDE).map(value).map(|value| value as f32).collect();
                frame.write::<f32>(&path, values).close().expect("closed");
                let told = remarks(&path);
                assert_eq!(told.contains("taken as feet"), per_metre != 1.0, "{west} {north} {per_metre}: {told}");
                let options = OpenOptions::default().with_unit_m(Some(1.0 / per_metre));
                let relief = Relief::open(std::slice::from_ref(&path), &options).expect("a raster");
                assert!(!relief.layers()[0].remarks.concat().contains("taken as feet"));
            }
        }
    }
}
