//! How does a tile lie in a file by itself, without a parent? Heights and errors as they are, with a checksum over all.
//!
//! A log of such records is what the disk cache of tiles is made of ([`crate::TileCache`]).

use super::{
    codec, error_codec,
    format::{TILE_BYTES, TileHeader, VERSION},
    index::MOST_PAYLOAD,
};
use crate::tile::{Texel, Tile, TileId};

pub(crate) use super::format::{TILE_BYTES as HEAD_BYTES, TILE_MAGIC as MAGIC};

/// Most steps of a texel.
const MOST_STEPS: u32 = (1 << 24) - 1;

/// Names what decides about the bytes of a record, to be part of a log's key.
pub(crate) fn version() -> String {
    format!("tile record {VERSION}")
}

/// The record of a tile.
///
/// # Errors
/// No memory for zstd.
pub(crate) fn to_bytes(tile: &Tile) -> std::io::Result<Vec<u8>> {
    let steps: Vec<u32> = tile.texels().iter().map(|texel| texel.0 >> 8).collect();
    let codes: Vec<u8> = tile.texels().iter().map(|texel| texel.error_code()).collect();
    // The parent's vertices are stored too, so that the tile can be read alone.
    let heights = codec::encode(&steps, true)?;
    let errors = error_codec::encode(&codes, true)?;
    let payload = [&(heights.len() as u32).to_le_bytes()[..], &heights, &errors].concat();
    let range = steps.iter().fold([u32::MAX, 0], |[low, high], s| [low.min(*s), high.max(*s)]);
    let header = TileHeader::new(tile.id(), range, &payload);
    Ok([&header.to_bytes()[..], &payload].concat())
}

/// The tile of a record; `None` if it is damaged.
pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Tile> {
    let (head, payload) = bytes.split_first_chunk::<TILE_BYTES>()?;
    let header = TileHeader::from_bytes(head)?;
    if header.checksum_with(payload) != header.checksum {
        return None;
    }
    let (length, rest) = payload.split_first_chunk::<4>()?;
    let (heights, errors) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    let steps = codec::decode(heights, None, MOST_STEPS).ok()?;
    let codes = error_codec::decode(errors, true).ok()?;
    let texels = steps.iter().zip(codes).map(|(steps, code)| Texel(steps << 8 | u32::from(code))).collect();
    Some(Tile::from_texels(header.id, texels, 1.0))
}

/// Which tile the record of a head is of, and its bytes, head included; `None` of what is no head.
pub(crate) fn of_head(head: &[u8]) -> Option<(TileId, u64)> {
    let header = TileHeader::from_bytes(head.try_into().ok()?)?;
    // Heights and errors, each at most this long: what states more is damaged.
    let bytes = u64::from(header.bytes);
    (bytes <= 2 * MOST_PAYLOAD).then_some((header.id, TILE_BYTES as u64 + bytes))
}
