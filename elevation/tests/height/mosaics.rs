//! Folders and lists of files as one layer: no seam inside, one edge outside, and only what is asked for is read.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use elevation::height::{HeightError, OpenOptions, Relief};
use rand::{Rng, SeedableRng, rngs::StdRng};
use tempfile::TempDir;

use super::places::EARTH;
use super::raster_files::{Field, Frame, normal};
use crate::random;

/// How the pieces of a frame meet.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Meeting {
    /// Each texel is in one file: the usual grid of cells.
    Abut,
    /// The last column of one file is the first of the next: SRTM.
    Share,
    /// Files overlap by 20 texels.
    Overlap,
}

/// Cuts a frame into `across * down` pieces and writes them.
fn pieces(
    folder: &Path,
    whole: &Frame,
    field: Field,
    (across, down): (usize, usize),
    meeting: Meeting,
) -> Vec<PathBuf> {
    let g = whole.geo_transform;
    let (w, h) = (whole.size.0 / across, whole.size.1 / down);
    let more = match meeting {
        Meeting::Abut => 0,
        Meeting::Share => 1,
        Meeting::Overlap => 20,
    };
    let mut files = Vec::new();
    for j in 0..down {
        for i in 0..across {
            let (p, l) = ((i * w) as f64, (j * h) as f64);
            let mut origin = [g[0] + g[1] * p + g[2] * l, g[3] + g[4] * p + g[5] * l];
            if whole.crs == "EPSG:4326" && origin[0] >= 180.0 {
                origin[0] -= 360.0;
            }
            let size = ((w + more).min(whole.size.0 - i * w), (h + more).min(whole.size.1 - j * h));
            let geo_transform = [origin[0], g[1], g[2], origin[1], g[4], g[5]];
            let piece = Frame { size, geo_transform, crs: whole.crs };
            files.push(piece.write_field(folder, &format!("piece-{j}-{i}.tif"), field));
        }
    }
    files
}

fn open(path: &Path, options: &OpenOptions) -> Result<Relief, HeightError> {
    LazyLock::force(&EARTH); // Kept alive, the embedded relief is decoded once.
    Relief::open(&[path.to_path_buf()], options)
}

/// Law: inside of the whole area a mosaic is the field, at seams, corners of files and everywhere else, whatever it takes
/// from memory; and nothing of the layer below shows through.
fn is_seamless(whole: &Frame, posting_deg: f64, meeting: Meeting) {
    let folder = TempDir::new().expect("a temporary folder");
    let field = Field::for_posting_deg(posting_deg);
    pieces(folder.path(), whole, field, (4, 3), meeting);
    // One budget holds everything, the other four files at a time.
    let small = OpenOptions::default().with_layer_bytes(4 * 5 * 250 * 250);
    for options in [OpenOptions::default(), small] {
        let relief = open(folder.path(), &options).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(relief.layers().len(), 2);
        let (w, h) = (whole.size.0 as f64, whole.size.1 as f64);
        let mut rng = StdRng::seed_from_u64(3);
        let mut texels: Vec<(f64, f64)> =
            (0..1500).map(|_| (rng.random_range(10.0..w - 10.0), rng.random_range(10.0..h - 10.0))).collect();
        // Along a seam of columns, along one of rows, and around a corner of four files.
        texels.extend(
            (0..400).map(|k| (0.5 * w + rng.random_range(-2.0..2.0), 10.0 + f64::from(k) * (h - 20.0) / 400.0)),
        );
        texels.extend(
            (0..400).map(|k| (10.0 + f64::from(k) * (w - 20.0) / 400.0, h / 3.0 + rng.random_range(-2.0..2.0))),
        );
        texels.extend((0..200).map(|_| (0.5 * w + rng.random_range(-2.0..2.0), h / 3.0 + rng.random_range(-2.0..2.0))));
        // File by file, as a user would ask: a small budget is spent on reading, not on thrashing.
        texels.sort_by_key(|(x, y)| ((x * 4.0 / w) as u32, (y * 3.0 / h) as u32));
        for ((lon, lat), texel) in whole.lon_lat(&texels).into_iter().zip(texels) {
            let n = normal(lon, lat);
            let (got, expected) = (relief.sample(n), field.height_m(n));
            assert_eq!(got.layer, 0, "{meeting:?} {texel:?}");
            assert!((got.height_m - expected).abs() < 1.0, "{meeting:?} {texel:?}: {} {expected}", got.height_m);
        }
        assert_eq!(relief.failure(), None);
    }
}

