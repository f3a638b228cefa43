//! Which tiles are there? Those that the view may need, within a budget.
//!
//! Four kinds are streamed so: heights for the mesh, gradients and heights for shading, water, pictures; to the device, or for a mesh on the
//! CPU to its memory (`TileStore`). What is wanted is a function of the view and of the tiles that are there. Each tile knows what its
//! children could add. So the tree of tiles is walked from the roots, and no answer of the GPU is waited for. Tiles are made on worker
//! threads, the most urgent first, and replace those that are no longer wanted. Ancestors of a tile stay as long as it does.

mod atlas;
mod ground;
mod height_tiles;
mod host_tiles;
mod imagery_tiles;
mod kind;
mod page;
mod residency;
mod shading_tiles;
mod shared;
mod store;
mod texel_projection;
mod water_tiles;
mod workers;

use std::time::Duration;

use elevation::pack::{WaitPolicy, with_wait_policy};
use rayon::prelude::*;
use web_time::Instant;

pub(crate) use atlas::Atlas;
pub(crate) use height_tiles::{HeightTiles, PreparedView};
pub(crate) use host_tiles::{HostTile, HostTiles};
pub(crate) use imagery_tiles::ImageryKind;
pub(crate) use kind::{BuiltTile, PixelKind, TileKind, TileTexture};
use residency::{Residency, TileRequests, Views};
pub(crate) use shading_tiles::{ShadingKind, has_fine_data};
pub(crate) use shared::SharedTiles;
pub(crate) use store::TileStore;
pub(crate) use texel_projection::TexelProjection;
pub(crate) use water_tiles::WaterKind;
use workers::Workers;

use crate::{geodesy::Ellipsoid, tile::TileId};

/// Length of a cell of a viewer's shading map of a planet, about, metres, and 5 km on the Earth: data finer than this are shaded by tiles.
///
/// ```
/// use terrain::{geodesy::Ellipsoid, shading_map_texel_m};
/// assert_eq!(shading_map_texel_m(Ellipsoid::WGS84), 5_000.0);
/// // As large an angle.
/// assert!((shading_map_texel_m(Ellipsoid::MOON) - 5_000.0 * 1_737.4 / 6_378.137).abs() < 1e-6);
/// ```
pub fn shading_map_texel_m(ellipsoid: Ellipsoid) -> f64 {
    5_000.0 * ellipsoid.size()
}

/// Fewest tiles of a kind: the coarsest, and what leads to the ground under the eye.
pub const MIN_TILES: u32 = 32;

/// Tiles by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TileCounts {
    /// There: on the device, or in memory for a mesh on the CPU.
    pub resident: u32,
    /// Wanted by the last view and within the budget, there or not.
    pub wanted: u32,
    /// Being made.
    pub in_flight: u32,
    /// Most that there may be.
    pub budget: u32,
    /// Taken over by the last update.
    pub arrived: u32,
}

/// What choosing and taking over tiles took in an update, on the caller's thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StreamTimings {
    /// Walking the tree of resident tiles for the view.
    pub plan: Duration,
    /// Taking over tiles that were ready, and asking for others.
    pub take: Duration,
    /// Handing texels and the table of pages to the queue.
    pub upload: Duration,
}

/// Views of one planet at a time, at most.
pub const MOST_VIEWS: u32 = Views::BITS;

/// The tiles of a kind, for all views of a planet.
pub(crate) struct Streaming<K: TileKind, S: TileStore<K> = Atlas<K>> {
    residency: Residency<K::Child>,
    store: S,
    workers: Workers<K>,
    kind: K,
    views: Vec<ViewTiles<K::View>>,
    /// How often the tiles that are there have changed.
    changes: u64,
    counts: TileCounts,
    timings: StreamTimings,
}

/// The tile requests of one view.
struct ViewTiles<V> {
    key: u64,
    /// As of its last update, and from where its eye is going; none before the first.
    current: Option<V>,
    predicted: Option<V>,
    /// Whether it was updated since tiles were last chosen.
    updated: bool,
    /// Whether it has all that it wants.
    complete: bool,
}

/// Most tiles that one frame takes over: each is a quarter of a megabyte of upload, or more.
const ARRIVALS_PER_FRAME: usize = 8;

/// Tiles that are made at once, where they are waited for.
const BATCH: usize = 32;

impl<K: TileKind, S: TileStore<K>> Streaming<K, S> {
    /// The tiles that are always there, made at once, in an empty store.
    pub fn new(store: S, kind: K) -> Self {
        let roots = kind.roots();
        let always: Vec<TileId> = roots.iter().filter(|(_, child)| child.is_none()).map(|(id, _)| *id).collect();
        let mut streaming = Self {
            residency: Residency::new(store.layers(), roots),
            store,
            workers: Workers::new(),
            kind,
            views: Vec::new(),
            changes: 0,
            counts: TileCounts::default(),
            timings: StreamTimings::default(),
        };
        streaming.build_now(always, None);
        streaming
    }

    pub fn store(&self) -> &S {
        &self.store
    }

    /// Levels of the coarsest tiles and of the finest one that is there.
    pub fn levels(&self) -> (u32, u32) {
        let first = self.residency.first_level();
        (first, self.store.deepest().max(first))
    }

    pub fn counts(&self) -> TileCounts {
        self.counts
    }

    /// Where the time of the last [`update`](Self::update) went.
    pub fn timings(&self) -> StreamTimings {
        self.timings
    }

