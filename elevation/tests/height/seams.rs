//! Files on one lattice as one layer: heights around their seams are those of one file that holds all of them.

use std::{path::Path, sync::Arc};

use elevation::{
    height::{OpenOptions, Region, Relief, SourceAt},
    surface::Surface,
};
use rand::{Rng, rngs::StdRng};
use tempfile::TempDir;

use super::raster_files::{Frame, normal};
use crate::random;

/// Postings that two files next to each other have in common.
#[derive(Clone, Copy, Debug)]
struct Shared(usize);

/// Cuts a raster into four files, by a column and a row.
fn cut(folder: &Path, whole: &Frame, values: &[f32], at: (usize, usize), Shared(shared): Shared) {
    let g = whole.geo_transform;
    let (w, h) = whole.size;
    for (j, (top, bottom)) in [(0, at.1 + shared), (at.1, h)].into_iter().enumerate() {
        for (i, (left, right)) in [(0, at.0 + shared), (at.0, w)].into_iter().enumerate() {
            let (p, l) = (left as f64, top as f64);
            let mut west = g[0] + g[1] * p;
            if whole.crs == "EPSG:4326" && west >= 180.0 {
                west -= 360.0;
            }
            let geo_transform = [west, g[1], 0.0, g[3] + g[5] * l, 0.0, g[5]];
            let piece = Frame { size: (right - left, bottom - top), geo_transform, crs: whole.crs };
            let values = (top..bottom).flat_map(|y| values[y * w + left..y * w + right].iter().copied()).collect();
            piece.write::<f32>(&folder.join(format!("{j}{i}.tif")), values).close().expect("closed");
        }
    }
}

/// Law: at and between postings on both sides of the seams of files on one lattice, and where four of them meet, heights, shares and
/// filled voids are those of one file that holds all: whether files abut, share their edges or overlap, are read in full or in
/// parts, and whatever voids lie across the seams. Bounds hold what is answered.
#[test]
fn seams_are_as_in_one_file() {
    let mut rng = random::rng();
    let degrees = || Frame::north_up("EPSG:4326", (620, 520), -150.0, 20.0, 0.001);
    let over_the_antimeridian = || Frame::north_up("EPSG:4326", (620, 520), 179.69, 20.0, 0.001);
    let metres = || Frame::north_up("EPSG:32633", (620, 520), 400_000.0, 5_300_000.0, 100.0);
    for (round, (frame, shared, voids, most_m)) in [
        (degrees(), 0, 0, 1e-3),
        (degrees(), 0, 25, 1e-3),
        (degrees(), 1, 0, 1e-3),
        (degrees(), 1, 25, 1e-3),
        (degrees(), 20, 25, 1e-3),
        (over_the_antimeridian(), 0, 25, 1e-3),
        // Each file has a table of its own where it lies, right to a thousandth of a texel.
        (metres(), 0, 0, 0.2),
        (metres(), 1, 25, 0.2),
    ]
    .into_iter()
    .enumerate()
    {
        let folder = TempDir::new().expect("a temporary folder");
        let (w, h) = frame.size;
        let at = (300 + rng.random_range(0..20), 250 + rng.random_range(0..20));
        let mut values: Vec<f32> = (0..w * h).map(|_| 1000.0 + rng.random_range(0..100) as f32).collect();
        for _ in 0..voids {
            // Narrow and wide ones, most of them on the seams.
            let (mut x, mut y) = (rng.random_range(0.0..w as f64), rng.random_range(0.0..h as f64));
            let radius: f64 = if rng.random() { rng.random_range(0.4..6.0) } else { rng.random_range(8.0..14.0) };
            match rng.random_range(0..4) {
                0 => x = at.0 as f64 + rng.random_range(-9.0..9.0),
                1 => y = at.1 as f64 + rng.random_range(-9.0..9.0),
                2 => (x, y) = (at.0 as f64 + rng.random_range(-9.0..9.0), at.1 as f64 + rng.random_range(-9.0..9.0)),
                _ => {}
            }
            for (k, v) in values.iter_mut().enumerate() {
                if ((k % w) as f64 - x).hypot((k / w) as f64 - y) < radius {
                    *v = f32::NAN;
                }
            }
        }
        let one = folder.path().join("one.tif");
        frame.write::<f32>(&one, values.clone()).close().expect("closed");
        let pieces = folder.path().join("pieces");
        std::fs::create_dir(&pieces).expect("a folder");
        cut(&pieces, &frame, &values, at, Shared(shared));
        let options = OpenOptions::default().with_feather_texels(Some(6));
        let open = |path: &Path, options: &OpenOptions| Relief::open(&[path.to_path_buf()], options).expect("opens");
        let whole = open(&one, &options);
        // In full, and in parts of 128 columns and rows.
        for (budget, files) in
            [1 << 28, 400_000].map(|bytes| (bytes, open(&pieces, &options.clone().with_layer_bytes(bytes))))
        {
            let mut texels = Vec::new();
            for _ in 0..900 {
                let near =
                    |rng: &mut StdRng, middle: usize| middle as f64 + rng.random_range(-4.0..4.0 + shared as f64);
                let any = |rng: &mut StdRng, size: usize| rng.random_range(0.5..size as f64 - 0.5);
                let mut place = match rng.random_range(0..3) {
                    0 => [near(&mut rng, at.0), any(&mut rng, h)],
                    1 => [any(&mut rng, w), near(&mut rng, at.1)],
                    _ => [near(&mut rng, at.0), near(&mut rng, at.1)],
                };
                if rng.random() {
                    // On a posting.
                    place = place.map(|x: f64| x.floor() + 0.5);
                }
                texels.push((place[0], place[1]));
            }
            // Part by part, as a small budget wants it.
            texels.sort_by_key(|(x, y)| ((x / 128.0) as i32, (y / 128.0) as i32));
            let (mut same, mut worst) = (0, 0f64);
            for ((lon, lat), texel) in frame.lon_lat(&texels).into_iter().zip(&texels) {
                let n = normal(lon, lat);
                let (expected, found) = (whole.sample(n), files.sample(n));
                let off_m = (found.height_m - expected.height_m).abs();
                worst = worst.max(off_m);
                let told = format!("{round}: {shared} shared, {voids} voids, {budget} bytes, {texel:?} round {at:?}");
                // What lies below is thousands of metres lower, so that a share that is a thousandth off would be metres.
                assert!(off_m <= most_m || (most_m > 0.1 && expected.share < 1.0), "{told}: {found:?} {expected:?}");
                same += usize::from(found.filled == expected.filled && (found.share - expected.share).abs() < 1e-6);
                let (low_m, high_m) = files.bounds_m(&Region::cap(n, 2e-6));
                assert!(low_m <= found.height_m && found.height_m <= high_m, "{told}: {low_m} {high_m}");
            }
            // Texels are found to a thousandth, within which a posting is itself or beside a void.
            assert!(same >= if most_m > 0.1 { 840 } else { 900 }, "{round}: {same}, {worst}");
            assert_eq!(files.failure(), None);
        }
    }
}

