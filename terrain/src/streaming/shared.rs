//! How do views of one planet share their tiles? Each has a part in them, and what all of them want is on the device.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use super::{Atlas, Streaming, TileKind, TileStore};

/// Numbers for views, of which none comes twice.
static NEXT_KEY: AtomicU64 = AtomicU64::new(0);

/// A view's part in the tiles of a kind.
pub(crate) struct SharedTiles<K: TileKind, S: TileStore<K> = Atlas<K>> {
    streaming: Arc<Mutex<Streaming<K, S>>>,
    key: u64,
    /// Changes of the tiles that this view knows of.
    known: u64,
}

impl<K: TileKind, S: TileStore<K>> SharedTiles<K, S> {
    /// The first view's part.
    pub fn new(streaming: Streaming<K, S>) -> Self {
        Self::of(Arc::new(Mutex::new(streaming))).expect("there is room for one view")
    }

    /// The part of one more view; `None` if there are too many already.
    pub fn another(&self) -> Option<Self> {
        Self::of(self.streaming.clone())
    }

    fn of(streaming: Arc<Mutex<Streaming<K, S>>>) -> Option<Self> {
        let key = NEXT_KEY.fetch_add(1, Ordering::Relaxed);
        let added = lock(&streaming).add_view(key);
        added.then_some(Self { streaming, key, known: 0 })
    }

    /// The tiles of all views.
    pub fn all(&self) -> MutexGuard<'_, Streaming<K, S>> {
        lock(&self.streaming)
    }

    /// Takes over tiles that are ready and asks for those that are wanted; true if the tiles that are there changed since this view was
    /// last updated. `moved` tells that the view wants others than it did.
    pub fn update(&mut self, views: (K::View, Option<K::View>), moved: bool, target: S::Target<'_>) -> bool {
        let mut streaming = lock(&self.streaming);
        streaming.update(self.key, views, moved, target);
        std::mem::replace(&mut self.known, streaming.changes()) != self.known
    }

    /// Makes all tiles that the view wants, however long it takes; true if the tiles that are there changed.
    pub fn update_complete(&mut self, view: K::View, target: S::Target<'_>) -> bool {
        let mut streaming = lock(&self.streaming);
        streaming.update_complete(self.key, view, target);
        std::mem::replace(&mut self.known, streaming.changes()) != self.known
    }

    /// True if the view has all the tiles that it wants.
    pub fn is_complete(&self) -> bool {
        self.all().is_complete(self.key)
    }
}

impl<K: TileKind, S: TileStore<K>> Drop for SharedTiles<K, S> {
    fn drop(&mut self) {
        self.all().remove_view(self.key);
    }
}

/// A thread that panicked has left the tiles as they were before or after a step of its own.
fn lock<K: TileKind, S: TileStore<K>>(streaming: &Mutex<Streaming<K, S>>) -> MutexGuard<'_, Streaming<K, S>> {
    streaming.lock().unwrap_or_else(PoisonError::into_inner)
}
