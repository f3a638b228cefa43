//! Who makes tiles? The threads of rayon's pool but one, which is left to the frame. Few tiles are asked for at a time, so that
//! the next choice is never far behind the view.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Made, Maker};
use crate::tile::TileId;

pub(super) struct Workers {
    shared: Arc<Mutex<Shared>>,
    /// Tiles being made, and whether that has become pointless.
    in_flight: FxHashMap<TileId, Arc<AtomicBool>>,
    most_in_flight: usize,
    most_threads: usize,
}

/// What the caller and the threads hand to each other.
#[derive(Default)]
struct Shared {
    asked: VecDeque<(TileId, Arc<AtomicBool>, Maker)>,
    /// A tile, or none if it was called off before anyone began it.
    done: Vec<(TileId, Option<Made>)>,
    /// Threads at work.
    threads: usize,
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Workers {
    pub fn new() -> Self {
        let threads = rayon::current_num_threads();
        Self {
            shared: Arc::default(),
            in_flight: FxHashMap::default(),
            most_in_flight: 2 * threads,
            most_threads: (threads - 1).max(1),
        }
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
        if self.in_flight.len() >= self.most_in_flight {
            return false;
        }
        let cancelled = Arc::new(AtomicBool::new(false));
        self.in_flight.insert(id, cancelled.clone());
        let mut shared = lock(&self.shared);
        shared.asked.push_back((id, cancelled, maker.clone()));
        if shared.threads < self.most_threads {
            shared.threads += 1;
            let shared = self.shared.clone();
            rayon::spawn(move || work(&shared));
        }
        true
    }

    /// Tiles that are done, the first `most` of them.
    pub fn ready(&mut self, most: usize) -> Vec<Made> {
        let mut shared = lock(&self.shared);
        let mut tiles = Vec::new();
        let mut taken = 0;
        for (id, made) in &mut shared.done {
            if tiles.len() == most {
                break;
            }
            self.in_flight.remove(id);
            tiles.extend(made.take());
            taken += 1;
        }
        shared.done.drain(..taken);
        tiles
    }
}

/// Makes tiles until none is asked for.
fn work(shared: &Mutex<Shared>) {
    loop {
        let (id, cancelled, maker) = {
            let mut shared = lock(shared);
            let Some(next) = shared.asked.pop_front() else {
                shared.threads -= 1;
                return;
            };
            next
        };
        let made = (!cancelled.load(Ordering::Relaxed)).then(|| maker.make(id));
        lock(shared).done.push((id, made));
    }
}