/// Law: where files of one lattice overlap, a posting that one of them has is the answer, though the other fills a void there; bounds hold
/// what is answered.
#[test]
fn what_one_file_has_no_other_fills() {
    let mut rng = random::rng();
    let frame = Frame::north_up("EPSG:4326", (220, 160), -100.0, 40.0, 0.001);
    let (w, h) = frame.size;
    let values: Vec<f32> = (0..w * h).map(|_| rng.random_range(1000..1500) as f32).collect();
    // Columns that each of two files has: most of them are in both.
    let columns = [(0, 190), (30, w)];
    for side in [1, 4, 14] {
        let folder = TempDir::new().expect("a temporary folder");
        // Voids of one file lie where the other has none.
        let mut is_void = [vec![false; w * h], vec![false; w * h]];
        for k in 0..8 {
            let (x, y) = (rng.random_range(40 + 2 * side..160 - 2 * side), 20 * k + rng.random_range(0..20 - side));
            (0..side * side).for_each(|at| is_void[k % 2][(y.min(h - side) + at / side) * w + x + at % side] = true);
        }
        for (file, (left, right)) in columns.into_iter().enumerate() {
            let part = Frame {
                size: (right - left, h),
                geo_transform: [-100.0 + 0.001 * left as f64, 0.001, 0.0, 40.0, 0.0, -0.001],
                crs: frame.crs,
            };
            let own = |k: usize| if is_void[file][k] { f32::NAN } else { values[k] };
            let values = (0..h).flat_map(|y| (left..right).map(move |x| y * w + x)).map(own).collect();
            part.write::<f32>(&folder.path().join(format!("{file}.tif")), values).close().expect("closed");
        }
        let files = Relief::open(&[folder.path().to_path_buf()], &OpenOptions::default()).expect("opens");
        let voids = (0..w * h).filter(|k| is_void[0][*k] || is_void[1][*k]).map(|k| (k % w, k / w));
        for (x, y) in voids.chain((0..200).map(|_| (rng.random_range(0..w), rng.random_range(0..h)))) {
            let [(lon, lat)] = frame.lon_lat(&[(x as f64 + 0.5, y as f64 + 0.5)])[..] else { panic!("one place") };
            let (n, expected) = (normal(lon, lat), f64::from(values[y * w + x]));
            let found = files.sample(n);
            assert!((found.height_m - expected).abs() < 1e-3, "{side}: {x} {y}: {found:?}, not {expected}");
            assert!(!found.filled, "{side}: {x} {y}: {found:?}");
            let (low_m, high_m) = files.bounds_m(&Region::cap(n, 2e-6));
            assert!(low_m <= found.height_m && found.height_m <= high_m, "{side}: {x} {y}: {low_m} {high_m}");
        }
    }
}

