//! Where are tiles that a mesh on the CPU reads? In memory, found by their id.

use rustc_hash::FxHashMap;

use super::{HeightTiles, TileStore};
use crate::geodesy::Ellipsoid;
use crate::tile::{Tile, TileId};

/// A tile of heights, and whether its vertices have normals of their own.
pub(crate) struct HostTile {
    pub tile: Tile,
    pub own_normals: bool,
}

/// Tiles of heights in memory.
pub(crate) struct HostTiles {
    tiles: FxHashMap<TileId, HostTile>,
    budget: u32,
    /// What their heights are above.
    ellipsoid: Ellipsoid,
    changed: bool,
}

impl HostTiles {
    /// No tile yet, and room for `budget` of them.
    pub fn new(ellipsoid: Ellipsoid, budget: u32) -> Self {
        Self { tiles: FxHashMap::default(), budget: budget.max(super::MIN_TILES), ellipsoid, changed: false }
    }

    /// What their heights are above.
    pub fn ellipsoid(&self) -> Ellipsoid {
        self.ellipsoid
    }

    /// A tile, if it is there.
    pub fn get(&self, id: TileId) -> Option<&HostTile> {
        self.tiles.get(&id)
    }
}

impl TileStore<HeightTiles> for HostTiles {
    type Target<'a> = ();

    fn layers(&self) -> u32 {
        self.budget
    }

    fn deepest(&self) -> u32 {
        self.tiles.keys().map(|id| id.level).max().unwrap_or(0)
    }

    fn put(&mut self, id: TileId, _layer: u32, tile: Tile, mark: u32) {
        self.tiles.insert(id, HostTile { tile, own_normals: mark != 0 });
        self.changed = true;
    }

    /// What vertices know of it stays true: nobody has to hear of it.
    fn release(&mut self, id: TileId) {
        self.tiles.remove(&id);
    }

    fn publish(&mut self, (): ()) -> bool {
        std::mem::take(&mut self.changed)
    }
}
