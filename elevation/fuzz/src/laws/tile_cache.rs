//! Whatever lies in the disk cache, a tile is found with a checksum that is right or not at all, and what is kept is found again.

use std::{fs, sync::LazyLock};

use super::super::{Bytes, Part, Payload, file, folder, tile_header, within};
use elevation::{
    TileCache,
    tile::{TILE_VERTICES, Tile, TileId},
};

/// Bytes of memory for each byte of a log that is opened: a header is 36 bytes, and where it lies takes about as much.
const OPENING: usize = 8;
const BASE: usize = 1 << 20;
/// Bytes of a tile while it is decoded.
const DECODING: usize = 4 << 20;

/// A tile as it lies in a log: heights and errors in one payload.
fn record(part: &Part) -> Vec<u8> {
    let heights = part.heights.squeezed();
    // The length of the heights is foreign too, now and then.
    let length = (heights.len() as u32) ^ u32::from(part.shift);
    let payload = [&length.to_le_bytes()[..], &heights, &part.errors.squeezed()].concat();
    [&tile_header(part, &payload)[..], &payload].concat()
}

fn id_of(part: &Part) -> TileId {
    let [face, level] = part.face_level.map(u32::from);
    TileId { face, level, i: part.numbers[0], j: part.numbers[1] }
}

/// A tile that is kept by a cache of another key.
static SOUND: LazyLock<Tile> = LazyLock::new(|| {
    let plain = |bytes: u32| Payload { plain: Some(bytes), bytes: vec![1, 0, 0] };
    let (heights, errors) = (Payload { bytes: Vec::new(), ..plain(4 * 257 * 257) }, plain(257 * 257));
    let part = Part { face_level: [5, 22], numbers: [77, 88, 0, 0], heights, errors, ..Part::default() };
    file(&TileCache::file_names("sound")[0], &record(&part));
    TileCache::with_key(&folder(), "sound", 1 << 30).get(id_of(&part)).expect("it is sound")
});

/// The law.
pub fn law(bytes: &[u8]) {
    let mut input = Bytes::new(bytes);
    let kind = input.byte();
    let parts: Vec<Part> = (0..kind & 3).map(|_| Part::read(&mut input)).collect();
    let mut logs = [Vec::new(), Vec::new()];
    for (k, part) in parts.iter().enumerate() {
        logs[usize::from(kind >> (2 + k) & 1)].extend(record(part));
    }
    logs[usize::from(kind >> 5 & 1)].extend(input.rest());
    let [young, old] = TileCache::file_names("abc");
    file(&young, &logs[0]);
    file(&old, &logs[1]);
    let length = logs[0].len() + logs[1].len();
    let open = || TileCache::with_key(&folder(), "abc", 1 << 30);
    let cache = within(BASE + OPENING * length, "opening a cache", open);
    for id in parts.iter().map(id_of).chain((0..6).map(TileId::root)) {
        if let Some(tile) = within(DECODING + length, "decoding a tile", || cache.get(id)) {
            assert_eq!((tile.id(), tile.texels().len()), (id, TILE_VERTICES * TILE_VERTICES));
            assert_eq!(cache.get(id), Some(tile));
        }
    }
    // Afterwards it does what a cache is for.
    cache.put(&SOUND);
    assert!(cache.is_writing());
    drop(cache);
    let kept = open().get(SOUND.id());
    assert!(kept.is_some(), "it was put there or found there");
    let _others = fs::remove_file(folder().join(&old));
}