/// Law: where files of one lattice overlap and differ, the first by name answers from 8 postings inside of it on, along edges of both too, each posting is a
/// height of one of them or told to be blended of both, with the larger share; heights have no step, bounds hold them, and the
/// difference is remarked upon. Of files that agree, none of this.
#[test]
fn files_that_overlap_and_differ() {
    let mut rng = random::rng();
    for (step_m, bytes) in [(50f32, 1 << 28), (50.0, 60_000), (0.0, 1 << 28)] {
        let folder = TempDir::new().expect("a temporary folder");
        let values: Vec<f32> = (0..140 * 90).map(|_| rng.random_range(1000..1003) as f32).collect();
        let own = |left: usize, more_m: f32| -> Vec<f32> {
            (0..90).flat_map(|y| (left..left + 100).map(move |x| y * 140 + x)).map(|k| values[k] + more_m).collect()
        };
        for (name, left, more_m) in [("b.tif", 0, step_m), ("a.tif", 40, 0.0)] {
            let frame = Frame::north_up("EPSG:4326", (100, 90), -150.0 + 0.001 * left as f64, 20.0, 0.001);
            frame.write::<f32>(&folder.path().join(name), own(left, more_m)).close().expect("closed");
        }
        let options = OpenOptions::default().with_layer_bytes(bytes);
        let relief = Relief::open(&[folder.path().to_path_buf()], &options).expect("opens");
        let surface = Surface::new(Arc::new(relief));
        let relief = surface.relief();
        let remarks = relief.layers()[0].remarks.join("; ");
        let expected = "files that overlap differ at 5400 of 5400 postings that were compared in 1 overlap, by up to 50.00 m (a.tif, b.tif)";
        assert_eq!(remarks.contains(expected), step_m > 0.0, "{remarks}");
        assert_eq!(remarks.is_empty(), step_m == 0.0, "{remarks}");
        let whole = Frame::north_up("EPSG:4326", (140, 90), -150.0, 20.0, 0.001);
        let mut blended = 0;
        for (y, x) in (0..90).flat_map(|y| (0..140).map(move |x| (y, x))) {
            let [(lon, lat)] = whole.lon_lat(&[(x as f64 + 0.5, y as f64 + 0.5)])[..] else { panic!("one place") };
            let n = normal(lon, lat);
            let found = relief.sample(n);
            let [a, b] = [0.0, step_m].map(|more_m| f64::from(values[y * 140 + x] + more_m));
            let (off_a, off_b) = ((found.height_m - a).abs(), (found.height_m - b).abs());
            let told = format!("{step_m}, {bytes}: {x} {y}: {found:?}, {a} or {b}");
            assert!(x >= 40 || off_b < 1e-3, "{told}");
            assert!(x < 47 || off_a < 1e-3, "{told}");
            let SourceAt { name, blended_with: other, .. } = relief.source_at(0, n);
            let share = surface.ground(n).provenance.share;
            if off_a.min(off_b) < 1e-3 {
                assert!(
                    name.ends_with(if off_a <= off_b && x >= 40 { "a.tif" } else { "b.tif" }) || step_m == 0.0,
                    "{told}"
                );
                assert_eq!((other, share), (None, 1.0), "{told}");
            } else {
                blended += 1;
                // Half of each: either.
                if (off_a - off_b).abs() < 0.01 {
                    continue;
                }
                let (most, next) = if off_a < off_b { ("a.tif", "b.tif") } else { ("b.tif", "a.tif") };
                assert!(name.ends_with(most) && other.is_some_and(|other| other.ends_with(next)), "{told}");
                assert!((share - off_a.max(off_b) / 50.0).abs() < 1e-3, "{told}: {share}");
            }
            let (low_m, high_m) = relief.bounds_m(&Region::cap(n, 2e-6));
            assert!(low_m <= found.height_m && found.height_m <= high_m, "{told}: {low_m} {high_m}");
        }
        assert_eq!(blended > 0, step_m > 0.0);
        let mut last = None::<f64>;
        for k in 0..10_000 {
            let height_m = relief.sample(normal(-149.97 + 0.000_003 * f64::from(k), 19.955)).height_m;
            // The data change by 3 m in a posting, and files go over to each other in eight.
            assert!(last.is_none_or(|last| (height_m - last).abs() < 0.7), "{k}: {last:?} {height_m}");
            last = Some(height_m);
        }
    }
}