/// Law: the parts of the four files around a corner stay in memory together, however small the budget: places there need all of them.
#[test]
fn files_around_a_corner_are_kept() {
    let folder = TempDir::new().expect("a temporary folder");
    let frame = Frame::north_up("EPSG:4326", (600, 600), 5.0, 48.0, 0.01);
    pieces(folder.path(), &frame, Field::for_posting_deg(0.01), (2, 2), Meeting::Share);
    let relief = open(folder.path(), &OpenOptions::default().with_layer_bytes(10_000)).expect("files");
    // All four; the largest has half of it.
    let parts = 230_000;
    for texel in [(299.4, 299.6), (300.2, 300.3)] {
        let (lon, lat) = frame.lon_lat(&[texel])[0];
        relief.sample(normal(lon, lat));
        let held = relief.memory_use()[0].expect("a budget").bytes;
        assert!(held >= parts, "{held} of {parts}");
    }
}

/// Law: how much memory there is changes no answer.
#[test]
fn files_in_parts_are_those_in_full() {
    let frame = Frame::north_up("EPSG:4326", (700, 500), 5.0, 48.0, 0.01);
    let field = Field::for_posting_deg(0.01);
    for meeting in [Meeting::Abut, Meeting::Share, Meeting::Overlap] {
        let folder = TempDir::new().expect("a temporary folder");
        pieces(folder.path(), &frame, field, (2, 2), meeting);
        let [full, parts] = [1 << 28, 400_000]
            .map(|bytes| open(folder.path(), &OpenOptions::default().with_layer_bytes(bytes)).expect("files"));
        let mut rng = StdRng::seed_from_u64(4);
        let mut near = |middle: f64, reach: f64| middle + rng.random_range(-reach..reach);
        // Anywhere and beyond, along both seams, where four files meet, and where four parts do.
        let mut texels: Vec<(f64, f64)> = (0..600).map(|_| (near(350.0, 360.0), near(250.0, 260.0))).collect();
        texels.extend((0..200).map(|_| (near(350.0, 3.0), near(250.0, 250.0))));
        texels.extend((0..200).map(|_| (near(350.0, 350.0), near(250.0, 3.0))));
        texels.extend((0..200).map(|_| (near(350.0, 3.0), near(250.0, 3.0))));
        texels.extend((0..200).map(|_| (near(128.0, 3.0), near(128.0, 3.0))));
        texels.sort_by_key(|(x, y)| ((x / 128.0) as i32, (y / 128.0) as i32));
        for ((lon, lat), texel) in frame.lon_lat(&texels).into_iter().zip(texels) {
            let [expected, found] = [&full, &parts].map(|relief| relief.sample(normal(lon, lat)));
            assert!(
                (found.height_m - expected.height_m).abs() < 1e-6
                    && (found.share - expected.share).abs() < 1e-6
                    && found.layer == expected.layer,
                "{meeting:?} {texel:?}: {found:?}, not {expected:?}"
            );
        }
    }
}

#[test]
fn files_that_abut() {
    is_seamless(&Frame::north_up("EPSG:4326", (400, 300), 5.0, 48.0, 0.01), 0.01, Meeting::Abut);
    is_seamless(&Frame::north_up("EPSG:32633", (400, 300), 400_000.0, 5_300_000.0, 100.0), 0.0009, Meeting::Abut);
}

#[test]
fn files_that_share_their_edges_or_overlap() {
    let frame = Frame::north_up("EPSG:4326", (400, 300), 5.0, 48.0, 0.01);
    is_seamless(&frame, 0.01, Meeting::Share);
    is_seamless(&frame, 0.01, Meeting::Overlap);
}

#[test]
fn across_the_antimeridian() {
    is_seamless(&Frame::north_up("EPSG:4326", (400, 300), 178.0, -15.0, 0.01), 0.01, Meeting::Abut);
}

