//! Which rasters stay in memory? Those used last, as many as the budget holds.

use std::{
    hash::Hash,
    sync::{Arc, Mutex, PoisonError},
};

use rustc_hash::FxHashMap;

use super::raster::Raster;

/// Bytes of a texel in memory: a height and a distance to the nearest void.
pub(crate) const TEXEL_BYTES: usize = 5;

/// Rasters by key, for any number of threads; `None` for what cannot be read.
#[derive(Debug)]
pub(crate) struct Kept<K> {
    state: Mutex<State<K>>,
    most_bytes: usize,
}

#[derive(Debug)]
struct State<K> {
    rasters: FxHashMap<K, (Option<Arc<Raster>>, u64)>,
    bytes: usize,
    clock: u64,
}

impl<K: Copy + Eq + Hash> Kept<K> {
    /// Nothing yet, and at most so many bytes of several rasters.
    pub fn new(most_bytes: usize) -> Self {
        let state = State { rasters: FxHashMap::default(), bytes: 0, clock: 0 };
        Self { state: Mutex::new(state), most_bytes }
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

    fn lock(&self) -> std::sync::MutexGuard<'_, State<K>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Copy + Eq + Hash> State<K> {
    fn find(&mut self, key: K) -> Option<Option<Arc<Raster>>> {
        self.clock += 1;
        let (raster, used) = self.rasters.get_mut(&key)?;
        *used = self.clock;
        Some(raster.clone())
    }

    fn put(&mut self, key: K, raster: Option<Arc<Raster>>, most_bytes: usize) -> Option<Arc<Raster>> {
        self.clock += 1;
        let bytes = |raster: &Option<Arc<Raster>>| raster.as_ref().map_or(0, |raster| raster.texels() * TEXEL_BYTES);
        if let Some((kept, _)) = self.rasters.get(&key) {
            return kept.clone();
        }
        self.bytes += bytes(&raster);
        self.rasters.insert(key, (raster.clone(), self.clock));
        while self.bytes > most_bytes {
            let others = self.rasters.iter().filter(|(k, (raster, _))| raster.is_some() && **k != key);
            let Some(oldest) = others.min_by_key(|(_, (_, used))| *used).map(|(k, _)| *k) else { break };
            if let Some((raster, _)) = self.rasters.remove(&oldest) {
                self.bytes -= bytes(&raster);
            }
        }
        raster
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_goes_first_and_failures_are_remembered() {
        // 1 x 1 texels and their borders: 25 texels each.
        let kept = Kept::new(2 * 25 * TEXEL_BYTES);
        let raster = |h: f32| Raster::new(1, 1, vec![h], None, 1);
        let height =
            |key: u32| kept.get(key, || None).and_then(|raster| raster.sample(0.0, 0.0)).map(|spot| spot.height_m);
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
}