/// Two files of other lattices in a folder, beside the sea floor thousands of metres below: where the second one lies.
struct Pair {
    what: &'static str,
    fine: Frame,
    coarse: Frame,
    /// Heights of the coarse file above those of the fine one.
    step_m: f64,
    /// Whether all of its postings are beyond the fine file.
    is_beside: bool,
}

fn pairs() -> Vec<Pair> {
    let degrees = |size, west, posting| Frame::north_up("EPSG:4326", size, west, 20.0, posting);
    let pair = |what, coarse, step_m, is_beside| {
        let fine = degrees((100, 90), -150.0, 0.001);
        Pair { what, fine, coarse, step_m, is_beside }
    };
    vec![
        pair("three times as coarse", degrees((50, 30), -149.9, 0.003), 60.0, true),
        pair("thirty times as coarse", degrees((20, 3), -149.9, 0.03), 60.0, true),
        pair("another phase", degrees((100, 90), -149.8997, 0.001), 60.0, true),
        pair("nodes that are shared", degrees((50, 31), -149.9025, 0.003), 60.0, false),
        pair("an overlap", degrees((60, 30), -149.95, 0.003), 60.0, false),
        pair("a patch of fine data", Frame::north_up("EPSG:4326", (100, 90), -150.1, 20.06, 0.003), 60.0, false),
        Pair {
            what: "another zone",
            fine: Frame::north_up("EPSG:32606", (100, 90), 186_500.0, 2_213_000.0, 90.0),
            coarse: degrees((200, 90), -149.98, 0.001),
            step_m: 60.0,
            is_beside: false,
        },
    ]
}

/// Law: of files on different lattices each valid posting of the finest there is the answer, and of both where they lie side by side;
/// heights go over from one to the other without a step, never beyond the two, and nothing of what lies below shows between
/// them. Bounds hold what is answered. So it is whether files are read in full or in parts.
#[test]
fn seams_of_other_lattices() {
    let mut rng = random::rng();
    for Pair { what, fine, coarse, step_m, is_beside } in pairs() {
        let folder = TempDir::new().expect("a temporary folder");
        let values = |frame: &Frame, base: f64, rng: &mut StdRng| -> Vec<f32> {
            (0..frame.size.0 * frame.size.1).map(|_| (base + rng.random_range(0.0..3.0)) as f32).collect()
        };
        let (fine_m, coarse_m) = (values(&fine, 1000.0, &mut rng), values(&coarse, 1000.0 + step_m, &mut rng));
        fine.write::<f32>(&folder.path().join("b.tif"), fine_m.clone()).close().expect("closed");
        coarse.write::<f32>(&folder.path().join("a.tif"), coarse_m.clone()).close().expect("closed");
        for bytes in [1 << 28, 60_000] {
            let options = OpenOptions::default().with_layer_bytes(bytes);
            let relief = Relief::open(&[folder.path().to_path_buf()], &options).expect("opens");
            // Postings, row by row.
            let on_degrees = fine.crs == "EPSG:4326";
            for (frame, values) in [(&fine, &fine_m), (&coarse, &coarse_m)] {
                let is_fine = std::ptr::eq(frame, &raw const fine);
                if !is_fine && !is_beside {
                    continue;
                }
                let (w, h) = frame.size;
                let centres: Vec<_> = (0..w * h).map(|k| ((k % w) as f64 + 0.5, (k / w) as f64 + 0.5)).collect();
                for ((lon, lat), value) in frame.lon_lat(&centres).into_iter().zip(values) {
                    let found = relief.sample(normal(lon, lat));
                    // Another system is tabulated to a thousandth of a texel.
                    let most_m = if on_degrees { 1e-3 } else { 0.02 };
                    assert!(
                        (found.height_m - f64::from(*value)).abs() < most_m && !found.filled && found.share == 1.0,
                        "{what}, {bytes}: {value} m at {lon}, {lat}: {found:?}"
                    );
                }
            }
            // Across the seam.
            let [(east, lat)] = fine.lon_lat(&[(100.0, 45.0)])[..] else { panic!("one place") };
            let (mut last, mut worst) = (None::<f64>, 0f64);
            for k in 0..8_000 {
                let lon = east + 0.00001 * f64::from(k - 4_000);
                let n = normal(lon, lat);
                let found = relief.sample(n);
                assert!((999.0..1000.0 + step_m + 4.0).contains(&found.height_m), "{what} at {lon}: {found:?}");
                assert_eq!((found.layer, found.share), (0, 1.0), "{what} at {lon}");
                let (low_m, high_m) = relief.bounds_m(&Region::cap(n, 1e-7));
                assert!(low_m <= found.height_m && found.height_m <= high_m, "{what} at {lon}");
                worst = worst.max(last.map_or(0.0, |last| (found.height_m - last).abs()));
                last = Some(found.height_m);
            }
            // In a hundredth of a fine texel at most a fiftieth of the step, and what the data rise.
            assert!(worst <= step_m / 50.0 + 0.1, "{what}: {worst} m at once");
            assert_eq!(relief.failure(), None);
        }
    }
}