#[test]
fn the_outer_edge_and_voids_fade_out() {
    let folder = TempDir::new().expect("a temporary folder");
    let west = (-150.0, 20.0);
    for i in 0..2 {
        let frame = Frame::north_up("EPSG:4326", (50, 50), west.0 + 0.5 * f64::from(i), west.1, 0.01);
        let hole = |k: usize| i == 1 && (10..35).contains(&(k % 50)) && (10..35).contains(&(k / 50));
        let values = (0..2500).map(|k| if hole(k) { f32::NAN } else { 3000.0 }).collect();
        frame.write::<f32>(&folder.path().join(format!("{i}.tif")), values).close().expect("closed");
    }
    let options = OpenOptions::default().with_feather_texels(Some(8));
    let relief = open(folder.path(), &options).unwrap();
    let at = |column: f64| relief.sample(normal(west.0 + 0.01 * (column + 0.5), west.1 - 0.225));
    // From the sea up the western edge, over the seam at column 50, into the hole at 60 and out, down the eastern edge.
    assert_eq!((at(-9.0).layer, at(30.0).height_m, at(49.5).height_m, at(50.0).height_m), (1, 3000.0, 3000.0, 3000.0));
    assert_eq!((at(72.0).layer, at(109.0).layer), (1, 1));
    let mut last = at(-9.0).height_m;
    for k in 0..12_000 {
        let next = at(-9.0 + 0.01 * f64::from(k)).height_m;
        assert!((next - last).abs() < 20.0, "{k}: {last} {next}");
        last = next;
    }
}

#[test]
fn only_files_that_are_asked_for_are_read() {
    let folder = TempDir::new().expect("a temporary folder");
    let whole = Frame::north_up("EPSG:4326", (400, 300), 5.0, 48.0, 0.01);
    let files = pieces(folder.path(), &whole, Field::for_posting_deg(0.01), (4, 3), Meeting::Abut);
    let relief = open(folder.path(), &OpenOptions::default()).unwrap();
    // The last piece is gone: nobody notices, until somebody goes there.
    fs::remove_file(files.last().unwrap()).unwrap();
    let near = relief.sample(normal(5.5, 47.5));
    assert_eq!((near.layer, relief.failure()), (0, None));
    let there = relief.sample(normal(8.5, 45.5));
    assert_eq!(there.layer, 1, "the relief below answers");
    let failure = relief.failure().expect("it is known").to_string();
    assert!(failure.contains("piece-2-3.tif"), "{failure}");
    assert!(relief.posting_m(normal(5.5, 47.5)) < 1200.0 && relief.posting_m(normal(20.0, 47.5)) > 9000.0);
}

/// Law: an answer has the datum of the file that gives it, and the one that was asked for where one was.
#[test]
fn files_of_two_datums() {
    let folder = TempDir::new().expect("a temporary folder");
    for (name, crs, west) in [("a.tif", "EPSG:4326+5773", 5.0), ("b.tif", "EPSG:4326", 6.0)] {
        let frame = Frame::north_up(crs, (20, 20), west, 48.0, 0.01);
        frame.write::<f32>(&folder.path().join(name), vec![100.0; 400]).close().expect("closed");
    }
    let relief = open(folder.path(), &OpenOptions::default()).unwrap();
    let datum = |lon_deg: f64| relief.source_at(0, normal(lon_deg, 47.9)).datum.to_owned();
    assert_eq!([5.1, 6.1].map(datum), ["EGM96 height", "not stated"]);
}

