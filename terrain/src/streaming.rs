//! Which tiles are on the device? Those that the view may need, by projected error, within a budget.
//!
//! What is wanted is a function of the view and of the tiles that are there: each tile knows the largest error that its
//! children could remove, so the tree of tiles is walked from the roots and no answer of the GPU is waited for. Tiles are
//! made on worker threads, the most urgent first, and replace those that are no longer wanted. Ancestors of a tile stay
//! as long as it does, and the six roots always.

mod atlas;
mod page;
mod residency;
mod workers;

use std::{sync::Arc, time::Duration};

use rayon::prelude::*;
use web_time::Instant;

pub(crate) use atlas::Atlas;
pub use residency::MIN_TILES;
pub(crate) use residency::PreparedView;
use residency::{Quadrants, Residency};
use workers::Workers;

use crate::{
    TileCache,
    height::{CoarseErrors, Relief},
    tile::{Tile, TileId},
};

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

/// The tiles of a planet on a device.
pub(crate) struct Streaming {
    residency: Residency,
    atlas: Atlas,
    workers: Workers,
    maker: Maker,
    counts: TileCounts,
    timings: StreamTimings,
}

/// Most tiles that one frame takes over: each is a quarter of a megabyte of upload.
const ARRIVALS_PER_FRAME: usize = 8;

impl Streaming {
    /// The six root tiles, made at once, in an atlas of at most `budget` tiles.
    pub fn new(device: &wgpu::Device, relief: Arc<Relief>, coarse_errors: Arc<CoarseErrors>, budget: u32) -> Self {
        let atlas = Atlas::new(device, budget);
        let residency = Residency::new(atlas.layers());
        let maker = Maker { relief, coarse_errors, cache: None };
        let mut streaming = Self {
            residency,
            atlas,
            workers: Workers::new(),
            maker,
            counts: TileCounts::default(),
            timings: StreamTimings::default(),
        };
        let roots: Vec<TileId> = (0..crate::cube::FACES).map(TileId::root).collect();
        streaming.make_now(&roots);
        streaming
    }

    pub fn atlas(&self) -> &Atlas {
        &self.atlas
    }

    pub fn counts(&self) -> TileCounts {
        self.counts
    }

    /// Where the time of the last [`follow`](Self::follow) went.
    pub fn timings(&self) -> StreamTimings {
        self.timings
    }

    /// Looks for tiles in a cache before they are made, and keeps them there.
    pub fn set_tile_cache(&mut self, cache: Arc<TileCache>) {
        self.maker.cache = Some(cache);
    }

    /// Takes over tiles that are ready and asks for those that the view wants, and after them for those that it will want from
    /// where the eye is going (`ahead`); true if the tiles on the device changed.
    pub fn follow(&mut self, look: &PreparedView, ahead: Option<&PreparedView>, queue: &wgpu::Queue) -> bool {
        let started = Instant::now();
        let wanted = self.residency.plan(look, ahead);
        let planned = Instant::now();
        self.workers.cancel_all_but(&wanted.missing);
        let mut arrived = 0;
        for made in self.workers.ready(ARRIVALS_PER_FRAME) {
            // The view may have left while it was made.
            if wanted.missing.contains(&made.tile.id()) {
                self.take(made);
                arrived += 1;
            }
        }
        for &id in &wanted.missing {
            if !self.workers.start(id, &self.maker) {
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
    pub fn complete(&mut self, look: &PreparedView, queue: &wgpu::Queue) -> bool {
        loop {
            let wanted = self.residency.plan(look, None);
            self.count(wanted.count, 0);
            if wanted.missing.is_empty() {
                return self.atlas.upload(queue);
            }
            self.make_now(&wanted.missing);
        }
    }

    /// True if the last view has all the tiles that it wants.
    pub fn is_complete(&self) -> bool {
        self.residency.is_complete()
    }

    fn make_now(&mut self, ids: &[TileId]) {
        // A batch at a time, so that memory stays bounded.
        for batch in ids.chunks(32) {
            let made: Vec<Made> = batch.par_iter().map(|&id| self.maker.make(id)).collect();
            made.into_iter().for_each(|made| self.take(made));
        }
    }

    fn take(&mut self, made: Made) {
        let Made { tile, quadrants, own_normals } = made;
        let Some(layer) = self.residency.insert(tile.id(), quadrants, |evicted| self.atlas.release(evicted)) else {
            return;
        };
        self.atlas.put(tile, layer, own_normals);
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

/// A tile, and what is known of it before it is on the device: its 66 049 texels are looked at by who makes it, not in the frame
/// that takes it over.
struct Made {
    tile: Tile,
    quadrants: Quadrants,
    /// Whether its vertices have normals of their own.
    own_normals: bool,
}

/// What tiles are made from.
#[derive(Clone)]
struct Maker {
    relief: Arc<Relief>,
    coarse_errors: Arc<CoarseErrors>,
    cache: Option<Arc<TileCache>>,
}

impl Maker {
    /// A tile from the cache, or built and kept there, ready to be taken over.
    fn make(&self, id: TileId) -> Made {
        let tile = self.tile(id);
        let quadrants = residency::quadrants(&tile);
        let own_normals = residency::has_own_normals(&self.relief, id);
        Made { tile, quadrants, own_normals }
    }

    fn tile(&self, id: TileId) -> Tile {
        let Some(cache) = &self.cache else { return Tile::build(&self.relief, &self.coarse_errors, id) };
        if let Some(tile) = cache.get(id) {
            return tile;
        }
        let tile = Tile::build(&self.relief, &self.coarse_errors, id);
        // After a file has gone bad, what lies below it may have answered: that must not outlive this flight.
        if self.relief.failure().is_none() {
            cache.put(&tile);
        }
        tile
    }
}
