//! Who makes tiles? The threads of rayon's pool, a few tiles at a time, so that the next choice is never far behind the view.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashSet;

use crate::{
    height::{Lattice, Relief},
    tile::{Tile, TileId},
};

pub(super) struct Workers {
    done: Arc<Mutex<Vec<Tile>>>,
    in_flight: FxHashSet<TileId>,
    most: usize,
}

impl Workers {
    pub fn new() -> Self {
        Self { done: Arc::default(), in_flight: FxHashSet::default(), most: 2 * rayon::current_num_threads() }
    }

    /// Number of tiles being made, or made and not yet taken.
    pub fn in_flight(&self) -> u32 {
        self.in_flight.len() as u32
    }

    /// Starts a tile unless it is being made; false if no more can be started now.
    pub fn start(&mut self, id: TileId, relief: &Arc<Relief>, lattice: &Arc<Lattice>) -> bool {
        if self.in_flight.contains(&id) {
            return true;
        }
        if self.in_flight.len() >= self.most {
            return false;
        }
        self.in_flight.insert(id);
        let (relief, lattice, done) = (relief.clone(), lattice.clone(), self.done.clone());
        rayon::spawn(move || {
            let tile = Tile::build(&relief, &lattice, id);
            done.lock().unwrap_or_else(PoisonError::into_inner).push(tile);
        });
        true
    }

    /// Tiles that are done, the first `most` of them.
    pub fn ready(&mut self, most: usize) -> Vec<Tile> {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        let count = most.min(done.len());
        let tiles: Vec<Tile> = done.drain(..count).collect();
        drop(done);
        tiles.iter().for_each(|tile| {
            self.in_flight.remove(&tile.id());
        });
        tiles
    }
}
