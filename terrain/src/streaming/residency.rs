//! Which tiles do views want, and which one goes? A walk over the tree of resident tiles.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use crate::tile::TileId;

/// A tile is fetched when its ratio comes this near to 1, at which it is needed.
const FETCH_RATIO: f64 = 0.8;

/// What will be wanted counts so much of what is wanted.
const AHEAD: f64 = 0.5;

struct Resident<C> {
    layer: u32,
    children: [C; 4],
    last_wanted: u64,
}

/// The tiles that are on the device.
pub(super) struct Residency<C> {
    /// Where the walk begins; nothing is known of what is always wanted.
    roots: Vec<(TileId, Option<C>)>,
    tiles: FxHashMap<TileId, Resident<C>>,
    free_layers: Vec<u32>,
    clock: u64,
}

/// A set of views, a bit for each.
pub(super) type Views = u32;

/// What views want.
pub(super) struct TileRequests {
    /// Tiles that are not there, the most urgent first, and the views that want them now; a tile's parent is always there.
    pub missing: Vec<(TileId, Views)>,
    /// Tiles wanted in all, there or not.
    pub count: u32,
}

impl TileRequests {
    /// Whether a tile is wanted that is not there.
    pub fn misses(&self, id: TileId) -> bool {
        self.missing.iter().any(|(missing, _)| *missing == id)
    }

    /// The views that have not all that they want.
    pub fn incomplete(&self) -> Views {
        self.missing.iter().fold(0, |all, (_, views)| all | views)
    }
}

/// Most tiles that are held.
const MOST_LAYERS: u32 = 1 << 20;

impl<C> Residency<C> {
    pub fn new(layers: u32, roots: Vec<(TileId, Option<C>)>) -> Self {
        // More tiles than a planet is ever seen with need no list.
        let layers = layers.min(MOST_LAYERS);
        let free_layers = (0..layers).rev().collect();
        Self { roots, tiles: FxHashMap::default(), free_layers, clock: 0 }
    }

    /// Level where the walk begins.
    pub fn first_level(&self) -> u32 {
        self.roots.iter().map(|(id, _)| id.level).min().unwrap_or(0)
    }

    pub fn len(&self) -> u32 {
        self.tiles.len() as u32
    }

    /// The tiles that views want, by how much the one that needs it most does, and those that will be wanted from where their eyes are
    /// going, as many as fit. `at_once` answers for one of `views` views.
    pub fn plan(&mut self, views: usize, at_once: impl Fn(&C, usize) -> f64, soon: impl Fn(&C) -> f64) -> TileRequests {
        self.clock += 1;
        let mut found: Vec<(f64, TileId, Views)> = Vec::new();
        let mut open: Vec<(f64, TileId, Views)> = Vec::new();
        let look_at = |id: TileId, child: Option<&C>, above: f64, above_of: Views| {
            // A view that needs no tile needs none of those below it.
            let (mut needed, mut now) = (0f64, 0);
            for view in (0..views).filter(|view| above_of & 1 << view != 0) {
                let ratio = child.map_or(f64::INFINITY, |child| at_once(child, view));
                needed = needed.max(ratio);
                now |= Views::from(ratio >= FETCH_RATIO) << view;
            }
            // No child is more urgent than its parent, so the most urgent ones are a tree.
            let urgency = above.min(child.map_or(f64::INFINITY, |child| needed.max(AHEAD * soon(child))));
            (urgency >= FETCH_RATIO).then_some((urgency, id, now))
        };
        for (id, child) in &self.roots {
            open.extend(look_at(*id, child.as_ref(), f64::INFINITY, Views::MAX));
        }
        while let Some((urgency, id, views)) = open.pop() {
            found.push((urgency, id, views));
            let (Some(resident), Some(children)) = (self.tiles.get(&id), id.children()) else { continue };
            for (id, child) in children.into_iter().zip(&resident.children) {
                open.extend(look_at(id, Some(child), urgency, views));
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.level.cmp(&b.1.level)).then(a.1.cmp(&b.1)));
        found.truncate(self.tiles.len() + self.free_layers.len());
        let mut missing = Vec::new();
        for (_, id, views) in &found {
            match self.tiles.get_mut(id) {
                Some(tile) => tile.last_wanted = self.clock,
                None => missing.push((*id, *views)),
            }
        }
        TileRequests { missing, count: found.len() as u32 }
    }

    /// Gives a tile a layer, if need be that of the tile that has not been wanted for longest. `None` if it is there already or
    /// all are wanted.
    pub fn insert(&mut self, id: TileId, children: [C; 4], mut evict: impl FnMut(TileId)) -> Option<u32> {
        if self.tiles.contains_key(&id) {
            return None;
        }
        let layer = match self.free_layers.pop() {
            Some(layer) => layer,
            None => {
                // What is always wanted is always wanted last.
                let unwanted = self.tiles.iter().filter(|(_, tile)| tile.last_wanted < self.clock);
                // Children go before their parents: they are never wanted longer than these.
                let (&oldest, _) = unwanted.min_by_key(|(id, tile)| (tile.last_wanted, Reverse(id.level), **id))?;
                evict(oldest);
                self.tiles.remove(&oldest)?.layer
            }
        };
        self.tiles.insert(id, Resident { layer, children, last_wanted: self.clock });
        Some(layer)
    }
}
