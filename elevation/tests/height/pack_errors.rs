//! The errors in a pack are those of its own heights: told here by brute force from the bisection itself.

use std::{collections::HashMap, fs};

use elevation::{
    bake::{Bake, BakeOptions, merge},
    bisection::bisected_edge,
    cube::{CubePoint, FACES, FacePoint, ONE},
    geodesy::Ellipsoid,
    height::{CoarseErrors, OpenOptions, Relief},
    pack::{Pack, PackError, Shard},
    tile::decode_error_m,
    tile::{Tile, TileId, birth},
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use tempfile::TempDir;

use super::raster_files::{Field, Frame};

/// Half a degree of hills, posted every 550 m: tiles to level 7 there.
fn hills(folder: &TempDir) -> std::path::PathBuf {
    let frame = Frame::north_up("EPSG:4326", (100, 100), -150.2, 20.3, 0.005);
    frame.write_field(folder.path(), "hills.tif", Field::for_posting_deg(0.0005))
}

/// The tiles of a pack, decoded as they are asked for.
struct Tiles<'a> {
    pack: &'a Pack,
    decoded: HashMap<TileId, Tile>,
}

impl Tiles<'_> {
    /// Height and error of a vertex in metres from the tile that it is born in; `None` if the pack ends above that.
    fn vertex(&mut self, vertex: CubePoint) -> Option<(f64, f64)> {
        let (id, x, y) = birth(vertex);
        if !self.pack.contains(id) {
            return None;
        }
        let tile = self.decoded.entry(id).or_insert_with(|| self.pack.tile(id).unwrap().unwrap());
        let texel = tile.texel(x as usize, y as usize);
        Some((texel.height_m(), if texel.error_code() > 0 { texel.error_m() } else { 0.0 }))
    }

    /// Own error of a vertex in metres, in three dimensions; `None` for one whose edge ends in a tile that is not there, beside the
    /// last of its level.
    fn own_m(&mut self, vertex: CubePoint) -> Option<f64> {
        let mut at = |p: CubePoint| Some(Ellipsoid::WGS84.ecef(p.normal(), self.vertex(p)?.0));
        let [a, b] = bisected_edge(vertex)?;
        Some(vertex.normal().dot(at(vertex)? - 0.5 * (at(a)? + at(b)?)).abs())
    }
}