/// Law: where a coarse file lies below a fine one, the step between them is spread over the blend beside the fine one.
#[test]
fn steps_are_spread_outside_of_the_finer_file() {
    let folder = TempDir::new().expect("a temporary folder");
    let fine = Frame::north_up("EPSG:4326", (100, 90), -150.0, 20.0, 0.001);
    let coarse = Frame::north_up("EPSG:4326", (100, 90), -150.1, 20.06, 0.003);
    fine.write::<f32>(&folder.path().join("fine.tif"), vec![1000.0; 9_000]).close().expect("closed");
    coarse.write::<f32>(&folder.path().join("coarse.tif"), vec![1100.0; 9_000]).close().expect("closed");
    let options = OpenOptions::default().with_feather_texels(Some(10));
    let relief = Relief::open(&[folder.path().to_path_buf()], &options).expect("opens");
    for k in 0..=120 {
        let texels = 0.1 * f64::from(k);
        let found = relief.sample(normal(-149.9 - 0.0005 + 0.001 * texels, 19.955));
        let expected = 1000.0 + 10.0 * texels.min(10.0);
        assert!((found.height_m - expected).abs() < 0.1 && found.share == 1.0, "{texels}: {found:?}");
        if k != 100 {
            assert_eq!(found.filled, k > 0 && k < 100, "{texels}: {found:?}");
        }
    }
}

/// Law: in a view of the whole the height at the seam of two files is between the means on both sides of it, and goes evenly from one
/// to the other; nothing of what lies below shows.
#[test]
fn means_at_seams_are_of_both_files() {
    for coarser in [1, 3] {
        let folder = TempDir::new().expect("a temporary folder");
        let side = 600 / coarser;
        let posting = 0.001 * coarser as f64;
        // Each file rises eastwards by 600 m, and falls back at the seam.
        for (name, west, side, posting) in [("a.tif", -150.0, 600, 0.001), ("b.tif", -149.4, side, posting)] {
            let frame = Frame::north_up("EPSG:4326", (side, side), west, 20.0, posting);
            let rise = 600.0 / side as f32;
            let values = (0..side * side).map(|k| 1000.0 + rise * (0.5 + (k % side) as f32)).collect();
            frame.write::<f32>(&folder.path().join(name), values).close().expect("closed");
        }
        // Overviews of 44 columns or so.
        let options = OpenOptions::default().with_layer_bytes(200_000);
        let relief = Relief::open(&[folder.path().to_path_buf()], &options).expect("opens");
        let at = |texels: f64| relief.overview_m(normal(-149.4 + 0.001 * texels, 19.7), 1e4);
        let middle = at(0.0);
        assert!((middle - 1300.0).abs() < 20.0, "{coarser}: {middle}");
        let mut last = at(-60.0);
        for k in -599..600 {
            let next = at(0.1 * f64::from(k));
            assert!((990.0..=1610.0).contains(&next), "{coarser}: {next} at {k}");
            // Over a texel of an overview, 13 of the file's, 600 m: in its steepest part twice as fast.
            assert!((next - last).abs() < 0.1 * 600.0 / 13.0 * 3.0, "{coarser}: from {last} to {next} at {k}");
            last = next;
        }
    }
}
