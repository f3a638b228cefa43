//! Packs say where heights of what they were made from are filled, and which files of a folder are blended; bakes, how far heights are off.

use elevation::geodesy::Ellipsoid;
use std::{
    path::{Path, PathBuf},
    sync::{Arc, LazyLock},
};

use elevation::{
    bake::{Bake, BakeOptions, verify},
    height::{OpenOptions, Relief, SourceAt},
    pack::{Pack, Shard},
    surface::Surface,
    tile::posting_m,
};
use rand::{Rng, rngs::StdRng};
use tempfile::TempDir;

use super::packs::{PACK, open};
use super::raster_files::{Frame, normal};
use crate::random;

/// The embedded relief as a pack of six tiles: what lies below, so that packs are small.
static BELOW: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| {
    let folder = TempDir::new().expect("a temporary folder");
    let pack = folder.path().join("below.pack");
    let options = BakeOptions::default().with_max_level(Some(0));
    Bake::new(&[], &OpenOptions::default(), &options).expect("a relief").run(&pack, false, &mut |_| {}).expect("baked");
    (folder, pack)
});

/// A source over what lies below, and a pack made of both, which is sound.
struct Both {
    of_source: Surface,
    of_pack: Surface,
    pack: PathBuf,
    /// As long as there are questions.
    _folder: TempDir,
}

impl Both {
    fn of(source: &Path, options: &OpenOptions) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let pack = folder.path().join("a.pack");
        let files = [source.to_path_buf(), BELOW.1.clone()];
        let bake = Bake::new(&files, options, &BakeOptions::default()).expect("a source");
        bake.run(&pack, false, &mut |_| {}).expect("baked");
        let (_, found) = verify(&pack, &|_| {}).expect("a pack");
        assert_eq!(found.bad, 0, "{found:?}");
        let of_source = Relief::open(&files, options).expect("a raster");
        let of_pack = Relief::open(std::slice::from_ref(&pack), &OpenOptions::default()).expect("a pack");
        let (of_source, of_pack) = (Surface::new(Arc::new(of_source)), Surface::new(Arc::new(of_pack)));
        Self { of_source, of_pack, pack, _folder: folder }
    }
}

/// Whether a place is filled, and whether it is by data that have a hundredth of the height.
fn is_filled(surface: &Surface, (lon, lat): (f64, f64)) -> (bool, bool) {
    let found = surface.ground(normal(lon, lat)).provenance;
    (found.filled, found.filled && !(found.layer > 0 && found.share > 0.99))
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
/// nowhere that the raster does not along columns and rows within a posting of the pack, which is a quarter wider in places, or within
/// the diagonal of its quads where these are turned against the raster, and within two quads of the sides, beyond which it is told by every
/// fourth vertex where no void is near: for single voids, many, on the sides and wide ones; near the equator, in the north, where meridians
/// are close, and in turned systems; read in full and in windows.
#[test]
fn fills_of_rasters_are_told() {
    let mut rng = random::rng();
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
            let made = Both::of(&file, &OpenOptions::default().with_layer_bytes(bytes));
            let (of_file, of_pack) = (&made.of_source, &made.of_pack);
            let notes = of_file.relief().layers()[0].notes.join("; ");
            assert_eq!(notes.contains("in windows"), kind == 1, "{notes}");
            let is_filled = |surface: &Surface, place: [f64; 2]| match frame.lon_lat(&[place.into()])[..] {
                [place] => is_filled(surface, place),
                _ => panic!("one place"),
            };
            let mut filled = 0;
            let mut near: Vec<usize> = (0..void.len()).filter(|at| void[*at]).collect();
            near.truncate(60);
            for k in 0..1_500 {
                // Around voids, and anywhere.
                let at = near[k % near.len()];
                let (x, y) = ((at % size[0]) as f64 + 0.5, (at / size[0]) as f64 + 0.5);
                let around = |rng: &mut StdRng, x: f64| x + rng.random_range(-3.0..3.0);
                let mut place = [around(&mut rng, x), around(&mut rng, y)];
                if k % 3 == 0 {
                    place = size.map(|n| rng.random_range(0.0..n as f64));
                }
                place = [0, 1].map(|axis| place[axis].clamp(0.5, size[axis] as f64 - 0.5));
                let ((_, expected), (found, _)) = (is_filled(of_file, place), is_filled(of_pack, place));
                let told = format!("frame {round}, voids {kind}: {place:?}");
                assert!(found || !expected, "{told}: it is missed");
                filled += usize::from(expected);
                if found && !expected {
                    // Columns and rows in a posting of the pack, or in a diagonal.
                    let texel_m = if frame.crs == "EPSG:4326" { 556.6 } else { 500.0 };
                    let posting = posting_m(Ellipsoid::WGS84, 7) / texel_m
                        * if round == 0 { 1.0 } else { std::f64::consts::SQRT_2 };
                    let narrow = if round == 1 { (68.0f64).to_radians().cos() } else { 1.0 };
                    let is_beside = |parts: i32| {
                        let steps = || (-parts..=parts).map(move |k| f64::from(k) / f64::from(parts) * 1.25 * posting);
                        let mut around = steps().flat_map(|dy| steps().map(move |dx| [dx / narrow, dy]));
                        around.any(|[dx, dy]| is_filled(of_file, [place[0] + dx, place[1] + dy]).0)
                    };
                    let is_at_side = [0, 1].map(|axis| {
                        let quads = 2.0 * 1.25 * posting / if axis == 0 { narrow } else { 1.0 };
                        place[axis].min(size[axis] as f64 - place[axis]) - 0.5 < quads
                    });
                    // What is filled may lie between some steps.
                    let is_near = is_at_side.contains(&true) || is_beside(8) || is_beside(50);
                    assert!(is_near, "{told}: nothing is filled near it");
                }
            }
            assert!(filled > 50, "frame {round}, voids {kind}: {filled}");
        }
    }
}

