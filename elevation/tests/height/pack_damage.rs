//! Is damage to a pack noticed, wherever it is?

use std::{fs, sync::LazyLock};

use elevation::{
    bake::{BakeOptions, verify},
    height::{OpenOptions, Relief},
    pack::{Pack, PackError},
    tile::TileId,
};
use proptest::prelude::*;
use tempfile::TempDir;

use super::packs::{HILLS, PACK, bake, open};
use super::raster_files::normal;

/// A damaged tile is not an end: what is coarser answers, and it is known that something is missing.
#[test]
fn a_damaged_tile_is_reported_and_bridged() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("damaged.pack");
    let mut bytes = fs::read(&PACK.pack).unwrap();
    // The tile in the middle of the hills, found by its header.
    let n = normal(HILLS.0 + 0.25, HILLS.1 - 0.25);
    let vertex = elevation::cube::CubePoint::nearest(n).on_face();
    let side = elevation::cube::ONE >> 7;
    let (i, j) = (vertex.u / side, vertex.v / side);
    let header = [b"TILE".as_slice(), &[vertex.face as u8, 7]].concat();
    let ids = [i.to_le_bytes(), j.to_le_bytes()].concat();
    let at = (0..bytes.len()).find(|&k| bytes[k..].starts_with(&header) && bytes[k + 8..].starts_with(&ids)).unwrap();
    bytes[at + 200] ^= 1;
    fs::write(&path, bytes).unwrap();
    let (_, found) = verify(&path, &|_| {}).unwrap();
    assert_eq!(found.bad, 1, "{found:?}");
    assert!(matches!(found.complaints[0], PackError::Corrupt { offset, .. } if offset == at as u64), "{found:?}");
    let relief = open(&path);
    assert_eq!(relief.failure(), None);
    let (got, expected) = (relief.sample(n).height_m, open(&PACK.pack).sample(n).height_m);
    assert!((got - expected).abs() < 1500.0, "{got} {expected}");
    let failure = relief.failure().expect("it is known").to_string();
    assert!(failure.contains("damaged.pack") && failure.contains(&at.to_string()), "{failure}");
}

/// A pack of six tiles, for damage of every kind.
static SMALL: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let path = PACK.folder.path().join("small.pack");
    bake(&PACK.hills, &path, &BakeOptions::default().with_max_level(Some(0))).unwrap();
    fs::read(path).unwrap()
});

/// Opens, reads and verifies bytes as a pack; whether all of it was found sound.
fn sound(bytes: &[u8]) -> bool {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("foreign.pack");
    fs::write(&path, bytes).unwrap();
    let Ok(pack) = Pack::open(&path) else {
        assert!(Pack::open_any(&path).is_err() || verify(&path, &|_| {}).is_ok());
        return false;
    };
    let tiles = (0..6).all(|face| pack.tile(TileId::root(face)).is_ok_and(|tile| tile.is_some()));
    let verified = verify(&path, &|_| {}).is_ok_and(|(_, found)| found.bad == 0);
    if let Ok(relief) = Relief::open(&[path], &OpenOptions::default()) {
        assert!(relief.sample(normal(10.0, 50.0)).height_m.is_finite());
    }
    tiles && verified
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Law: no damage goes unnoticed, none panics.
    #[test]
    fn damage_is_noticed(at in any::<prop::sample::Index>(), flip in 1..=255u8, cut in any::<prop::sample::Index>(), kind in 0..4) {
        let mut bytes = SMALL.clone();
        let at = at.index(bytes.len());
        match kind {
            0 => bytes[at] ^= flip,
            1 => bytes.truncate(cut.index(bytes.len())),
            2 => { bytes.remove(at); }
            _ => bytes.insert(at, flip),
        }
        prop_assert!(!sound(&bytes), "kind {} at {}", kind, at);
    }

    /// Law: bytes that only begin or end like a pack are refused.
    #[test]
    fn foreign_bytes_are_refused(noise in prop::collection::vec(any::<u8>(), 0..600), head in 0..400usize, tail in 0..200usize) {
        let bytes = [&SMALL[..head], &noise, &SMALL[SMALL.len() - tail..]].concat();
        prop_assert!(!sound(&bytes));
    }
}

#[test]
fn the_pack_itself_is_sound() {
    assert!(sound(&SMALL));
}
