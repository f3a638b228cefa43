//! Where are the tiles of a kind kept? On the device, or in memory for a mesh on the CPU.

use super::TileKind;
use crate::tile::TileId;

/// A place for tiles.
pub(crate) trait TileStore<K: TileKind>: Send {
    /// What texels are handed over to.
    type Target<'a>: Copy;

    /// Tiles that fit.
    fn layers(&self) -> u32;

    /// Level of the finest tile that is there; 0 where none is.
    fn deepest(&self) -> u32;

    /// Takes a tile as one of the layers, and a word about it.
    fn put(&mut self, id: TileId, layer: u32, texels: K::Texels, mark: u32);

    /// Forgets a tile.
    fn release(&mut self, id: TileId);

    /// Makes changes visible to readers (uploads them, on a device); true if there were any.
    fn publish(&mut self, target: Self::Target<'_>) -> bool;
}
