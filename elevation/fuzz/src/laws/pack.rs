//! A pack of foreign bytes is refused, or answers with what it has; never a panic, and no more memory than its bytes account for.

use std::{path::Path, sync::Arc};

use super::super::{Bytes, Recipe, file, within};
use elevation::{
    bake::verify,
    cube::{face_coordinate, face_normal},
    geodesy::Ellipsoid,
    height::{OpenOptions, Relief},
    pack::{Pack, PackError, is_pack},
    surface::Surface,
    tile::{Tile, TileId},
};

/// Bytes of memory for each byte of a file that is opened: tiles are told by their index, which is squeezed.
const OPENING: usize = 80;
/// Bytes for what does not depend on the file.
const BASE: usize = 1 << 20;
/// Bytes of a tile while it is decoded, with its parent.
const DECODING: usize = 4 << 20;
/// Tiles that are asked for.
const ASKED: usize = 12;

fn ask(path: &Path, bytes: usize) {
    let opened = within(BASE + OPENING * bytes, "opening a pack", || Pack::open_any(path));
    let Ok(pack) = opened else { return };
    assert!(is_pack(path));
    assert_eq!(pack.ids().count(), pack.len());
    assert_eq!(pack.levels().iter().map(|level| level.tiles).sum::<u64>(), pack.len() as u64);
    let (low_m, high_m) = pack.range_m();
    for id in pack.ids().take(ASKED) {
        let summary = pack.summary(id).expect("it is in the index");
        assert!(summary.range_m.0 >= low_m && summary.range_m.1 <= high_m && summary.error_m >= 0.0);
        match within(DECODING, "decoding a tile", || pack.tile(id)) {
            Ok(Some(tile)) => assert!(tile.id() == id && inside(&tile, summary.range_m)),
            Ok(None) => panic!("{id:?} is in the index"),
            Err(PackError::Corrupt { file, .. }) => assert_eq!(file, path),
            Err(other) => panic!("{other}"),
        }
    }
    let (_, found) = verify(path, &|_| {}).expect("it was opened before");
    assert_eq!(found.tiles, pack.len() as u64);
    assert_eq!(found.bad == 0, found.complaints.is_empty());
    if pack.manifest().shard.is_none() {
        fly(path, &pack, found.bad == 0);
    }
}

/// Whether a tile's heights are in a range.
fn inside(tile: &Tile, (low_m, high_m): (f64, f64)) -> bool {
    tile.range_m().0 >= low_m && tile.range_m().1 <= high_m
}

/// What a program asks of a pack that it flies over.
fn fly(path: &Path, pack: &Pack, is_sound: bool) {
    let relief = Relief::open(&[path.to_path_buf()], &OpenOptions::default()).expect("it was opened before");
    let places = pack.ids().take(ASKED).map(|id: TileId| {
        let place = id.place(100, 200);
        face_normal(place.face, face_coordinate(place.u), face_coordinate(place.v))
    });
    let surface = Surface::new(Arc::new(relief));
    let relief = surface.relief();
    for n in places {
        let sample = relief.sample(n);
        assert!(sample.height_m.is_finite() && relief.posting_m(n) > 0.0, "{sample:?}");
        let told = surface.ground(n).provenance;
        assert!((0.0..=1.0).contains(&told.share), "{told:?}");
        let _named = relief.source_at(0, n);
        let ray = surface.ray(Ellipsoid::WGS84.ecef(n, sample.height_m + 2000.0), -n, 5000.0);
        if is_sound {
            assert!(ray.is_ok_and(|hit| hit.is_some()), "straight down to {sample:?}");
        }
    }
    assert!(!is_sound || relief.failure().is_none());
}

/// The law.
pub fn law(bytes: &[u8]) {
    let mut input = Bytes::new(bytes);
    let kind = input.byte();
    let pack = if kind == 0 { input.rest().to_vec() } else { Recipe::read(&mut input).seal(kind & 1 == 1) };
    ask(&file("a.pack", &pack), pack.len());
}