#[test]
fn folders_hold_other_things_too() {
    let folder = TempDir::new().expect("a temporary folder");
    let inner = folder.path().join("north/west");
    fs::create_dir_all(&inner).unwrap();
    let whole = Frame::north_up("EPSG:4326", (60, 60), 5.0, 48.0, 0.01);
    pieces(&inner, &whole, Field::for_posting_deg(0.01), (2, 1), Meeting::Abut);
    fs::write(folder.path().join("README.txt"), "Heights of the year 2020.\n").unwrap();
    let relief = open(folder.path(), &OpenOptions::default()).unwrap();
    let info = &relief.layers()[0];
    assert!(
        info.notes[0].starts_with("2 files") && info.notes.iter().any(|n| n.starts_with("1 files in it")),
        "{info:?}"
    );
    assert_eq!((info.driver.as_str(), info.crs.as_str()), ("mosaic of GTiff", "WGS 84"));
    let expected = [5.0, 47.4, 5.6, 48.0];
    assert!(info.bbox_deg.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{:?}", info.bbox_deg);
    // A list, with paths beside it.
    let list = folder.path().join("files.txt");
    fs::write(&list, "# the west\nnorth/west/piece-0-0.tif\n\n").unwrap();
    let listed = open(Path::new(&format!("@{}", list.display())), &OpenOptions::default()).unwrap();
    assert_eq!((listed.sample(normal(5.15, 47.7)).layer, listed.sample(normal(5.5, 47.7)).layer), (0, 1));
    // A damaged file among good ones is an error, not a gap.
    fs::write(inner.join("piece-0-9.tif"), "no raster").unwrap();
    let error = open(folder.path(), &OpenOptions::default()).unwrap_err();
    assert!(matches!(&error, HeightError::Bad { others: 0, .. }), "{error}");
    assert!(error.to_string().contains("piece-0-9.tif") && error.to_string().contains("--skip-bad"), "{error}");
    // Nothing to see.
    let empty = TempDir::new().unwrap();
    fs::write(empty.path().join("a.txt"), "text").unwrap();
    let error = open(empty.path(), &OpenOptions::default()).unwrap_err();
    assert!(error.to_string().contains("no raster in it"), "{error}");
    let error = open(Path::new("@missing.txt"), &OpenOptions::default()).unwrap_err();
    assert!(error.to_string().contains("missing.txt"), "{error}");
}

/// Law: a file of which parts are read, for places that are far apart, answers as the whole file in memory does: inside, along seams
/// and around corners, beside voids narrow and wide, and beyond the outer edges.
#[test]
fn parts_of_files_are_as_the_files() {
    let folder = TempDir::new().expect("a temporary folder");
    let mut rng = random::rng();
    for (round, meeting) in [Meeting::Abut, Meeting::Share, Meeting::Overlap].into_iter().enumerate() {
        let within = folder.path().join(round.to_string());
        fs::create_dir(&within).expect("a folder");
        let posting_deg = 0.002;
        let whole = Frame::north_up("EPSG:4326", (420, 240), 7.0, 47.0, posting_deg);
        let voids: Vec<(f64, f64, f64)> = (0..30)
            .map(|_| (rng.random_range(0.0..420.0), rng.random_range(0.0..240.0), rng.random_range(0.4..14.0)))
            .collect();
        let more = [0, 1, 20][round];
        for (j, i) in (0..2).flat_map(|j| (0..2).map(move |i| (j, i))) {
            let origin = [7.0 + posting_deg * f64::from(210 * i), 47.0 - posting_deg * f64::from(120 * j)];
            let size = (210 + if i == 0 { more } else { 0 }, 120 + if j == 0 { more } else { 0 });
            let piece = Frame::north_up("EPSG:4326", size, origin[0], origin[1], posting_deg);
            let value = |k: usize| {
                let (x, y) = ((k % size.0) as f64 + f64::from(210 * i), (k / size.0) as f64 + f64::from(120 * j));
                let is_void = voids.iter().any(|(cx, cy, r)| (x - cx).hypot(y - cy) < *r);
                if is_void { f32::NAN } else { (40.0 * (x * 0.7).sin() + 900.0 + y) as f32 }
            };
            let path = within.join(format!("{j}{i}.tif"));
            piece.write::<f32>(&path, (0..size.0 * size.1).map(value).collect()).close().expect("closed");
        }
        let opened = || open(&within, &OpenOptions::default()).unwrap_or_else(|e| panic!("{e}"));
        let (mut parts, full) = (opened(), opened());
        let mut blended = 0;
        for k in 0..1_200 {
            if k % 3 == 0 {
                // Files as small as these are read in full after three small parts.
                parts = opened();
            }
            let (x, y) = match k % 3 {
                0 => (rng.random_range(-8.0..428.0), rng.random_range(-8.0..248.0)),
                1 => (210.0 + rng.random_range(-30.0..30.0), rng.random_range(-8.0..248.0)),
                _ => (rng.random_range(-8.0..428.0), 120.0 + rng.random_range(-30.0..30.0)),
            };
            let [(lon, lat)] = whole.lon_lat(&[(x, y)])[..] else { panic!("one place") };
            let n = normal(lon, lat);
            let (part, file) = (parts.sample_spaced(n, 1e5), full.sample(n));
            blended += u32::from(file.share < 1.0 || file.filled);
            assert!(
                (part.height_m - file.height_m).abs() < 1e-3 && (part.share - file.share).abs() < 1e-9,
                "{meeting:?} at {x}, {y}: {part:?}, {file:?}"
            );
            assert_eq!((part.layer, part.filled), (file.layer, file.filled), "{meeting:?} at {x}, {y}");
        }
        assert!(blended > 100, "{blended}: no void was met");
        assert_eq!((parts.failure(), full.failure()), (None, None));
    }
}
