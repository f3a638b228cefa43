//! A tile whose squeezed heights and errors are foreign is refused by name, or its heights are what the index states; the tiles
//! beside it are read as before.

use std::sync::LazyLock;

use super::super::{Bytes, Part, Payload, Recipe, file, within};
use elevation::{
    pack::{Pack, PackError},
    tile::TileId,
};

const MANIFEST: &str = r#"{"key":"0","height_step_m":0.25,"max_level":1,"bbox_deg":null,"tiles":7,"shard":null,
"sources":[{"name":"a.tif","crs":"WGS 84","datum":"not stated","posting_m":10000.0,"level":1,
"bbox_deg":[-180.0,-90.0,180.0,90.0],"cap":null}]}"#;
/// Bytes of a tile while it is decoded, with its parent.
const DECODING: usize = 4 << 20;

/// Heights and errors of a flat face, squeezed once.
static FLAT: LazyLock<[Payload; 2]> = LazyLock::new(|| {
    let squeezed = |bytes: u32| Payload { plain: Some(bytes), bytes: Vec::new() }.squeezed();
    [4 * 257 * 257, 257 * 257].map(|bytes| Payload { plain: None, bytes: squeezed(bytes) })
});

/// A pack of flat faces and one child of the first, whose payloads these are.
fn pack(first: Part, child: Part) -> Vec<u8> {
    let [heights, errors] = &*FLAT;
    let face =
        |face: u8| Part { face_level: [face, 0], heights: heights.clone(), errors: errors.clone(), ..Part::default() };
    let mut tiles = vec![first, child];
    tiles.extend((1..6).map(face));
    Recipe { manifest: MANIFEST.into(), tiles, ..Recipe::default() }.seal(true)
}

/// The law.
pub fn law(bytes: &[u8]) {
    let mut input = Bytes::new(bytes);
    let mut first = Part::read(&mut input);
    let mut child = Part::read(&mut input);
    (first.face_level, first.shift) = ([0, 0], 0);
    (first.numbers[0], first.numbers[1]) = (0, 0);
    (child.face_level, child.shift) = ([0, 1], 0);
    child.numbers[0] &= 1;
    child.numbers[1] &= 1;
    let ranges = [first.numbers, child.numbers].map(|n| (n[2], n[3]));
    let ids = [TileId::root(0), TileId { face: 0, level: 1, i: child.numbers[0], j: child.numbers[1] }];
    let path = file("tile.pack", &pack(first, child));
    let pack = match Pack::open(&path) {
        Ok(pack) => pack,
        // A range that no tile can have.
        Err(error) => return assert!(matches!(error, PackError::Corrupt { .. }), "{error}"),
    };
    for (id, (low, high)) in ids.into_iter().zip(ranges) {
        match within(DECODING, "decoding a tile", || pack.tile(id)) {
            Ok(tile) => {
                let tile = tile.expect("it is in the index");
                let texels = tile.texels().iter().map(|texel| texel.0 >> 8);
                let steps = texels.fold((u32::MAX, 0), |(l, h), s| (l.min(s), h.max(s)));
                // A quarter of a metre is 128 steps of a texel.
                assert_eq!((tile.id(), steps), (id, (low * 128, high * 128)));
            }
            Err(PackError::Corrupt { file, .. }) => assert_eq!(file, path),
            Err(other) => panic!("{other}"),
        }
    }
    let other = pack.tile(TileId::root(3)).expect("it is sound").expect("it is there");
    assert!(other.texels().iter().all(|texel| texel.0 >> 8 == 0));
}
