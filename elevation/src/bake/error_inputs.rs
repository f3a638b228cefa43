//! What besides the heights in its log do the errors of a pack's tiles follow from? From tiles of other shards, or
//! errors that these have.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::pack_tiles::PackTiles;
use crate::{
    pack::{Pack, PackError, PartKind, format::ErrorsHeader},
    tile::{MAX_TILE_LEVEL, TileId},
};

/// What the errors of a pack's tiles follow from, besides the heights in its log.
pub(super) enum ErrorInputs<'a> {
    /// Nothing else: all heights are in the log.
    LogOnly,
    /// Tiles of other shards.
    OtherShards(OtherShards<'a>),
    /// All heights are in the log, and these shards of the pack, in order, have errors of some of its tiles.
    FromShards(&'a [Pack]),
}

/// The tiles of a pack that are not of a shard.
pub(super) struct OtherShards<'a> {
    /// Heights in steps of those tiles of the shard whose parents, which they are decoded by, are elsewhere.
    pub tops: FxHashMap<TileId, Arc<Vec<u32>>>,
    /// All tiles of the pack.
    pub wanted: &'a PackTiles,
    /// The first tile of the shard, and the first one after it.
    pub ends: [Option<TileId>; 2],
}

impl OtherShards<'_> {
    /// Whether a tile that is not in the shard is in another one.
    pub fn contains(&self, id: TileId) -> bool {
        let [first, next] = self.ends;
        let is_within = first.is_none_or(|first| !is_before(id, first)) && next.is_none_or(|next| is_before(id, next));
        !is_within && self.wanted.contains(id)
    }
}

/// Whether a tile comes before another one in a pack.
pub(super) fn is_before(id: TileId, other: TileId) -> bool {
    place(id) < place(other)
}

/// Grows from each tile of a pack to the next: parents come before their children, and those one after the other.
fn place(id: TileId) -> (u32, u64, u32) {
    let spread = |x: u32| (0..MAX_TILE_LEVEL).fold(0, |sum, bit| sum | u64::from(x >> bit & 1) << (2 * bit));
    let finest = MAX_TILE_LEVEL - id.level;
    (id.face, (spread(id.i) | spread(id.j) << 1) << (2 * finest), id.level)
}

impl ErrorInputs<'_> {
    /// The shard that the `k`-th tile of the pack is of, if shards are known, and which of its tiles that is.
    fn shard_of(&self, k: usize) -> Option<(&Pack, usize)> {
        let Self::FromShards(shards) = self else { return None };
        let first = |shard: &Pack| shard.manifest().shard.map_or(0, |share| share.first as usize);
        let shard = shards[..shards.partition_point(|shard| first(shard) <= k)].last()?;
        Some((shard, k - first(shard)))
    }

    /// Tells shards that are elsewhere of which tiles, by their numbers in the pack, errors will be read.
    pub fn prefetch(&self, tiles: impl Iterator<Item = usize>) {
        let found: Vec<(&Pack, usize)> = tiles.filter_map(|k| self.shard_of(k)).collect();
        for of_one in found.chunk_by(|(a, _), (b, _)| std::ptr::eq(*a, *b)) {
            of_one[0].0.prefetch_records(of_one.iter().map(|(_, k)| *k), PartKind::Errors);
        }
    }

    /// Header and payload of the errors of a tile, which is the `k`-th of the pack, if some shard has them.
    pub fn known_errors(&self, k: usize) -> Result<Option<(ErrorsHeader, Vec<u8>)>, PackError> {
        let Some((shard, k)) = self.shard_of(k) else { return Ok(None) };
        shard.errors_of(&shard.records()[k])
    }

    /// Those of other shards.
    pub fn other_shards(&self) -> Option<&OtherShards<'_>> {
        if let Self::OtherShards(others) = self { Some(others) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{geodesy::Ellipsoid, height::Area, random::rng, tile::posting_m};
    use rand::Rng;

    /// Law: tiles that another shard has are those of the pack that are not of the shard, told one by one.
    #[test]
    fn others_have_what_the_shard_has_not() {
        let mut rng = rng();
        for _ in 0..20 {
            let mut area = |size: f64, level| {
                let (west, south) = (rng.random_range(-180.0..180.0), rng.random_range(-90.0..90.0 - size));
                Area {
                    bbox_deg: [west, south, west + size, south + size],
                    posting_m: posting_m(Ellipsoid::WGS84, level),
                    cap: None,
                }
            };
            let earth =
                Area { bbox_deg: [-180.0, -90.0, 180.0, 90.0], posting_m: posting_m(Ellipsoid::WGS84, 1), cap: None };
            let wanted = PackTiles::new(Ellipsoid::WGS84, vec![area(3.0, 6), area(20.0, 4), earth], 6, 1, None);
            let all: Vec<TileId> = wanted.iter().collect();
            assert!(all.is_sorted_by_key(|id| place(*id)));
            let first = rng.random_range(0..all.len());
            let next = rng.random_range(first + 1..=all.len());
            let ends = [Some(all[first]), all.get(next).copied()];
            let others = OtherShards { tops: FxHashMap::default(), wanted: &wanted, ends };
            for _ in 0..300 {
                let level = rng.random_range(0..7);
                let mut along = || rng.random_range(0..1 << level);
                let (i, j) = (along(), along());
                let id = TileId { face: rng.random_range(0..6), level, i, j };
                let at = all.iter().position(|tile| *tile == id);
                assert_eq!(wanted.contains(id), at.is_some());
                assert_eq!(others.contains(id), at.is_some_and(|at| !(first..next).contains(&at)), "{id}");
            }
        }
    }
}