/// The four vertices that the split of a vertex makes possible.
fn children(vertex: CubePoint) -> Vec<CubePoint> {
    let mut found = Vec::new();
    for place in (0..FACES).filter_map(|face| vertex.on(face)) {
        let scale = 1u32 << place.u.trailing_zeros().min(place.v.trailing_zeros()).min(30);
        let diagonal = place.u.trailing_zeros() == place.v.trailing_zeros();
        let (h, s) = (i64::from(scale / 2), i64::from(scale));
        let steps = if diagonal { [(s, 0), (-s, 0), (0, s), (0, -s)] } else { [(h, h), (-h, h), (h, -h), (-h, -h)] };
        for (du, dv) in steps {
            let (u, v) = (i64::from(place.u) + du, i64::from(place.v) + dv);
            if (0..=i64::from(ONE)).contains(&u) && (0..=i64::from(ONE)).contains(&v) {
                found.push(FacePoint { u: u as u32, v: v as u32, ..place }.point());
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Law: the stored error of every vertex covers its own and those of the four that follow it, so by induction everything finer
/// in the pack; where all four are there it is nothing but the largest of these, rounded up.
#[test]
fn errors_are_saturated_over_all_finer_tiles() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("hills.pack");
    Bake::new(&[hills(&folder)], &OpenOptions::default(), &BakeOptions::default())
        .unwrap()
        .run(&out, false, &mut |_| {})
        .unwrap();
    let pack = Pack::open(&out).unwrap();
    let finest = pack.manifest().max_level;
    assert_eq!(finest, 7);
    let ids: Vec<TileId> = pack.ids().collect();
    let mut tiles = Tiles { pack: &pack, decoded: HashMap::new() };
    let mut rng = StdRng::seed_from_u64(8);
    let (mut whole, mut ended) = (0, 0);
    // The coarsest ones all, and of the rest every tile around the hills and some of the others.
    let chosen = ids.iter().enumerate().filter(|(k, id)| id.level != 3 || k % 16 == 0).map(|(_, id)| *id);
    for id in chosen {
        for _ in 0..400 {
            // Many on the sides of tiles, which two tiles or two faces share.
            let mut along =
                || if rng.random_ratio(1, 4) { [0, 256][rng.random_range(0..2)] } else { rng.random_range(0..=256) };
            let (x, y) = (along(), along());
            let vertex = id.place(x, y).point();
            if birth(vertex).0 != id || bisected_edge(vertex).is_none() {
                continue;
            }
            let (_, stored_m) = tiles.vertex(vertex).unwrap();
            let children = children(vertex);
            assert_eq!(children.len(), 4, "{vertex:?}");
            let Some(own_m) = tiles.own_m(vertex) else { continue };
            // Codes end there.
            let own_m = own_m.min(decode_error_m(u8::MAX));
            let known: Vec<f64> = children.iter().filter_map(|child| Some(tiles.vertex(*child)?.1)).collect();
            let largest_m = known.iter().copied().fold(own_m, f64::max);
            // The curvature below level 5 is the larger one of the two directions in the middle of a tile.
            let room_m = 0.02 + 0.002 * own_m;
            assert!(stored_m >= largest_m - room_m, "{id:?} {x} {y}: {stored_m}, own {own_m}, {known:?}");
            if known.len() == 4 {
                whole += 1;
                let curvature_m = if id.level > 5 { 0.15 } else { 0.0 };
                let most_m = f64::max(1.072 * largest_m, 1.0 / 1024.0) + room_m + curvature_m;
                // The coarsest vertices keep the planet round.
                assert!(stored_m <= most_m || id.level == 0, "{id:?} {x} {y}: {stored_m}, own {own_m}, {known:?}");
            } else {
                ended += 1;
            }
        }
    }
    assert!(whole > 10_000 && ended > 3_000, "{whole} {ended}");

    // The index knows the largest of each tile, and a mesh over the pack reads these errors.
    let relief = Relief::open(std::slice::from_ref(&out), &OpenOptions::default()).unwrap();
    let coarse_errors = CoarseErrors::build(&relief, 8);
    for id in ids.iter().filter(|id| id.level == 2 || id.level == finest).step_by(23).copied() {
        let tile = pack.tile(id).unwrap().unwrap();
        let summary = pack.summary(id).unwrap();
        assert_eq!(summary.range_m, tile.range_m());
        assert_eq!(summary.error_m, tile.error_m());
        let built = Tile::build(&relief, &coarse_errors, id);
        let pairs = built.texels().iter().zip(tile.texels());
        for (built, packed) in pairs {
            assert!(built.error_code() >= packed.error_code(), "{id:?}");
        }
    }
    assert_eq!(pack.summary(TileId { face: 0, level: 9, i: 0, j: 0 }), None);
}

/// Law: errors do not depend on how the work was divided: shards know most of those of the whole, and joining tells the rest.
#[test]
fn shards_know_errors_of_their_whole() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let source = hills(&folder);
    let bake = |name: &str, shard: Option<Shard>| {
        let options = BakeOptions::default().with_max_level(Some(3)).with_shard(shard);
        let bake = Bake::new(std::slice::from_ref(&source), &OpenOptions::default(), &options).unwrap();
        bake.run(&at(name), false, &mut |_| {}).unwrap();
    };
    bake("whole.pack", None);
    let whole = Pack::open(&at("whole.pack")).unwrap();
    let (mut known, mut unknown) = ([0; 4], [0; 4]);
    for index in 1..=2 {
        let name = format!("{index}.pack");
        bake(&name, Some(Shard { index, count: 2 }));
        let shard = Pack::open_any(&at(&name)).unwrap();
        for id in shard.ids() {
            let (found, expected) = (shard.summary(id).unwrap(), whole.summary(id).unwrap());
            if found == expected {
                known[id.level as usize] += 1;
            } else {
                assert_eq!(found.error_m, f64::INFINITY);
                unknown[id.level as usize] += 1;
            }
        }
    }
    // Half a cube: the coarser, the more touch the seam; nothing is finer than the finest ones.
    assert!(unknown[3] == 0 && known[2] > 24 && known[0] == 0, "{known:?}, {unknown:?}");
    merge(&[at("1.pack"), at("2.pack")], &at("merged.pack"), false, &mut |_| {}).unwrap();
    assert!(fs::read(at("whole.pack")).unwrap() == fs::read(at("merged.pack")).unwrap());

    // A pack of an earlier version is refused in words, and not overwritten.
    let mut old = fs::read(at("whole.pack")).unwrap();
    old[8] = 3;
    fs::write(at("old.pack"), &old).unwrap();
    let error = Pack::open(&at("old.pack")).unwrap_err();
    assert!(matches!(error, PackError::Version { found: 3, known: 4, .. }), "{error}");
    assert!(error.to_string().contains("bake it again"), "{error}");
}
