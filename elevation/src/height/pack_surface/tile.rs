//! What is a tile of a pack in memory, and which of them are kept? Heights with a border, and what is around and below it.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::{RIM, STRIDE};
use crate::{
    cube::{FACES, face_normal, face_of},
    height::{cells::Pyramid, kernel::monotone_bicubic},
    pack::origins::Origins,
    tile::{TILE_QUADS, TileId},
};

/// Decoded tiles that are kept: 268 kB each.
pub(super) const KEPT: usize = 1024;

/// Tiles that were used last.
#[derive(Debug, Default)]
pub(super) struct SampledTileCache {
    pub(super) tiles: FxHashMap<TileId, (Arc<SampledTile>, u64)>,
    clock: u64,
}

impl SampledTileCache {
    pub(super) fn get(&mut self, id: TileId) -> Option<Arc<SampledTile>> {
        self.clock += 1;
        let (tile, used) = self.tiles.get_mut(&id)?;
        *used = self.clock;
        Some(tile.clone())
    }

    /// Keeps a tile, or returns the one that another thread has kept meanwhile. When there are too many, the quarter that
    /// was used longest ago goes.
    pub(super) fn put(&mut self, tile: Arc<SampledTile>) -> Arc<SampledTile> {
        self.clock += 1;
        if self.tiles.len() >= KEPT {
            let mut used: Vec<u64> = self.tiles.values().map(|(_, used)| *used).collect();
            let (_, &mut oldest, _) = used.select_nth_unstable(KEPT / 4);
            self.tiles.retain(|_, (_, used)| *used > oldest);
        }
        self.tiles.entry(tile.id).or_insert((tile, self.clock)).0.clone()
    }
}

/// A tile ready for sampling.
#[derive(Debug)]
pub(super) struct SampledTile {
    pub(super) id: TileId,
    /// Metres, with a border that goes on as straight as the last two vertices.
    pub(super) data: Vec<f32>,
    /// Which of the eight tiles around are missing: rows from below, the middle one unused.
    pub(super) missing: [[bool; 3]; 3],
    /// Which of the four children there are: (0, 0), (1, 0), (0, 1), (1, 1).
    pub(super) children: [bool; 4],
    /// Where its heights come from, if the pack tells.
    pub(super) origins: Option<Origins>,
    /// Made when the first ray comes near.
    pub(super) pyramid: OnceLock<Pyramid<f32>>,
}

impl SampledTile {
    /// Whether this tile is the one to ask at a place of a face.
    pub(super) fn answers(&self, face: u32, x: f64, y: f64, most: u32) -> bool {
        let id = self.id;
        if face != id.face || id.level > most || tile_at(face, id.level, x, y) != id {
            return false;
        }
        if id.level >= most.min(crate::tile::MAX_TILE_LEVEL) {
            return true;
        }
        let finer = tile_at(face, id.level + 1, x, y);
        !self.children[((finer.i & 1) + 2 * (finer.j & 1)) as usize]
    }

    /// Quads from the tile's corner to a place of its face.
    pub(super) fn quads(&self, x: f64, y: f64) -> (f64, f64) {
        let along = |x: f64, i: u32| {
            let quads = f64::from(TILE_QUADS);
            ((x * f64::from(1u32 << self.id.level) - f64::from(i)) * quads).clamp(0.0, quads)
        };
        (along(x, self.id.i), along(y, self.id.j))
    }

    /// Height in metres, and its weight against the parent's.
    pub(super) fn sample(&self, x: f64, y: f64) -> (f64, f64) {
        let (px, py) = self.quads(x, y);
        let cell = |p: f64| (p as usize).min(TILE_QUADS as usize - 1);
        let (column, row) = (cell(px), cell(py));
        let height_m = monotone_bicubic(&self.data, row * STRIDE + column, STRIDE, px - column as f64, py - row as f64);
        (height_m, self.weight(px, py))
    }

    fn weight(&self, px: f64, py: f64) -> f64 {
        let quads = f64::from(TILE_QUADS);
        // Distances to the tiles before, at and after this one along an axis.
        let (dx, dy) = ([px, 0.0, quads - px], [py, 0.0, quads - py]);
        let mut nearest = RIM;
        for (row, dy) in self.missing.iter().zip(dy) {
            for (missing, dx) in row.iter().zip(dx) {
                if *missing {
                    nearest = nearest.min(f64::max(dx, dy));
                }
            }
        }
        nearest / RIM
    }
}

/// The tile of a level at a place of a face, coordinates in [0, 1].
#[inline]
pub(super) fn tile_at(face: u32, level: u32, x: f64, y: f64) -> TileId {
    let tiles = 1u32 << level;
    let index = |x: f64| ((x * f64::from(tiles)) as u32).min(tiles - 1);
    TileId { face, level, i: index(x), j: index(y) }
}

/// The tile of the same level beside a tile or at its corner; where three tiles meet in a corner of the cube, one of the
/// others.
pub(super) fn neighbour(id: TileId, dx: i32, dy: i32) -> TileId {
    let last = (1i64 << id.level) - 1;
    let (i, j) = (i64::from(id.i) + i64::from(dx), i64::from(id.j) + i64::from(dy));
    if (0..=last).contains(&i) && (0..=last).contains(&j) {
        return TileId { i: i as u32, j: j as u32, ..id };
    }
    // A little beyond the edge the map of the face goes on as it would on the other face.
    let size = 2.0 / f64::from(1u32 << id.level);
    let middle = |index: u32, d: i32| {
        let beyond = f64::from(d) * (0.5 + 1e-3);
        (f64::from(index) + 0.5 + beyond) * size - 1.0
    };
    let (face, s, t) = face_of(face_normal(id.face, middle(id.i, dx), middle(id.j, dy)));
    tile_at(face.min(FACES - 1), id.level, 0.5 * (s + 1.0), 0.5 * (t + 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::CubePoint;

    /// Law: the tile beside a tile shares the side's two ends, the tile at a corner the corner, across all edges of the cube.
    #[test]
    fn neighbours_share_what_they_should() {
        let corners = |id: TileId| -> Vec<CubePoint> {
            [(0, 0), (TILE_QUADS, 0), (0, TILE_QUADS), (TILE_QUADS, TILE_QUADS)]
                .map(|(x, y)| id.place(x, y).point())
                .to_vec()
        };
        for level in [0, 1, 3, 9, 22] {
            let last = (1u32 << level) - 1;
            for face in 0..FACES {
                for (i, j) in [(0, 0), (0, last), (last, 0), (last, last), (last / 3, 0), (last, last / 2)] {
                    let id = TileId { face, level, i, j };
                    for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (-1, 1), (1, -1)] {
                        let other = neighbour(id, dx, dy);
                        let shared = corners(other).into_iter().filter(|c| corners(id).contains(c)).count();
                        let expected = if dx == 0 || dy == 0 { 2 } else { 1 };
                        assert!(other != id && shared >= expected, "{id:?} {dx} {dy}: {other:?}");
                    }
                }
            }
        }
    }
}
