//! Which tiles are on the device? Those that the view may need, within a budget.
//!
//! Three kinds are streamed so: heights for the mesh, gradients and heights for shading, water. What is wanted is a function of the
//! view and of the tiles that are there: each tile knows what its children could add, so the tree of tiles is walked from the roots and no
//! answer of the GPU is waited for. Tiles are made on worker threads, the most urgent first, and replace those that are no longer
//! wanted. Ancestors of a tile stay as long as it does.

mod atlas;
mod ground;
mod height_tiles;
mod kind;
mod look;
mod page;
mod residency;
mod shading_tiles;
mod water_tiles;
mod workers;

use std::time::Duration;

use rayon::prelude::*;
use web_time::Instant;

pub(crate) use atlas::Atlas;
pub(crate) use height_tiles::{HeightTiles, PreparedView};
pub(crate) use kind::{Kind, Made, PixelKind, TileTexture};
pub(crate) use look::PixelLook;
use residency::Residency;
pub(crate) use shading_tiles::{ShadingKind, has_fine_data};
pub(crate) use water_tiles::WaterKind;
use workers::Workers;

use crate::tile::TileId;

/// Fewest tiles of a kind on a device: the coarsest, and what leads to the ground under the eye.
pub const MIN_TILES: u32 = 32;

/// Tiles by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TileCounts {
    /// On the device.
    pub resident: u32,
    /// Wanted by the last view and within the budget, on the device or not.
    pub wanted: u32,
    /// Being made.
    pub in_flight: u32,
    /// Most that fit on the device.
    pub budget: u32,
    /// Taken over by the last update: their texels went to the device with it.
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

/// The tiles of a kind on a device.
pub(crate) struct Streaming<K: Kind> {
    residency: Residency<K::Child>,
    atlas: Atlas<K>,
    workers: Workers<K>,
    kind: K,
    counts: TileCounts,
    timings: StreamTimings,
}

/// Most tiles that one frame takes over: each is a quarter of a megabyte of upload, or more.
const ARRIVALS_PER_FRAME: usize = 8;

impl<K: Kind> Streaming<K> {
    /// The tiles that are always there, made at once, in an atlas of at most `budget` tiles.
    pub fn new(device: &wgpu::Device, kind: K, budget: u32) -> Self {
        let atlas = Atlas::new(device, budget);
        let roots = kind.roots();
        let always: Vec<TileId> = roots.iter().filter(|(_, child)| child.is_none()).map(|(id, _)| *id).collect();
        let mut streaming = Self {
            residency: Residency::new(atlas.layers(), roots),
            atlas,
            workers: Workers::new(),
            kind,
            counts: TileCounts::default(),
            timings: StreamTimings::default(),
        };
        streaming.make_now(always);
        streaming
    }

    pub fn atlas(&self) -> &Atlas<K> {
        &self.atlas
    }

    pub fn counts(&self) -> TileCounts {
        self.counts
    }

    /// Where the time of the last [`follow`](Self::follow) went.
    pub fn timings(&self) -> StreamTimings {
        self.timings
    }

    /// How tiles are made, and which are wanted.
    pub fn kind_mut(&mut self) -> &mut K {
        &mut self.kind
    }

    /// Takes over tiles that are ready and asks for those that the view wants, and after them for those that it will want from
    /// where the eye is going (`ahead`); true if the tiles on the device changed.
    pub fn follow(&mut self, look: &K::Look, ahead: Option<&K::Look>, queue: &wgpu::Queue) -> bool {
        let started = Instant::now();
        let wanted = self.residency.plan(
            |child| self.kind.ratio(child, look),
            |child| ahead.map_or(0.0, |ahead| self.kind.ratio(child, ahead)),
        );
        let planned = Instant::now();
        self.workers.cancel_all_but(&wanted.missing);
        let mut arrived = 0;
        for made in self.workers.ready(ARRIVALS_PER_FRAME) {
            // The view may have left while it was made.
            if wanted.missing.contains(&made.id) {
                self.take(made);
                arrived += 1;
            }
        }
        for &id in &wanted.missing {
            if !self.workers.start(id, &self.kind) {
                break;
            }
        }
        self.count(wanted.count, arrived);
        let taken = Instant::now();
        let changed = self.atlas.upload(queue);
        self.timings = StreamTimings { plan: planned - started, take: taken - planned, upload: taken.elapsed() };
        changed
    }

    /// Makes all tiles that the view wants, however long it takes; true if the tiles on the device changed.
    pub fn complete(&mut self, look: &K::Look, queue: &wgpu::Queue) -> bool {
        loop {
            let wanted = self.residency.plan(|child| self.kind.ratio(child, look), |_| 0.0);
            self.count(wanted.count, 0);
            if wanted.missing.is_empty() {
                return self.atlas.upload(queue);
            }
            self.make_now(wanted.missing);
        }
    }

    /// True if the last view has all the tiles that it wants.
    pub fn is_complete(&self) -> bool {
        self.residency.is_complete()
    }

    fn make_now(&mut self, mut ids: Vec<TileId>) {
        // What is near each other is made one after the other, so that a file is read once; a batch at a time, so that memory stays bounded.
        ids.sort_unstable();
        for batch in ids.chunks(32) {
            let made: Vec<Made<K>> = batch.par_iter().map(|&id| self.kind.make(id)).collect();
            made.into_iter().for_each(|made| self.take(made));
        }
    }

    fn take(&mut self, made: Made<K>) {
        let Made { id, texels, children, mark } = made;
        let Some(layer) = self.residency.insert(id, children, |evicted| self.atlas.release(evicted)) else {
            return;
        };
        self.atlas.put(id, layer, texels, mark);
    }

    fn count(&mut self, wanted: u32, arrived: u32) {
        self.counts = TileCounts {
            resident: self.residency.len(),
            wanted,
            in_flight: self.workers.in_flight(),
            budget: self.atlas.layers(),
            arrived,
        };
    }
}
