//! Which tiles have their shadows, and which are to be made now? Those that came at once, those that are there bit by bit.

use rustc_hash::{FxHashMap, FxHashSet};
use terrain::tile::TileId;

use super::inputs::ShadowTile;

/// No layer.
const NO_LAYER: u32 = u32::MAX;

/// The shading tiles whose shadows have been computed, and those that are stale.
#[derive(Debug, Default)]
pub(super) struct ShadowedTiles {
    /// The layers that are made, by tile.
    made: FxHashMap<TileId, u32>,
    /// Those that are to be made anew.
    stale: FxHashSet<TileId>,
    /// Whether all were made when all tiles were there, or are to be: a tile looks at those beside it.
    is_whole: bool,
}

impl ShadowedTiles {
    /// Whether some are to be made anew.
    pub fn has_stale(&self) -> bool {
        !self.stale.is_empty()
    }

    /// The layers that are made, by tile.
    #[cfg(all(test, feature = "gdal"))]
    pub fn layers(&self) -> &FxHashMap<TileId, u32> {
        &self.made
    }

    /// The tiles to make now, a list a level, the coarsest first: those that came, and so many of those that are there and have to be made
    /// anew, since the sun turned or all tiles beside them have come.
    pub fn tiles_to_build(
        &mut self,
        resident: FxHashMap<TileId, u32>,
        is_complete: bool,
        others_are_good: bool,
        most_rebuilt: usize,
    ) -> Vec<Vec<ShadowTile>> {
        let has_come = |id: &TileId, layer: &u32| self.made.get(id) != Some(layer);
        self.is_whole &= !resident.iter().any(|(id, layer)| has_come(id, layer));
        if !others_are_good || is_complete && !self.is_whole {
            self.stale = resident.keys().copied().collect();
            self.is_whole = is_complete;
        }
        self.stale.retain(|id| resident.get(id).is_some_and(|layer| !has_come(id, layer)));
        let mut again: Vec<TileId> = self.stale.iter().copied().collect();
        again.sort_unstable_by_key(|id| (id.level, id.face, id.j, id.i));
        again.truncate(most_rebuilt);
        let again: FxHashSet<TileId> = again.into_iter().collect();
        self.stale.retain(|id| !again.contains(id));
        let mut lists: Vec<Vec<ShadowTile>> = Vec::new();
        for (id, &layer) in resident.iter().filter(|(id, layer)| again.contains(id) || has_come(id, layer)) {
            let parent = id.parent().and_then(|parent| resident.get(&parent)).copied().unwrap_or(NO_LAYER);
            let level = id.level as usize;
            lists.resize_with(lists.len().max(level + 1), Vec::new);
            lists[level].push(ShadowTile { face: id.face, level: id.level, i: id.i, j: id.j, layer, parent });
        }
        self.made = resident;
        lists.retain(|list| !list.is_empty());
        lists
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiles(levels: u32) -> FxHashMap<TileId, u32> {
        let of_level = |level: u32| (0..1u32 << level).map(move |i| TileId { face: 1, level, i, j: 0 });
        (0..levels).flat_map(of_level).zip(0..).collect()
    }

    /// Law: a tile that comes is made in the frame in which it comes. When the sun turns every tile is made anew once, a coarser one before
    /// the finer ones, and no more a frame than are allowed; a picture that stays allows all.
    #[test]
    fn tiles_are_made_anew_bit_by_bit() {
        let resident = tiles(5);
        let count = |lists: &[Vec<ShadowTile>]| lists.iter().map(Vec::len).sum::<usize>();
        for most_rebuilt in [1, 7, usize::MAX] {
            let mut made = ShadowedTiles::default();
            assert_eq!(count(&made.tiles_to_build(resident.clone(), true, true, most_rebuilt)), resident.len());
            while made.has_stale() {
                made.tiles_to_build(resident.clone(), true, true, most_rebuilt);
            }
            assert_eq!(
                count(&made.tiles_to_build(resident.clone(), true, true, most_rebuilt)),
                0,
                "nothing is missing"
            );
            let mut order: Vec<u32> = Vec::new();
            let mut turned = false;
            while !std::mem::replace(&mut turned, true) || made.has_stale() {
                let lists = made.tiles_to_build(resident.clone(), true, !order.is_empty(), most_rebuilt);
                assert!(count(&lists) <= most_rebuilt && count(&lists) > 0);
                order.extend(lists.iter().flatten().map(|tile| tile.level));
            }
            assert!(order.len() == resident.len() && order.is_sorted(), "{order:?}");
            // Half-way through the next round more tiles come.
            let before = count(&made.tiles_to_build(resident.clone(), false, false, most_rebuilt));
            assert_eq!(before, resident.len().min(most_rebuilt));
            let more = tiles(6);
            let came = count(&made.tiles_to_build(more.clone(), false, true, most_rebuilt));
            let left = resident.len() - before;
            assert_eq!(came, more.len() - resident.len() + left.min(most_rebuilt));
        }
    }
}