/// Law: the same of a folder of two files, wherever voids lie, and a pack that is made of the pack says what that says.
#[test]
fn fills_of_folders_and_packs_are_told() {
    let mut rng = random::rng();
    let folder = TempDir::new().expect("a temporary folder");
    let data = folder.path().join("data");
    std::fs::create_dir(&data).expect("a folder");
    for (name, west, kind) in [("a.tif", -150.2, 1), ("b.tif", -149.75, 0)] {
        let frame = Frame::north_up("EPSG:4326", (90, 80), west, 20.3, 0.005);
        let void = voids(kind, [90, 80], &mut rng);
        let value = |void: &bool| if *void { f32::NAN } else { rng.random_range(900.0..1000.0) };
        frame.write::<f32>(&data.join(name), void.iter().map(value).collect()).close().expect("closed");
    }
    let made = Both::of(&data, &OpenOptions::default());
    let again = Both::of(&made.pack, &OpenOptions::default());
    let mut filled = 0;
    for _ in 0..6_000 {
        let place = (rng.random_range(-150.19..-149.31), rng.random_range(19.91..20.29));
        let [(_, expected), (found, _), (copied, _)] =
            [&made.of_source, &made.of_pack, &again.of_pack].map(|surface| is_filled(surface, place));
        assert!(found || !expected, "{place:?}: it is missed");
        assert_eq!(copied, found, "{place:?}");
        filled += usize::from(expected);
    }
    assert!(filled > 50, "{filled}");
}

/// What is told of a place: the name of the file, without its folder, the next one, and the share.
fn told(surface: &Surface, (lon, lat): (f64, f64)) -> ((String, Option<String>), f64, f64) {
    let (relief, n) = (surface.relief(), normal(lon, lat));
    let short = |name: &str| Path::new(name).file_name().map(|name| name.to_string_lossy().into_owned());
    let found = surface.ground(n).provenance;
    let SourceAt { name, blended_with, .. } = relief.source_at(found.layer, n);
    let other = found.blended_with.map(|layer| relief.source_at(layer, n).name);
    let other = other.or(blended_with);
    ((short(&name).unwrap_or(name), other.as_deref().and_then(short)), found.share, found.posting_m)
}

