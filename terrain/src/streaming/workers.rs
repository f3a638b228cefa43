//! Who makes tiles? The threads of rayon's pool, a few tiles at a time, so that the next choice is never far behind the view.

use std::sync::{
    Arc,
    mpsc::{Receiver, Sender, channel},
};

use rustc_hash::FxHashSet;

use crate::{
    height::{Lattice, Relief},
    tile::{Tile, TileId},
};

pub(super) struct Workers {
    sender: Sender<Tile>,
    receiver: Receiver<Tile>,
    in_flight: FxHashSet<TileId>,
    most: usize,
}

impl Workers {
    pub fn new() -> Self {
        let (sender, receiver) = channel();
        Self { sender, receiver, in_flight: FxHashSet::default(), most: 2 * rayon::current_num_threads() }
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
        let (relief, lattice, sender) = (relief.clone(), lattice.clone(), self.sender.clone());
        rayon::spawn(move || {
            // Nobody listens when the terrain is gone.
            let _ = sender.send(Tile::build(&relief, &lattice, id));
        });
        true
    }

    /// Tiles that are done, at most `most` of them.
    pub fn ready(&mut self, most: usize) -> Vec<Tile> {
        let tiles: Vec<Tile> = self.receiver.try_iter().take(most).collect();
        tiles.iter().for_each(|tile| {
            self.in_flight.remove(&tile.id());
        });
        tiles
    }
}
