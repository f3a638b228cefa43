//! Packs say where heights of what they were made from are filled, and which files of a folder are blended.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, LazyLock},
};

use elevation::{
    bake::{Bake, BakeOptions, verify},
    height::{OpenOptions, Relief},
    surface::Surface,
    tile::posting_m,
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use tempfile::TempDir;

use super::raster_files::{Frame, normal};

/// The embedded relief as a pack of six tiles: what lies below, so that packs are small.
static BELOW: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| {
    let folder = TempDir::new().expect("a temporary folder");
    let pack = folder.path().join("below.pack");
    let options = BakeOptions::default().with_max_level(Some(0));
    Bake::new(&[], &OpenOptions::default(), &options).expect("a relief").run(&pack, false, &mut |_| {}).expect("baked");
    (folder, pack)
});

/// A surface of a source over what lies below, and that of a pack made of both, which is sound.
fn both(source: &Path, options: &OpenOptions) -> (Surface, Surface) {
    let folder = TempDir::new().expect("a temporary folder");
    let pack = folder.path().join("a.pack");
    let files = [source.to_path_buf(), BELOW.1.clone()];
    let bake = Bake::new(&files, options, &BakeOptions::default()).expect("a source");
    bake.run(&pack, false, &mut |_| {}).expect("baked");
    let (_, found) = verify(&pack, &|_| {}).expect("a pack");
    assert_eq!(found.bad, 0, "{found:?}");
    let of_source = Relief::open(&files, options).expect("a raster");
    let of_pack = Relief::open(&[pack], &OpenOptions::default()).expect("a pack");
    // Nothing is read after the file is gone.
    let surfaces = (Surface::new(Arc::new(of_source)), Surface::new(Arc::new(of_pack)));
    std::mem::forget(folder);
    surfaces
}

/// Voids of a raster of so many columns and rows.
fn voids(kind: usize, [w, h]: [usize; 2], rng: &mut StdRng) -> Vec<bool> {
    let mut void = vec![false; w * h];
    match kind {
        0 => (0..6).for_each(|_| void[rng.random_range(0..w * h)] = true),
        1 => void.iter_mut().for_each(|void| *void = rng.random_bool(0.01)),
        // On the sides.
        2 => (0..12).for_each(|k| {
            let (x, y) = (rng.random_range(0..w), rng.random_range(0..h));
            void[[x, y * w, (h - 1) * w + x, y * w + w - 1][k % 4]] = true;
        }),
        // Wider ones, up to such as are not filled.
        _ => (0..4).for_each(|_| {
            let side = rng.random_range(2..24);
            let (x, y) = (rng.random_range(0..w - side), rng.random_range(0..h - side));
            (0..side * side).for_each(|k| void[(y + k / side) * w + x + k % side] = true);
        }),
    }
    void
}

/// Law: a pack says that a place is filled wherever the raster that it was made from says so and has a hundredth of the height, and
/// nowhere that the raster does not within a posting and a quarter of the pack, which is a quarter wider in places: for single voids,
/// many, on the sides and wide ones; near the equator, in the north, where meridians are close, and in turned systems; read in full
/// and in windows.
#[test]
fn fills_of_rasters_are_told() {
    let mut rng = StdRng::seed_from_u64(rand::random());
    let size = [90, 80];
    let frame = |crs, west, north, posting| Frame::north_up(crs, (size[0], size[1]), west, north, posting);
    let frames = [
        frame("EPSG:4326", -150.2, 20.3, 0.005),
        frame("EPSG:4326", 24.0, 68.0, 0.005),
        frame("EPSG:32633", 420_000.0, 5_300_000.0, 500.0),
        frame("EPSG:3995", 700_000.0, -400_000.0, 500.0),
    ];
    for (round, frame) in frames.iter().enumerate() {
        for kind in 0..4 {
            let folder = TempDir::new().expect("a temporary folder");
            let file = folder.path().join("voids.tif");
            let void = voids(kind, size, &mut rng);
            let value = |void: &bool| if *void { f32::NAN } else { rng.random_range(900.0..1000.0) };
            frame.write::<f32>(&file, void.iter().map(value).collect()).close().expect("closed");
            let bytes = if kind == 1 { 60_000 } else { 1 << 28 };
            let (of_file, of_pack) = both(&file, &OpenOptions::default().with_layer_bytes(bytes));
            let notes = of_file.relief().layers()[0].notes.join("; ");
            assert_eq!(notes.contains("in windows"), kind == 1, "{notes}");
            let is_filled = |surface: &Surface, [x, y]: [f64; 2]| {
                let [(lon, lat)] = frame.lon_lat(&[(x, y)])[..] else { panic!("one place") };
                let found = surface.ground(normal(lon, lat)).provenance;
                (found.filled, found.filled && !(found.layer > 0 && found.share > 0.99))
            };
            let mut filled = 0;
            let mut near: Vec<usize> = (0..void.len()).filter(|at| void[*at]).collect();
            near.truncate(60);
            for k in 0..3_000 {
                // Around voids, and anywhere.
                let at = near[k % near.len()];
                let (x, y) = ((at % size[0]) as f64 + 0.5, (at / size[0]) as f64 + 0.5);
                let around = |rng: &mut StdRng, x: f64| x + rng.random_range(-3.0..3.0);
                let mut place = [around(&mut rng, x), around(&mut rng, y)];
                if k % 3 == 0 {
                    place = size.map(|n| rng.random_range(0.0..n as f64));
                }
                place = [0, 1].map(|axis| place[axis].clamp(0.5, size[axis] as f64 - 0.5));
                let ((_, expected), (found, _)) = (is_filled(&of_file, place), is_filled(&of_pack, place));
                let told = format!("frame {round}, voids {kind}: {place:?}");
                assert!(found || !expected, "{told}: it is missed");
                filled += usize::from(expected);
                if found && !expected {
                    // Columns and rows in a posting of the pack.
                    let posting = posting_m(7) / if frame.crs == "EPSG:4326" { 556.6 } else { 500.0 };
                    let narrow = if round == 1 { (68.0f64).to_radians().cos() } else { 1.0 };
                    let steps = || (-8..=8).map(|k| f64::from(k) / 8.0 * 1.25 * posting);
                    let mut around = steps().flat_map(|dy| steps().map(move |dx| [dx / narrow, dy]));
                    let beside = around.any(|[dx, dy]| is_filled(&of_file, [place[0] + dx, place[1] + dy]).0);
                    assert!(beside, "{told}: nothing is filled near it");
                }
            }
            assert!(filled > 50, "frame {round}, voids {kind}: {filled}");
        }
    }
}