/// Law: where files of a folder lie beside or over each other, a pack of the folder names the file, and the one that it is blended with,
/// that the folder itself names within one posting, with a share between those that it tells there, to a twentieth: of one lattice that
/// overlap and differ, of several lattices, of some that abut.
#[test]
fn blends_of_files_are_told() {
    let mut rng = random::rng();
    let degrees = |size, west, posting| Frame::north_up("EPSG:4326", size, west, 20.0, posting);
    let first = || degrees((90, 80), -150.0, 0.005);
    for (what, second, blends) in [
        ("of one lattice, over each other", degrees((90, 80), -149.75, 0.005), true),
        ("of one lattice, side by side", degrees((90, 80), -149.55, 0.005), false),
        ("three times as coarse", degrees((50, 26), -149.7, 0.015), true),
        ("another phase", degrees((90, 80), -149.748, 0.005), true),
    ] {
        let folder = TempDir::new().expect("a temporary folder");
        let data = folder.path().join("data");
        std::fs::create_dir(&data).expect("a folder");
        for (name, frame, step_m) in [("a.tif", first(), 0.0), ("b.tif", second, 60.0)] {
            let value = |_| step_m + rng.random_range(900.0..1000.0);
            frame
                .write::<f32>(&data.join(name), (0..frame.size.0 * frame.size.1).map(value).collect())
                .close()
                .expect("closed");
        }
        let made = Both::of(&data, &OpenOptions::default());
        let (of_folder, of_pack) = (&made.of_source, &made.of_pack);
        let manifest = Pack::open(&made.pack).expect("a pack").manifest().clone();
        let layers: Vec<(String, usize)> = manifest.layers().map(|(layer, files)| (layer.name, files)).collect();
        assert_eq!(layers[0], ("data".to_owned(), 2), "{layers:?}");
        let notes = of_pack.relief().layers()[0].notes.join("; ");
        assert!(notes.contains("made from data, "), "{notes}");
        let mut blended = 0;
        for _ in 0..130 {
            let place = (rng.random_range(-149.85..-149.45), rng.random_range(19.62..19.98));
            let (found, share, of_pack_m) = told(of_pack, place);
            // A posting of the pack, which is a quarter wider in places.
            let reach_deg = 1.25 * posting_m(Ellipsoid::WGS84, 7) / 111_195.0;
            let steps = || (-20..=20).map(|k| f64::from(k) / 20.0 * reach_deg);
            let around = steps().flat_map(|dy| steps().map(move |dx| (place.0 + dx / 0.94, place.1 + dy)));
            let around: Vec<_> =
                around.map(|place| told(of_folder, place)).filter(|(names, ..)| *names == found).collect();
            let shares = around.iter().map(|(_, share, _)| *share);
            let (least, most) =
                shares.fold((f64::MAX, f64::MIN), |(low, high), share| (low.min(share), high.max(share)));
            assert!(
                least - 0.05 <= share && share <= most + 0.05,
                "{what}: {place:?}: {found:?} {share}, {least} to {most}"
            );
            assert!(
                around.iter().any(|(.., of_file_m)| (of_file_m - of_pack_m).abs() < 1.0),
                "{what}: {place:?}: {of_pack_m} m"
            );
            blended += usize::from(found.1.is_some());
        }
        assert_eq!(blended > 0, blends, "{what}: {blended}");
    }
}

/// Law: what a pack is said to lose of its data is what random places show; shares have no whole to compare.
#[test]
fn what_a_pack_loses_is_told() {
    let bake = |options: &BakeOptions| {
        Bake::new(std::slice::from_ref(&PACK.hills), &OpenOptions::default(), options).expect("a source")
    };
    let lost = bake(&BakeOptions::default()).deviation(&PACK.pack).expect("readable").expect("whole");
    let (packed, source, mut rng) = (open(&PACK.pack), open(&PACK.hills), random::rng());
    let [west, south, east, north] = source.layers()[0].bbox_deg;
    let off_m: Vec<f64> = (0..4000)
        .map(|_| normal(rng.random_range(west..east), rng.random_range(south..north)))
        .filter(|n| source.sample(*n).share >= 1.0)
        .map(|n| packed.sample(n).height_m - source.sample(n).height_m)
        .collect();
    let rms_m = (off_m.iter().map(|off_m| off_m * off_m).sum::<f64>() / off_m.len() as f64).sqrt();
    let most_m = off_m.iter().fold(0.0, |most: f64, off_m| most.max(off_m.abs()));
    assert!(lost.places > 900 && (0.8..1.25).contains(&(lost.rms_m / rms_m)), "{lost:?}, {rms_m}");
    assert!((0.3..1.5).contains(&(lost.most_m / most_m)), "{lost:?}, {most_m}");
    let share = BakeOptions::default().with_shard(Some(Shard { index: 1, count: 2 }));
    assert_eq!(bake(&share).deviation(&PACK.pack).expect("readable"), None);
}

/// Law: in a wide void over data as fine the ground is that of those, in the rasters and in a pack of both, and not filled.
#[test]
fn voids_over_data_as_fine_are_not_filled() {
    let (folder, mut rng) = (TempDir::new().expect("a temporary folder"), random::rng());
    let write = |name: &str, hole: std::ops::Range<usize>| {
        let file = folder.path().join(name);
        let own = |k: usize| if hole.contains(&(k % 100)) && hole.contains(&(k / 100)) { f32::NAN } else { 700.0 };
        let frame = Frame::north_up("EPSG:4326", (100, 100), -150.2, 20.3, 0.005);
        frame.write::<f32>(&file, (0..10_000).map(own).collect()).close().expect("closed");
        file
    };
    let files = [write("hole.tif", 25..75), write("all.tif", 0..0)];
    let pack = folder.path().join("both.pack");
    let bake = Bake::new(&files, &OpenOptions::default(), &BakeOptions::default()).expect("sources");
    bake.run(&pack, false, &mut |_| {}).expect("baked");
    let of_files = Relief::open(&files, &OpenOptions::default()).expect("rasters");
    for relief in [of_files, open(&pack)] {
        for _ in 0..500 {
            // Farther from the rim than a posting of the pack.
            let [x, y] = [(); 2].map(|()| rng.random_range(28.0..71.0));
            let found = relief.sample(normal(-150.2 + 0.005 * (x + 0.5), 20.3 - 0.005 * (y + 0.5)));
            assert!(!found.filled && (found.height_m - 700.0).abs() < 0.2, "{x} {y}: {found:?}");
        }
    }
}
