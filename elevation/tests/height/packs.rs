//! Packs of tiles: exact at vertices, continuous everywhere, byte-equal however they were made.

use elevation::geodesy::Ellipsoid;
use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, LazyLock},
};

use elevation::{
    bake::{Bake, BakeError, BakeOptions, Outcome, merge, verify},
    height::{HeightError, OpenOptions, Relief, SourceAt},
    pack::{Pack, PackError, Shard},
    surface::Surface,
    tile::posting_m,
    tile::{TILE_QUADS, TileId, birth},
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use tempfile::TempDir;

use super::places::EARTH;
use super::raster_files::{Field, Frame, normal};
use crate::random;

/// Half a degree of hills in the Pacific, posted every 550 m: tiles to level 7.
pub const HILLS: (f64, f64) = (-150.2, 20.3);
/// Small packs: the embedded relief only to here.
const COARSE: u32 = 1;

pub struct Fixture {
    pub folder: TempDir,
    pub hills: PathBuf,
    pub pack: PathBuf,
}

/// A pack of the hills over the embedded relief, made once.
pub static PACK: LazyLock<Fixture> = LazyLock::new(|| {
    LazyLock::force(&EARTH); // Kept alive, the embedded relief is decoded once.
    let folder = TempDir::new().expect("a temporary folder");
    let hills = hills(folder.path(), "hills.tif");
    let pack = folder.path().join("hills.pack");
    let outcome = bake(&hills, &pack, &BakeOptions::default()).expect("baked");
    assert!(matches!(outcome, Outcome::Written(p) if p.done == p.tiles && p.found == 0), "{outcome:?}");
    Fixture { folder, hills, pack }
});

fn hills(folder: &Path, name: &str) -> PathBuf {
    let frame = Frame::north_up("EPSG:4326", (100, 100), HILLS.0, HILLS.1, 0.005);
    frame.write_field(folder, name, Field::for_posting_deg(0.0005))
}

pub fn bake(source: &Path, out: &Path, options: &BakeOptions) -> Result<Outcome, BakeError> {
    Bake::new(&[source.to_path_buf()], &OpenOptions::default(), options)?.run(out, false, &mut |_| {})
}

pub fn open(file: &Path) -> Relief {
    Relief::open(&[file.to_path_buf()], &OpenOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Law: at a vertex of its finest tile, away from the rim of a level, a pack has the source's height, rounded to its step;
/// and every coarser spacing that still has the vertex gives the same.
#[test]
fn vertices_have_the_heights_of_the_source() {
    let (packed, source) = (open(&PACK.pack), open(&PACK.hills));
    let pack = Pack::open(&PACK.pack).unwrap();
    let step_m = pack.manifest().height_step_m;
    let finest = pack.manifest().max_level;
    assert_eq!((finest, step_m), (7, 0.25));
    let ids: Vec<TileId> = pack.ids().collect();
    let mut rng = StdRng::seed_from_u64(1);
    let mut checked = 0;
    while checked < 3000 {
        let id = ids[rng.random_range(0..ids.len())];
        if id.children().is_some_and(|children| children.iter().any(|child| pack.contains(*child))) {
            continue;
        }
        // Away from tiles that end at this level, if it is not the one of the whole Earth.
        let mut place = || rng.random_range(0..=TILE_QUADS);
        let (x, y) = (place(), place());
        let inner = |x: u32| (16..=TILE_QUADS - 16).contains(&x);
        if id.level > 3 && !(inner(x) && inner(y)) {
            continue;
        }
        let vertex = id.place(x, y).point();
        let n = vertex.normal();
        let (got, expected) = (packed.sample(n).height_m, source.sample(n).height_m);
        // Tiles round to 1/512 m first.
        assert!((got - expected).abs() <= 0.5 * step_m + 1.0 / 1024.0 + 1e-6, "{id:?} {x} {y}: {got} {expected}");
        assert!(((got / step_m).round() * step_m - got).abs() < 1e-6, "{got} is no multiple of {step_m}");
        let (tile, ..) = birth(vertex);
        let coarse = packed.sample_spaced(n, posting_m(Ellipsoid::WGS84, tile.level)).height_m;
        assert!((coarse - got).abs() < 1e-6, "{id:?} born in {tile:?}: {coarse} {got}");
        assert!(packed.posting_m(n) >= posting_m(Ellipsoid::WGS84, id.level));
        checked += 1;
    }
}

/// Law: the surface has no step: not between tiles, not between faces, not where a level ends.
#[test]
fn no_step_anywhere() {
    let packed = open(&PACK.pack);
    // Across the rims of all levels around the hills, and across edges and a corner of the cube.
    let paths = [
        ((-155.0, 18.0), (-146.0, 21.0)),
        ((-150.0, 15.0), (-149.9, 24.0)),
        ((40.0, -10.0), (50.0, 10.0)),
        ((44.0, 30.0), (46.0, 40.0)),
        ((0.0, 44.0), (1.0, 46.0)),
        ((179.0, 50.0), (181.0, 52.0)),
    ];
    for (from, to) in paths {
        let at = |k: u32| {
            let t = f64::from(k) / 400_000.0;
            packed.sample(normal(from.0 + (to.0 - from.0) * t, from.1 + (to.1 - from.1) * t)).height_m
        };
        // Steps of 1.1 to 3 m; the steepest is the middle of the seam of the hills, 5 km high over 3 km.
        let mut last = at(0);
        for k in 1..=400_000 {
            let next = at(k);
            assert!((next - last).abs() < 10.0, "{from:?} to {to:?} at {k}: {last} {next}");
            last = next;
        }
    }
}

#[test]
fn a_pack_covers_the_earth_and_says_what_it_is() {
    let relief = open(&PACK.pack);
    let [info] = relief.layers() else { panic!("nothing is opened below a pack: {:?}", relief.layers()) };
    assert!(info.notes[0].contains("hills.tif") && info.notes[0].contains("ETOPO5"), "{info:?}");
    assert_eq!(info.datum, "not stated; mean sea level");
    // Packs of the Earth state no ellipsoid, as those did that were made before there were others.
    let manifest = serde_json::to_value(Pack::open(&PACK.pack).unwrap().manifest()).unwrap();
    assert!(manifest.get("max_level").is_some() && manifest.get("ellipsoid").is_none(), "{manifest}");
    // Tiles are every 306 m there, the hills every 556.
    assert!((info.posting_m - 556.0).abs() < 1.0, "{info:?}");
    assert_eq!(relief.posting_m(normal(HILLS.0 + 0.25, HILLS.1 - 0.25)), info.posting_m);
    // Far from the hills it is the embedded relief, within what vertices 5 km apart can tell.
    for (lon, lat) in [(86.9, 28.0), (0.0, 90.0), (142.3, 11.3), (-60.0, -85.0)] {
        let n = normal(lon, lat);
        let (got, expected) = (relief.sample(n).height_m, EARTH.sample(n).height_m);
        assert!((got - expected).abs() < 250.0, "{lon} {lat}: {got} {expected}");
        assert_eq!(relief.posting_m(n), EARTH.posting_m(n));
    }
    // Under another raster it is the layer below.
    let folder = TempDir::new().unwrap();
    let top = hills(folder.path(), "top.tif");
    let both = Relief::open(&[top, PACK.pack.clone()], &OpenOptions::default()).unwrap();
    assert_eq!((both.layers().len(), both.sample(normal(10.0, 50.0)).layer), (2, 1));
}

/// Law: in wide voids and beyond the rim of what it was made from, a pack names the source that answers there, with its posting and
/// datum, and tells what is blended and filled: as the sources themselves do, to a few vertices.
#[test]
fn a_pack_tells_what_answers() {
    const SIDE: usize = 100;
    let folder = TempDir::new().expect("a temporary folder");
    let (file, pack) = (folder.path().join("hole.tif"), folder.path().join("hole.pack"));
    let frame = Frame::north_up("EPSG:4326+5773", (SIDE, SIDE), HILLS.0, HILLS.1, 0.005);
    let is_void = |k: usize| (30..80).contains(&(k % SIDE)) && (30..80).contains(&(k / SIDE));
    let value = |k: usize| if is_void(k) { -9999.0 } else { 500.0 + (k % SIDE) as f32 };
    frame.write::<f32>(&file, (0..SIDE * SIDE).map(value).collect()).close().expect("closed");
    let options = OpenOptions::default().with_nodata(Some(-9999.0)).with_feather_texels(Some(12));
    let bake = Bake::new(std::slice::from_ref(&file), &options, &BakeOptions::default()).expect("a source");
    bake.run(&pack, false, &mut |_| {}).expect("baked");
    let of_files = Surface::new(Arc::new(Relief::open(&[file], &options).expect("a raster")));
    let of_pack = Surface::new(Arc::new(open(&pack)));
    // Names without folders, as packs have them.
    let short = |name: &str| Path::new(name).file_name().map(|name| name.to_string_lossy().into_owned());
    let told = |surface: &Surface, lon: f64, lat: f64| {
        let (relief, n) = (surface.relief(), normal(lon, lat));
        let ground = surface.ground(n);
        let found = ground.provenance;
        let SourceAt { name: source, datum, blended_with, .. } = relief.source_at(found.layer, n);
        let other = found.blended_with.map(|layer| relief.layers()[layer].name.clone());
        let other = other.or(blended_with).as_deref().and_then(short);
        ((short(&source), datum.to_owned(), other, found.filled), found, ground.slope_rad)
    };
    let mut rng = random::rng();
    let (mut kinds, mut seen) = ([0; 3], 0);
    while seen < 300 {
        let (lon, lat) = (HILLS.0 + rng.random_range(-0.2..0.7), HILLS.1 - rng.random_range(-0.2..0.7));
        let (expected, of_file, slope_rad) = told(&of_files, lon, lat);
        // Where it is the same within the vertices between two places that are told, 306 m from one to the next.
        let around = (0..16).map(|k| f64::from(k) * std::f64::consts::TAU / 16.0).map(f64::sin_cos);
        if around.clone().any(|(x, y)| told(&of_files, lon + 0.009 * x, lat + 0.009 * y).0 != expected) {
            continue;
        }
        seen += 1;
        let (found, of_tile, slope_of_tile_rad) = told(&of_pack, lon, lat);
        assert_eq!(found, expected, "{lon} {lat}: {of_tile:?}, {of_file:?}");
        assert!((of_tile.share - of_file.share).abs() < 0.25, "{lon} {lat}: {of_tile:?}, {of_file:?}");
        assert_eq!((of_tile.posting_m, of_tile.level), (of_file.posting_m, of_file.level), "{lon} {lat}");
        // In the void, the ground around it is not that of what answers.
        let apart_deg = (slope_of_tile_rad - slope_rad).abs().to_degrees();
        let is_within = (0.0..0.5).contains(&(lon - HILLS.0)) && (0.0..0.5).contains(&(HILLS.1 - lat));
        assert!(!is_within || of_file.share < 1.0 || apart_deg < 2.0, "{lon} {lat}: {apart_deg}°");
        kinds[if of_file.share < 1.0 { 0 } else { 1 + of_file.layer }] += 1;
    }
    assert!(kinds.iter().all(|count| *count > 5), "blended, of the file, of the relief below: {kinds:?}");
}

/// Law: what is said of rasters is refused over a pack, not passed over; over a raster beside it it holds.
#[test]
fn options_of_rasters_are_refused_over_packs() {
    let folder = TempDir::new().expect("a temporary folder");
    let default = OpenOptions::default;
    let raster = hills(folder.path(), "top.tif");
    for options in [
        default().with_unit_m(Some(0.3048)),
        default().with_band(2),
        default().with_nodata(Some(0.0)),
        default().with_src_crs(Some("EPSG:4326".to_owned())),
        default().with_feather_texels(Some(4)),
        default().with_valid_range_m(Some((-10.0, 10.0))),
    ] {
        let error = Relief::open(std::slice::from_ref(&PACK.pack), &options).expect_err("refused").to_string();
        assert!(error.contains("--unit") && error.contains("a pack has its heights already"), "{error}");
    }
    let both = [raster, PACK.pack.clone()];
    assert!(Relief::open(&both, &default().with_valid_range_m(Some((-10.0, 9000.0)))).is_ok());
}

#[test]
fn a_sound_pack_verifies() {
    let (pack, found) = verify(&PACK.pack, &|_| {}).unwrap();
    assert_eq!((found.bad, found.tiles as usize), (0, pack.len()), "{found:?}");
    // Every face has four neighbours, and every level below 4 is whole.
    assert!(found.edges > 12 * (1 + 2 + 4 + 8), "{}", found.edges);
    assert_eq!(pack.levels().iter().take(4).map(|l| l.tiles).collect::<Vec<_>>(), [6, 24, 96, 384]);
    assert_eq!(pack.levels().iter().map(|l| l.tiles).sum::<u64>(), pack.manifest().tiles);
    let error = Pack::open(&PACK.hills).unwrap_err();
    assert!(matches!(error, PackError::Foreign { .. }), "{error}");
}

/// Law: a pack of a pack is sound, whatever the level down to which it is made and its step, and has the heights of the other at the vertices
/// away from the rim of a level.
#[test]
fn a_pack_of_a_pack_is_sound() {
    let folder = TempDir::new().unwrap();
    let mut rng = random::rng();
    for (name, max_level) in [("all", None), ("coarse", Some(2))] {
        let out = folder.path().join(name);
        bake(&PACK.pack, &out, &BakeOptions::default().with_max_level(max_level))
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        let (pack, found) = verify(&out, &|_| {}).unwrap();
        assert_eq!((found.bad, found.tiles as usize), (0, pack.len()), "{name}: {found:?}");
        let (of_pack, source) = (open(&out), open(&PACK.pack));
        let ends =
            |id: &TileId| id.children().is_none_or(|children| children.iter().all(|child| !pack.contains(*child)));
        let leaves: Vec<TileId> = pack.ids().filter(ends).collect();
        for _ in 0..500 {
            let id = leaves[rng.random_range(0..leaves.len())];
            let (x, y) = (rng.random_range(16..=TILE_QUADS - 16), rng.random_range(16..=TILE_QUADS - 16));
            let n = id.place(x, y).point().normal();
            let spacing_m = posting_m(Ellipsoid::WGS84, max_level.unwrap_or(22));
            let (got, expected) = (of_pack.sample(n).height_m, source.sample_spaced(n, spacing_m).height_m);
            let step_m = pack.manifest().height_step_m;
            assert!((got - expected).abs() <= 0.5 * step_m + 1e-6, "{name} {id:?} {x} {y}: {got} {expected}");
        }
    }
}

/// Law: a manifest whose sources lie elsewhere than the tiles, or have postings of another level, is no sound one, whatever its
/// checksums say.
#[test]
fn manifests_fit_their_tiles() {
    let folder = TempDir::new().unwrap();
    let forged = folder.path().join("forged.pack");
    let bytes = fs::read(&PACK.pack).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let text = String::from_utf8(bytes[16..16 + length].to_vec()).unwrap();
    let complaints = |from: &str, to: &str| {
        // As long as before, so that tiles stay where they are.
        let at = text.find(from).unwrap_or_else(|| panic!("{from} in {text}"));
        let end = at + text[at..].find([']', '}']).expect("an end");
        let to = format!("{to:<width$}", width = end - at);
        let text = format!("{}{to}{}", &text[..at], &text[end..]);
        assert_eq!(text.len(), length);
        let header = [&bytes[..16], text.as_bytes()].concat();
        let check = blake3::hash(&header);
        fs::write(&forged, [&header, &check.as_bytes()[..8], &bytes[16 + length + 8..]].concat()).unwrap();
        let (_, found) = verify(&forged, &|_| {}).unwrap_or_else(|e| panic!("{e}"));
        found.complaints.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    };
    let same = text.find("\"bbox_deg\":[-").expect("the box of the hills");
    let same = &text[same..same + text[same..].find(']').unwrap()];
    assert_eq!(complaints(same, same), "");
    let elsewhere = complaints(same, "\"bbox_deg\":[12,42,13,43");
    assert!(elsewhere.contains("no source that is as fine there") && elsewhere.contains("elsewhere"), "{elsewhere}");
    let pole = complaints("\"cap\":[[", "\"cap\":[[0,0,1");
    assert!(pole.contains("no source that is as fine there"), "{pole}");
    let at = text.find("\"level\":7").expect("the level of the hills");
    let level = complaints("\"level\":7", &text[at..at + text[at..].find([']', '}']).unwrap()].replace(":7", ":3"));
    assert!(level.contains("hills.tif with postings of") && level.contains("level 3"), "{level}");
}

fn coarse(options: BakeOptions) -> BakeOptions {
    options.with_max_level(Some(COARSE))
}

/// Law: interrupted anywhere, a run continued gives the bytes of one that was not.
#[test]
fn interruptions_leave_no_trace() {
    let folder = TempDir::new().unwrap();
    let (whole, again) = (folder.path().join("whole.pack"), folder.path().join("again.pack"));
    bake(&PACK.hills, &whole, &coarse(BakeOptions::default())).unwrap();
    let bytes = fs::read(&whole).unwrap();
    let part = folder.path().join("again.pack.part");
    let mut rng = StdRng::seed_from_u64(2);
    let mut cuts: Vec<usize> = vec![0, 5, 100, bytes.len() - 1, bytes.len()];
    cuts.extend((0..5).map(|_| rng.random_range(0..bytes.len())));
    let job =
        Bake::new(std::slice::from_ref(&PACK.hills), &OpenOptions::default(), &coarse(BakeOptions::default())).unwrap();
    for cut in cuts {
        // What a killed process, and with garbage what a lost power supply leaves.
        for garbage in [false, true] {
            let mut left = bytes[..cut].to_vec();
            if garbage && cut > 2000 {
                left.extend([0u8; 5000]);
            }
            fs::write(&part, left).unwrap();
            let outcome = job.run(&again, false, &mut |_| {}).unwrap();
            let Outcome::Written(progress) = outcome else { panic!("{outcome:?}") };
            assert_eq!(progress.done, 30);
            assert!(
                progress.found as usize <= 30 && (cut < bytes.len() || progress.found == 30),
                "{cut}: {progress:?}"
            );
            assert!(fs::read(&again).unwrap() == bytes, "cut at {cut}");
            assert!(!part.exists());
            fs::remove_file(&again).unwrap();
        }
    }
    // A second run has nothing to do.
    assert_eq!(job.run(&whole, false, &mut |_| panic!("nothing to report")).unwrap(), Outcome::UpToDate);
}

/// Law: an estimate counts the tiles, and tells the bytes of a level to a fifth, errors included.
#[test]
fn estimates_come_near() {
    let hills = std::slice::from_ref(&PACK.hills);
    let job = Bake::new(hills, &OpenOptions::default(), &BakeOptions::default()).unwrap();
    let estimate = job.estimate().unwrap();
    let levels = Pack::open(&PACK.pack).unwrap().levels();
    assert_eq!(estimate.levels.len(), levels.len());
    for (guess, level) in estimate.levels.iter().zip(levels) {
        assert_eq!((guess.level, guess.tiles), (level.level, level.tiles));
        let ratio = guess.bytes / level.bytes as f64;
        assert!((0.8..1.25).contains(&ratio), "level {}: {ratio}", level.level);
    }
}

/// Bakes until the pack is there, though the first runs end before, and something is lost of what they have written.
fn bake_through_deaths(job: &Bake, out: &Path, rng: &mut StdRng) -> u32 {
    let part = out.with_extension("pack.part");
    let mut deaths = 0;
    loop {
        let mut left = rng.random_range(1..16);
        let outcome = job.run_while(out, false, &mut |_| {
            left -= 1;
            left > 0 || deaths == 2
        });
        match outcome {
            Ok(_) => return deaths,
            Err(BakeError::Pack(PackError::Interrupted { .. })) => deaths += 1,
            Err(error) => panic!("{error}"),
        }
        let file = fs::File::options().write(true).open(&part).expect("work that was begun");
        let bytes = file.metadata().expect("a length").len();
        file.set_len(bytes - bytes.min(rng.random_range(0..20_000))).expect("shortened");
    }
}

/// Law: shards, however many, made through deaths and merged in any order, are the pack that one run makes.
#[test]
fn shards_make_the_whole() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let options = BakeOptions::default().with_max_level(Some(2));
    bake(&PACK.hills, &at("whole.pack"), &options).unwrap();
    let whole = fs::read(at("whole.pack")).unwrap();
    let (mut rng, mut deaths) = (random::rng(), 0);
    for count in [1, 3, 7] {
        let mut shards: Vec<PathBuf> = Vec::new();
        for index in 1..=count {
            let options = options.clone().with_shard(Some(Shard { index, count }));
            let job = Bake::new(std::slice::from_ref(&PACK.hills), &OpenOptions::default(), &options).unwrap();
            let shard = at(&format!("{index}-{count}.pack"));
            deaths += bake_through_deaths(&job, &shard, &mut rng);
            assert!(matches!(Pack::open(&shard), Err(PackError::IsShard { .. })));
            assert_eq!(verify(&shard, &|_| {}).unwrap().1.bad, 0);
            shards.insert(rng.random_range(0..=shards.len()), shard);
        }
        let merged = at(&format!("{count}.pack"));
        merge(&shards, &merged, false, &mut |_| {}).unwrap();
        assert!(fs::read(&merged).unwrap() == whole, "{count} shards");
    }
    assert!(deaths > 2, "{deaths}");
    let refused = |shards: &[PathBuf]| merge(shards, &at("no.pack"), false, &mut |_| {}).unwrap_err().to_string();
    let shards = [3, 1, 2].map(|index| at(&format!("{index}-3.pack")));
    assert!(refused(&shards[..2]).contains("shard 2 of 3 is missing"), "{}", refused(&shards[..2]));
    assert!(refused(&shards[1..]).contains("shard 3 of 3 is missing"), "{}", refused(&shards[1..]));
    let twice = [shards[0].clone(), shards[1].clone(), shards[1].clone()];
    assert!(refused(&twice).contains("given twice"), "{}", refused(&twice));
    assert!(refused(&[at("whole.pack")]).contains("whole pack already"));
    assert!(refused(&[]).contains("shards"));
    assert!(!at("no.pack").exists() && !at("no.pack.part").exists());
}

/// Law: a run that ended among the errors goes on after the last whole one.
#[test]
fn errors_are_continued() {
    let folder = TempDir::new().unwrap();
    let (out, part) = (folder.path().join("a.pack"), folder.path().join("a.pack.part"));
    let shard = Some(Shard { index: 1, count: 2 });
    for options in [coarse(BakeOptions::default()), BakeOptions::default().with_max_level(Some(2)).with_shard(shard)] {
        let job = Bake::new(std::slice::from_ref(&PACK.hills), &OpenOptions::default(), &options).unwrap();
        job.run(&out, false, &mut |_| {}).unwrap();
        let whole = fs::read(&out).unwrap();
        fs::remove_file(&out).unwrap();
        let last = whole.windows(4).rposition(|bytes| bytes == b"ERRS").expect("errors");
        fs::write(&part, &whole[..last + 40]).unwrap();
        // What is made again is cut off before.
        let mut shortest = u64::MAX;
        job.run(&out, false, &mut |_| shortest = shortest.min(fs::metadata(&part).expect("the log").len())).unwrap();
        assert!(fs::read(&out).unwrap() == whole && shortest >= last as u64, "{shortest} of {last}");
        fs::remove_file(&out).unwrap();
    }
}

/// Law: what was made from other data or options is neither used nor lost.
#[test]
fn stale_work_is_refused_and_kept() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let source = at("a.tif");
    fs::copy(&PACK.hills, &source).unwrap();
    let out = at("a.pack");
    bake(&source, &out, &coarse(BakeOptions::default())).unwrap();
    let before = fs::read(&out).unwrap();
    // The same bytes under another path are the same source.
    fs::create_dir(at("elsewhere")).unwrap();
    fs::copy(&source, at("elsewhere/a.tif")).unwrap();
    assert_eq!(bake(&at("elsewhere/a.tif"), &out, &coarse(BakeOptions::default())).unwrap(), Outcome::UpToDate);
    // One height changed, one option changed.
    let other = Frame::north_up("EPSG:4326", (100, 100), HILLS.0, HILLS.1, 0.005);
    other.write_field(folder.path(), "a.tif", Field::for_posting_deg(0.0006));
    assert_eq!(
        bake(&source, &out, &coarse(BakeOptions::default())),
        Err(PackError::Stale { file: out.clone() }.into())
    );
    let options = BakeOptions::default().with_max_level(Some(0));
    assert_eq!(bake(&PACK.hills, &out, &options), Err(PackError::Stale { file: out.clone() }.into()));
    assert!(fs::read(&out).unwrap() == before, "what was there is untouched");
    // The same for unfinished work, for things that are no packs, and for a folder.
    let fresh = at("b.pack");
    fs::write(at("b.pack.part"), &before[..before.len() / 2]).unwrap();
    assert_eq!(
        bake(&source, &fresh, &coarse(BakeOptions::default())),
        Err(PackError::Stale { file: at("b.pack.part") }.into())
    );
    fs::write(at("letter"), "Dear reader, this is no pack.").unwrap();
    assert_eq!(bake(&source, &at("letter"), &options), Err(PackError::Occupied { file: at("letter") }.into()));
    assert_eq!(bake(&source, &at("elsewhere"), &options), Err(PackError::NotAFile { file: at("elsewhere") }.into()));
    let job = Bake::new(&[source], &OpenOptions::default(), &options).unwrap();
    job.run(&out, true, &mut |_| {}).unwrap();
    assert_eq!(Pack::open(&out).unwrap().len(), 6);
    // Two runs at a time would mix their tiles.
    let busy = fs::File::create(at("c.pack.part")).unwrap();
    busy.lock().unwrap();
    assert_eq!(job.run(&at("c.pack"), false, &mut |_| {}), Err(PackError::Busy { file: at("c.pack.part") }.into()));
}

#[test]
fn options_out_of_range_are_refused() {
    let refused = |options: BakeOptions| match bake(&PACK.hills, &PACK.folder.path().join("no.pack"), &options) {
        Err(BakeError::Option { .. }) => {}
        other => panic!("{options:?}: {other:?}"),
    };
    for bbox in [[9.0, 45.0, 6.0, 46.0], [6.0, 46.0, 9.0, 45.0], [6.0, 45.0, f64::NAN, 46.0], [0.0, -91.0, 1.0, 0.0]] {
        refused(BakeOptions::default().with_bbox_deg(Some(bbox)));
    }
    refused(BakeOptions::default().with_max_level(Some(23)));
    for (index, count) in [(0, 3), (4, 3), (1, 0)] {
        refused(BakeOptions::default().with_shard(Some(Shard { index, count })));
    }
    let error = bake(Path::new("missing.tif"), Path::new("a.pack"), &BakeOptions::default()).unwrap_err();
    assert!(matches!(&error, BakeError::Source(e) if matches!(**e, HeightError::Missing { .. })), "{error}");
}
