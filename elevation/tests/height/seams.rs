//! Files on one lattice as one layer: heights around their seams are those of one file that holds all of them.

use std::path::Path;

use elevation::height::{OpenOptions, Region, Relief};
use rand::{Rng, SeedableRng, rngs::StdRng};
use tempfile::TempDir;

use super::raster_files::{Frame, normal};

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
    let mut rng = StdRng::seed_from_u64(rand::random());
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
