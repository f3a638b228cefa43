//! The errors in a pack are those of its own heights: told here by brute force from the bisection itself.

use std::{collections::HashMap, fs};

use tempfile::TempDir;
use terrain::{
    bisection::{HeapId, ROOTS, bisected_edge},
    cube::CubePoint,
    geodesy::ecef,
    height::{Lattice, OpenOptions, Relief},
    pack::{Bake, BakeOptions, Pack, PackError, Shard, merge},
    tile::{TILE_VERTICES, Tile, TileId, birth},
};

use super::raster_files::{Field, Frame};

/// Half a degree of hills, posted every 550 m: tiles to level 7 there.
fn hills(folder: &TempDir) -> std::path::PathBuf {
    let frame = Frame::north_up("EPSG:4326", (100, 100), -150.2, 20.3, 0.005);
    frame.write_field(folder.path(), "hills.tif", Field::for_posting_deg(0.0005))
}

/// All vertices of a pack: height, stored error, and the level that they are born at.
fn vertices(pack: &Pack) -> HashMap<CubePoint, (f64, f64, u32)> {
    let mut vertices = HashMap::new();
    for id in pack.ids() {
        let tile = pack.tile(id).unwrap().unwrap();
        for y in 0..TILE_VERTICES {
            for x in 0..TILE_VERTICES {
                let point = id.place(x as u32, y as u32).point();
                let (canonical, ..) = birth(point);
                if canonical == id {
                    let texel = tile.texel(x, y);
                    let error_m = if texel.error_code() > 0 { texel.error_m() } else { 0.0 };
                    vertices.insert(point, (texel.height_m(), error_m, id.level));
                } else if canonical.level == id.level && !pack.contains(canonical) {
                    // On the side of the last tile: the mesh reads it nowhere.
                    vertices.entry(point).or_insert((tile.texel(x, y).height_m(), f64::INFINITY, id.level));
                }
            }
        }
    }
    vertices
}

/// Own error of a vertex in metres, in three dimensions.
fn own_m(vertices: &HashMap<CubePoint, (f64, f64, u32)>, vertex: CubePoint) -> Option<f64> {
    let [a, b] = bisected_edge(vertex)?;
    let at = |p: CubePoint| Some(ecef(p.normal(), vertices.get(&p)?.0));
    Some(vertex.normal().dot(at(vertex)? - 0.5 * (at(a)? + at(b)?)).abs())
}

/// Law: the stored error of every vertex covers its own and, through its children, that of every vertex that follows it down to
/// the finest tiles; where all of these are there, it is not more than the code's rounding above them.
#[test]
fn errors_are_saturated_over_all_finer_tiles() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("hills.pack");
    let options = BakeOptions { bbox_deg: Some([-151.0, 19.0, -149.0, 21.0]), ..BakeOptions::default() };
    Bake::new(&[hills(&folder)], &OpenOptions::default(), &options).unwrap().run(&out, false, &mut |_| {}).unwrap();
    let pack = Pack::open(&out).unwrap();
    let vertices = vertices(&pack);
    let finest = pack.manifest().max_level;
    assert_eq!(finest, 7);

    // From every root down, as far as the pack has vertices: the largest error of a vertex and of all that its splits lead to.
    struct Walk<'a> {
        vertices: &'a HashMap<CubePoint, (f64, f64, u32)>,
        /// Error, and whether everything down to the finest level was there.
        known: HashMap<CubePoint, (f64, bool)>,
    }
    impl Walk<'_> {
        fn error_m(&mut self, id: HeapId, finest: u32) -> Option<(f64, bool)> {
            let vertex = id.triangle().midpoint();
            let own = own_m(self.vertices, vertex)?;
            let (mut error, mut complete) = (own, true);
            for child in [id.child(0), id.child(1)] {
                if birth(child.triangle().midpoint()).0.level > finest {
                    complete = false;
                    continue;
                }
                match self.error_m(child, finest) {
                    Some((e, all)) => (error, complete) = (error.max(e), complete && all),
                    None => complete = false,
                }
            }
            // Two triangles share the vertex; each sees two of its children.
            let entry = self.known.entry(vertex).or_insert((error, complete));
            *entry = (entry.0.max(error), entry.1 && complete);
            Some((error, complete))
        }
    }
    let mut walk = Walk { vertices: &vertices, known: HashMap::new() };
    for root in 0..ROOTS {
        walk.error_m(HeapId::root(root), finest);
    }
    assert!(walk.known.len() > 1_000_000, "{}", walk.known.len());
    let (mut loose, mut largest_ratio) = (0u32, 0f64);
    for (vertex, (error_m, _)) in &walk.known {
        let (_, stored_m, level) = vertices[vertex];
        // f32 on the way, and heights rounded to a texel.
        assert!(stored_m >= error_m * (1.0 - 1e-5) - 0.01, "{vertex:?} of level {level}: {stored_m} {error_m}");
        let ratio = stored_m / error_m.max(1.0);
        loose += u32::from(ratio > 1.07);
        largest_ratio = largest_ratio.max(if ratio.is_finite() { ratio } else { 0.0 });
    }
    // Only next to where a level ends something is expected that is not there.
    assert!(f64::from(loose) < 0.2 * walk.known.len() as f64, "{loose} of {}", walk.known.len());

    // The index knows the largest of each tile, and a mesh over the pack reads these errors.
    let relief = Relief::open(std::slice::from_ref(&out), &OpenOptions::default()).unwrap();
    let lattice = Lattice::build(&relief, 8);
    for id in pack.ids().filter(|id| id.level == 3 || id.level == finest).step_by(23) {
        let tile = pack.tile(id).unwrap().unwrap();
        let summary = pack.summary(id).unwrap();
        assert_eq!(summary.range_m, tile.range_m());
        assert_eq!(summary.error_m, tile.error_m());
        let built = Tile::build(&relief, &lattice, id);
        let pairs = built.texels().iter().zip(tile.texels());
        for (built, packed) in pairs {
            assert!(built.error_code() >= packed.error_code(), "{id:?}");
        }
    }
    assert_eq!(pack.summary(TileId { face: 0, level: 9, i: 0, j: 0 }), None);
}

/// Law: errors do not depend on how the work was divided.
#[test]
fn shards_know_no_errors_and_their_whole_does() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let source = hills(&folder);
    let bake = |name: &str, shard: Option<Shard>| {
        let options = BakeOptions { max_level: Some(2), shard, ..BakeOptions::default() };
        let bake = Bake::new(std::slice::from_ref(&source), &OpenOptions::default(), &options).unwrap();
        bake.run(&at(name), false, &mut |_| {}).unwrap();
    };
    bake("whole.pack", None);
    for index in 1..=2 {
        bake(&format!("{index}.pack"), Some(Shard { index, count: 2 }));
    }
    let shard = Pack::open_any(&at("1.pack")).unwrap();
    assert_eq!(shard.summary(TileId::root(0)).unwrap().error_m, f64::INFINITY);
    merge(&[at("1.pack"), at("2.pack")], &at("merged.pack"), false, &mut |_| {}).unwrap();
    assert!(fs::read(at("whole.pack")).unwrap() == fs::read(at("merged.pack")).unwrap());

    // A pack of an earlier version is refused in words, and not overwritten.
    let mut old = fs::read(at("whole.pack")).unwrap();
    old[8] = 1;
    fs::write(at("old.pack"), &old).unwrap();
    let error = Pack::open(&at("old.pack")).unwrap_err();
    assert!(matches!(error, PackError::Version { found: 1, known: 2, .. }), "{error}");
    assert!(error.to_string().contains("bake it again"), "{error}");
}
