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

use elevation::pack::in_one_try;

use super::{BuiltTile, TileKind};
use crate::tile::TileId;

/// Threads at work for all kinds of tiles together.
static AT_WORK: Mutex<usize> = Mutex::new(0);

pub(super) struct Workers<K: TileKind> {
    shared: Arc<Mutex<Shared<K>>>,
    /// Tiles being made, and whether that has become pointless.
    in_flight: FxHashMap<TileId, Arc<AtomicBool>>,
    most_in_flight: usize,
    most_threads: usize,
}

/// The queue of the workers and their results.
struct Shared<K: TileKind> {
    queue: VecDeque<(TileId, Arc<AtomicBool>, K)>,
    /// A tile, or none if it was called off before anyone began it, or if data of it that are elsewhere were not to be had.
    done: Vec<(TileId, Option<BuiltTile<K>>)>,
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<K: TileKind> Workers<K> {
    pub fn new() -> Self {
        let threads = rayon::current_num_threads();
        Self {
            shared: Arc::new(Mutex::new(Shared { queue: VecDeque::new(), done: Vec::new() })),
            in_flight: FxHashMap::default(),
            most_in_flight: 2 * threads,
            most_threads: (threads - 1).max(1),
        }
    }

    /// Number of tiles being made, or made and not yet taken.
    pub fn in_flight(&self) -> u32 {
        self.in_flight.len() as u32
    }

    /// Cancels all queued tiles but those that are wanted.
    pub fn cancel_except(&mut self, wanted: impl Iterator<Item = TileId>) {
        let wanted: FxHashSet<TileId> = wanted.collect();
        for (id, cancelled) in &self.in_flight {
            cancelled.store(!wanted.contains(id), Ordering::Relaxed);
        }
    }

    /// Starts a tile unless it is being made; false if no more can be started now.
    pub fn start(&mut self, id: TileId, kind: &K) -> bool {
        if self.in_flight.contains_key(&id) {
            return true;
        }
        if self.in_flight.len() >= self.most_in_flight {
            return false;
        }
        let cancelled = Arc::new(AtomicBool::new(false));
        self.in_flight.insert(id, cancelled.clone());
        lock(&self.shared).queue.push_back((id, cancelled, kind.clone()));
        self.spawn_worker();
        true
    }

    /// Starts one more worker if tiles are queued and not all threads are busy, with tiles of this kind or another.
    fn spawn_worker(&self) {
        if lock(&self.shared).queue.is_empty() {
            return;
        }
        let mut at_work = lock(&AT_WORK);
        if *at_work < self.most_threads {
            *at_work += 1;
            let shared = self.shared.clone();
            rayon::spawn(move || run_worker(&shared));
        }
    }

    /// Tiles that are done, the first `most` of them.
    pub fn take_finished(&mut self, most: usize) -> Vec<BuiltTile<K>> {
        self.spawn_worker();
        let mut shared = lock(&self.shared);
        let mut tiles = Vec::new();
        let mut taken = 0;
        for (id, built) in &mut shared.done {
            if tiles.len() == most {
                break;
            }
            self.in_flight.remove(id);
            tiles.extend(built.take());
            taken += 1;
        }
        shared.done.drain(..taken);
        tiles
    }
}

/// Builds tiles until the queue is empty.
fn run_worker<K: TileKind>(shared: &Mutex<Shared<K>>) {
    loop {
        let (id, cancelled, kind) = {
            let mut shared = lock(shared);
            let Some(next) = shared.queue.pop_front() else {
                *lock(&AT_WORK) -= 1;
                return;
            };
            next
        };
        let is_wanted = !cancelled.load(Ordering::Relaxed);
        let built = if is_wanted { in_one_try(|| kind.build(id)) } else { None };
        lock(shared).done.push((id, built));
    }
}
