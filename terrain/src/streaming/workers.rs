//! Who makes tiles? The threads of rayon's pool, a few tiles at a time, so that the next choice is never far behind the view.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use rustc_hash::{FxHashMap, FxHashSet};

use super::Maker;
use crate::tile::{Tile, TileId};

pub(super) struct Workers {
    done: Arc<Mutex<Vec<Done>>>,
    /// Tiles being made, and whether that has become pointless.
    in_flight: FxHashMap<TileId, Arc<AtomicBool>>,
    most: usize,
}

/// A tile, or none if it was called off before anyone began it.
type Done = (TileId, Option<Tile>);

impl Workers {
    pub fn new() -> Self {
        Self { done: Arc::default(), in_flight: FxHashMap::default(), most: 2 * rayon::current_num_threads() }
    }

    /// Number of tiles being made, or made and not yet taken.
    pub fn in_flight(&self) -> u32 {
        self.in_flight.len() as u32
    }

    /// Calls off all tiles that nobody has begun to make, but for some.
    pub fn cancel_all_but(&mut self, wanted: &[TileId]) {
        let wanted: FxHashSet<TileId> = wanted.iter().copied().collect();
        for (id, cancelled) in &self.in_flight {
            cancelled.store(!wanted.contains(id), Ordering::Relaxed);
        }
    }

    /// Starts a tile unless it is being made; false if no more can be started now.
    pub fn start(&mut self, id: TileId, maker: &Maker) -> bool {
        if self.in_flight.contains_key(&id) {
            return true;
        }
        if self.in_flight.len() >= self.most {
            return false;
        }
        let cancelled = Arc::new(AtomicBool::new(false));
        self.in_flight.insert(id, cancelled.clone());
        let (maker, done) = (maker.clone(), self.done.clone());
        rayon::spawn(move || {
            let tile = (!cancelled.load(Ordering::Relaxed)).then(|| maker.make(id));
            done.lock().unwrap_or_else(PoisonError::into_inner).push((id, tile));
        });
        true
    }

    /// Tiles that are done, the first `most` of them.
    pub fn ready(&mut self, most: usize) -> Vec<Tile> {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        let mut tiles = Vec::new();
        let mut taken = 0;
        for (id, tile) in done.iter_mut() {
            if tiles.len() == most {
                break;
            }
            self.in_flight.remove(id);
            tiles.extend(tile.take());
            taken += 1;
        }
        done.drain(..taken);
        tiles
    }
}