    /// How tiles are made, and which are wanted.
    pub fn kind_mut(&mut self) -> &mut K {
        &mut self.kind
    }

    /// How often the tiles that are there have changed.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// One more view, of a key of its own; false if there are [`MOST_VIEWS`].
    fn add_view(&mut self, key: u64) -> bool {
        let fits = self.views.len() < MOST_VIEWS as usize;
        if fits {
            self.views.push(ViewTiles { key, current: None, predicted: None, updated: false, complete: false });
        }
        fits
    }

    /// Forgets what a view wants.
    fn remove_view(&mut self, key: u64) {
        self.views.retain(|view| view.key != key);
    }

    /// Takes over tiles that are ready and asks for those that the views want, and after them for those that they will want from where
    /// their eyes are going (`predicted`).
    ///
    /// Tiles are chosen once for all views: when one is updated that was updated since the last choice. So what a view wants counts
    /// from the next choice on where there are several; `moved` tells that it is not what it was.
    fn update(
        &mut self,
        key: u64,
        (current, predicted): (K::View, Option<K::View>),
        moved: bool,
        target: S::Target<'_>,
    ) {
        let choose = self.views.len() == 1;
        let Some(view) = self.views.iter_mut().find(|view| view.key == key) else { return };
        let choose = choose | view.updated;
        (view.current, view.predicted, view.updated) = (Some(current), predicted, true);
        if !choose {
            view.complete &= !moved;
            return;
        }
        self.views.iter_mut().for_each(|view| view.updated = view.key == key);
        let started = Instant::now();
        let wanted = self.plan();
        let planned = Instant::now();
        self.workers.cancel_except(wanted.missing.iter().map(|(id, _)| *id));
        let mut arrived = 0;
        for built in self.workers.take_finished(ARRIVALS_PER_FRAME) {
            // The view may have left while it was made.
            if wanted.misses(built.id) {
                self.insert(built);
                arrived += 1;
            }
        }
        if !wanted.missing.is_empty() {
            let missing: Vec<TileId> = wanted.missing.iter().map(|(id, _)| *id).collect();
            self.kind.prefetch(&missing);
        }
        for (id, _) in &wanted.missing {
            if !self.workers.start(*id, &self.kind) {
                break;
            }
        }
        self.count(wanted.count, arrived);
        let taken = Instant::now();
        self.publish(target);
        self.timings = StreamTimings { plan: planned - started, take: taken - planned, upload: taken.elapsed() };
    }

    /// Makes all tiles that a view wants, however long it takes.
    fn update_complete(&mut self, key: u64, view: K::View, target: S::Target<'_>) {
        let Some(at) = self.views.iter().position(|view| view.key == key) else { return };
        (self.views[at].current, self.views[at].predicted) = (Some(view), None);
        loop {
            let TileRequests { mut missing, count } = self.plan();
            self.count(count, 0);
            missing.retain(|(_, views)| views & 1 << at != 0);
            if missing.is_empty() {
                return self.publish(target);
            }
            self.build_now(missing.into_iter().map(|(id, _)| id).collect(), Some(target));
        }
    }

    /// What all views want, and which of them have it.
    fn plan(&mut self) -> TileRequests {
        let Self { residency, kind, views, .. } = self;
        let ratio =
            |child: &K::Child, view: &Option<K::View>| view.as_ref().map_or(0.0, |view| kind.ratio(child, view));
        let wanted = residency.plan(
            views.len(),
            |child, view| ratio(child, &views[view].current),
            |child| views.iter().map(|view| ratio(child, &view.predicted)).fold(0.0, f64::max),
        );
        let incomplete = wanted.incomplete();
        for (at, view) in views.iter_mut().enumerate() {
            view.complete = view.current.is_some() && incomplete & 1 << at == 0;
        }
        wanted
    }

    /// True if a view has all the tiles that it wanted when it was last updated.
    fn is_complete(&self, key: u64) -> bool {
        self.views.iter().any(|view| view.key == key && view.complete)
    }

    fn publish(&mut self, target: S::Target<'_>) {
        self.changes += u64::from(self.store.publish(target));
    }

    /// Tiles are handed over with each batch, if to somebody, and otherwise with the next.
    fn build_now(&mut self, mut ids: Vec<TileId>, target: Option<S::Target<'_>>) {
        self.kind.prefetch(&ids);
        // What is near each other is made one after the other, so that a file is read once; a batch at a time, so that memory stays bounded.
        ids.sort_unstable();
        for batch in ids.chunks(BATCH) {
            let built: Vec<BuiltTile<K>> =
                batch.par_iter().map(|&id| with_wait_policy(WaitPolicy::Retry, || self.kind.build(id))).collect();
            built.into_iter().for_each(|built| self.insert(built));
            if let Some(target) = target {
                self.publish(target);
            }
        }
    }

    fn insert(&mut self, built: BuiltTile<K>) {
        let BuiltTile { id, texels, children, mark } = built;
        let Some(layer) = self.residency.insert(id, children, |evicted| self.store.release(evicted)) else {
            return;
        };
        self.store.put(id, layer, texels, mark);
    }

    fn count(&mut self, wanted: u32, arrived: u32) {
        self.counts = TileCounts {
            resident: self.residency.len(),
            wanted,
            in_flight: self.workers.in_flight(),
            budget: self.store.layers(),
            arrived,
        };
    }
}
