//! Which rasters stay in memory? Those used last, as many as the budget holds.

use std::{
    hash::Hash,
    sync::{Arc, Mutex, PoisonError},
};

use lru::LruCache;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::raster::Raster;

/// Bytes of a texel in memory: a height and a distance to the nearest void.
pub(crate) const TEXEL_BYTES: usize = 5;

/// The rasters used last, by key, for any number of threads; `None` for what cannot be read.
#[derive(Debug)]
pub(crate) struct RasterCache<K: Eq + Hash> {
    state: Mutex<State<K>>,
    most_bytes: usize,
}

#[derive(Debug)]
struct State<K: Eq + Hash> {
    rasters: LruCache<K, Arc<Raster>, FxBuildHasher>,
    unreadable: FxHashSet<K>,
    /// How often another was chosen in the place of one that is not in memory.
    passed_over: FxHashMap<K, u32>,
    bytes: usize,
}

impl<K: Copy + Eq + Hash> RasterCache<K> {
    /// Nothing yet, and at most so many bytes of several rasters.
    pub fn new(most_bytes: usize) -> Self {
        let rasters = LruCache::unbounded_with_hasher(FxBuildHasher);
        let (unreadable, passed_over) = (FxHashSet::default(), FxHashMap::default());
        Self { state: Mutex::new(State { rasters, unreadable, passed_over, bytes: 0 }), most_bytes }
    }

    /// A raster from memory, or read.
    ///
    /// Nothing is locked while it is read: reading may use all threads, and one of them may come here for another. So two
    /// threads may read the same raster, and the second to come forgets its own.
    pub fn get(&self, key: K, read: impl FnOnce() -> Option<Raster>) -> Option<Arc<Raster>> {
        if let Some(kept) = self.lock().find(key) {
            return kept;
        }
        let raster = read().map(Arc::new);
        self.lock().put(key, raster, self.most_bytes)
    }

    /// A raster if it is in memory.
    pub fn in_memory(&self, key: K) -> Option<Arc<Raster>> {
        self.lock().find(key).flatten()
    }

    /// Which of two to ask for where both answer: what is in memory; else the small one, and the large one after it was passed over
    /// `many` times for small ones that had to be read.
    pub fn choose(&self, large: K, small: K, many: usize) -> K {
        let state = &mut *self.lock();
        match state.find(large) {
            Some(Some(_)) => return large,
            // Of what cannot be read, some may be.
            Some(None) => return small,
            None => {}
        }
        if state.find(small).is_some() {
            return small;
        }
        let count = state.passed_over.entry(large).or_default();
        *count += 1;
        if *count as usize <= many { small } else { large }
    }

    /// Bytes of what is kept, and most of them.
    pub fn memory_use(&self) -> (usize, usize) {
        (self.lock().bytes, self.most_bytes)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State<K>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Copy + Eq + Hash> State<K> {
    fn find(&mut self, key: K) -> Option<Option<Arc<Raster>>> {
        match self.rasters.get(&key) {
            Some(raster) => Some(Some(raster.clone())),
            None => self.unreadable.contains(&key).then_some(None),
        }
    }

    fn put(&mut self, key: K, raster: Option<Arc<Raster>>, most_bytes: usize) -> Option<Arc<Raster>> {
        if let Some(kept) = self.find(key) {
            return kept;
        }
        self.passed_over.remove(&key);
        let Some(raster) = raster else {
            self.unreadable.insert(key);
            return None;
        };
        self.bytes += bytes(&raster);
        self.rasters.put(key, raster.clone());
        // The one that is asked for stays, however large it is.
        while self.bytes > most_bytes && self.rasters.len() > 1 {
            let Some((_, oldest)) = self.rasters.pop_lru() else { break };
            self.bytes -= bytes(&oldest);
        }
        Some(raster)
    }
}

fn bytes(raster: &Raster) -> usize {
    raster.texels() * TEXEL_BYTES
}

#[cfg(test)]
mod tests {
    use super::{
        super::raster::{ANY_HEIGHT, BORDER},
        *,
    };
    use crate::height::Interpolation;

    #[test]
    fn the_oldest_goes_first_and_failures_are_remembered() {
        // 1 x 1 texels and their borders: 25 texels each.
        let kept = RasterCache::new(2 * 25 * TEXEL_BYTES);
        let raster = |h: f32| Raster::part(1, 1, BORDER, vec![h; 25], (1, ANY_HEIGHT));
        let height = |key: u32| {
            kept.get(key, || None)
                .and_then(|raster| raster.sample(Interpolation::Cubic, 0.0, 0.0))
                .map(|spot| spot.height_m)
        };
        for key in [1, 2] {
            kept.get(key, || Some(raster(key as f32)));
        }
        assert_eq!((height(2), height(1)), (Some(2.0), Some(1.0)));
        kept.get(3, || Some(raster(3.0)));
        assert_eq!((height(1), height(3)), (Some(1.0), Some(3.0)));
        // The second was forgotten, and now cannot be read any more.
        assert_eq!(height(2), None);
        assert!(kept.get(2, || panic!("it is known that it cannot be read")).is_none());
    }

    #[test]
    fn a_large_one_is_chosen_after_many_small_ones() {
        let kept = RasterCache::new(3 * 25 * TEXEL_BYTES);
        let read = |key: u32| kept.get(key, || Some(Raster::part(1, 1, BORDER, vec![0.0; 25], (1, ANY_HEIGHT))));
        let choose = |small: u32| kept.choose(0, small, 2);
        assert_eq!(choose(1), 1);
        read(1);
        // What is in memory costs nothing, however often it is asked for.
        assert_eq!([choose(1), choose(1), choose(1), choose(2), choose(3)], [1, 1, 1, 2, 0]);
        read(0);
        assert_eq!([choose(1), choose(4)], [0, 0]);
        // Thrown out, it is to be worth it again.
        for key in [5, 6, 7] {
            read(key);
        }
        assert_eq!([choose(8), choose(9), choose(10)], [8, 9, 0]);
        // What cannot be read is none to choose.
        assert!(kept.get(0, || None).is_none());
        assert_eq!([choose(8), choose(9), choose(10)], [8, 9, 10]);
    }
}
