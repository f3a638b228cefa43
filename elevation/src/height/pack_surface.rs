//! What is the height at a place, from a pack? The finest tile there answers, smoothly between its vertices.
//!
//! At a vertex of the bisection the answer is the tile's own height. Between vertices it is the cubic patch of
//! those of the tile, and along its rows and columns a monotone cubic. A tile's last slope is that of its last two vertices. So two tiles at an edge, on one face
//! or two, agree on it. Where a level ends and only a coarser one goes on, the finer one goes over to it within [`RIM`]
//! vertices, so that there is no step.

mod bounds;
mod origin;
mod tile;

use std::{
    cell::RefCell,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use foreign::vertical::VerticalDatum;
use glam::DVec3;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    datum_name::{BY_NAME, ELLIPSOID, NOT_STATED, SEA_LEVEL, WGS84, WGS84_IN_SPACE, name, system},
    elevation_source::{Elevation, ElevationSource, LayerSource, Location, RecordShare, Spacing},
    error::HeightError,
    filled_quads::FilledQuads,
    layer_info::{Area, LayerInfo, one_system},
    patch::{Patch, PatchCoordinates},
    region::{HeightBounds, Region},
};
use crate::{
    cube::face_of,
    geodesy::Ellipsoid,
    pack::{Pack, PackError, SourceRecord, codec::Parent, note_missing_part, origins::Origin},
    tile::{TILE_QUADS, TILE_VERTICES, TileId, level_of, posting_m},
};
use tile::{KEPT, SampledTile, SampledTileCache, neighbour, tile_at};

/// Vertices from the end of a level over which it goes over to the coarser one.
const RIM: f64 = 16.0;
/// Vertices of a row with one more at each end.
const STRIDE: usize = TILE_VERTICES + 2;

/// A pack as a surface.
#[derive(Debug)]
pub(crate) struct PackSurface {
    pack: Pack,
    /// Name and system of what its heights are above, where the user says it.
    said: Option<(String, String)>,
    /// Level down to which tiles answer however far apart places are.
    level: Option<u32>,
    /// Of each source.
    areas: Vec<Area>,
    /// Of each layer that sources were, as one, with the number of its first source.
    layers: Vec<(usize, Area)>,
    /// Distinguishes surfaces in the threads' memories.
    serial: u64,
    kept: Mutex<SampledTileCache>,
    /// Made when the first ray comes.
    ranges: OnceLock<bounds::Ranges>,
    /// Tiles that are damaged, or below one that is: reading them again would find the same.
    damaged: Mutex<FxHashMap<TileId, PackError>>,
    failures: Mutex<Failures>,
}

/// Tiles that could not be read, each time that they were asked for.
#[derive(Debug, Default)]
struct Failures {
    count: u64,
    first: Option<PackError>,
    last: Option<PackError>,
}

thread_local! {
    /// The tile that answered last on this thread, and the surface it belongs to: neighbours are asked for one after the other.
    static LAST: RefCell<Option<(u64, Arc<SampledTile>)>> = const { RefCell::new(None) };
}

impl PackSurface {
    /// Of a pack, whose heights are above what is said, if anything is. Where a level is given, tiles down to it answer however far apart
    /// places are: near the end of a level coarser ones have other heights at the same vertices.
    ///
    /// # Errors
    /// [`HeightError::NoVerticalDatum`] if that is no datum.
    pub fn new(pack: Pack, said: Option<VerticalDatum>, level: Option<u32>) -> Result<Self, HeightError> {
        let said = said.map(|said| Ok::<_, HeightError>((name(said)?, system(said, WGS84)))).transpose()?;
        static SERIAL: AtomicU64 = AtomicU64::new(0);
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let manifest = pack.manifest();
        let area = |source: &SourceRecord| Area {
            cap: source.cap(),
            bbox_deg: source.bbox_deg,
            posting_m: posting_m(manifest.ellipsoid, manifest.max_level).max(source.posting_m),
        };
        let areas = manifest.sources.iter().map(area).collect();
        let layers = manifest.layers().scan(0, |next, (layer, count)| {
            let first = std::mem::replace(next, *next + count);
            Some((first, area(&layer)))
        });
        let layers = layers.collect();
        let (kept, damaged, failures) = (Mutex::default(), Mutex::default(), Mutex::default());
        Ok(Self { pack, said, level, areas, layers, serial, kept, damaged, ranges: OnceLock::new(), failures })
    }

    /// Height in metres at a normal, from vertices that are at most about `spacing_m` apart if there are such.
    pub fn height_m(&self, n: DVec3, spacing_m: f64) -> f64 {
        let (face, s, t) = face_of(n);
        let (x, y) = (0.5 * (s + 1.0), 0.5 * (t + 1.0));
        let most = self.level.unwrap_or_else(|| level_of(self.pack.manifest().ellipsoid, spacing_m));
        LAST.with_borrow_mut(|last| {
            if let Some((serial, tile)) = last
                && *serial == self.serial
                && tile.answers(face, x, y, most)
            {
                return self.at(&tile.clone(), x, y);
            }
            let Some(tile) = self.finest(face, x, y, most) else { return 0.0 };
            let height_m = self.at(&tile, x, y);
            *last = Some((self.serial, tile));
            height_m
        })
    }

    /// The finest tile at a place that can be read, down to level `most`.
    fn finest(&self, face: u32, x: f64, y: f64, most: u32) -> Option<Arc<SampledTile>> {
        let mut id = self.finest_id(face, x, y, most);
        loop {
            match self.tile(id) {
                Ok(tile) => return Some(tile),
                Err(error) => {
                    self.record_failure(error);
                    id = id.parent()?;
                }
            }
        }
    }

    fn finest_id(&self, face: u32, x: f64, y: f64, most: u32) -> TileId {
        let most = most.min(self.pack.manifest().max_level);
        let mut id = TileId::root(face);
        for level in 1..=most {
            let finer = tile_at(face, level, x, y);
            if !self.pack.contains(finer) {
                break;
            }
            id = finer;
        }
        id
    }

    /// Height from a tile, and towards the rim of its level from its parent.
    fn at(&self, tile: &SampledTile, x: f64, y: f64) -> f64 {
        let (own, weight) = tile.sample(x, y);
        if weight >= 1.0 {
            return own;
        }
        let parent = tile.id.parent().map(|parent| self.tile(parent));
        match parent {
            Some(Ok(parent)) => {
                let coarser = self.at(&parent, x, y);
                coarser + (own - coarser) * weight
            }
            Some(Err(error)) => {
                self.record_failure(error);
                own
            }
            None => own,
        }
    }

    /// Counts an error and tells the first; of what is elsewhere, who reads it tells.
    fn record_failure(&self, error: PackError) {
        if matches!(error, PackError::Unavailable { .. }) {
            return note_missing_part();
        }
        let mut failures = self.failed();
        if failures.count == 0 {
            tracing::error!("{error}; coarser tiles answer in its place");
        }
        failures.count += 1;
        failures.first.get_or_insert_with(|| error.clone());
        failures.last = Some(error);
    }

    fn failed(&self) -> MutexGuard<'_, Failures> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A tile from memory or from the file.
    fn tile(&self, id: TileId) -> Result<Arc<SampledTile>, PackError> {
        if let Some(tile) = self.with_cache(|kept| kept.get(id)) {
            return Ok(tile);
        }
        let damaged = || self.damaged.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = damaged().get(&id) {
            return Err(error.clone());
        }
        if self.pack.is_remote() {
            self.prefetch_tiles(std::iter::once(id), false);
        }
        // Ancestors first, so that decoding never goes deep.
        let parent = id.parent().map(|parent| self.tile(parent)).transpose();
        match parent.and_then(|parent| self.decode(id, parent.as_deref())) {
            Ok(tile) => Ok(self.with_cache(|kept| kept.put(Arc::new(tile)))),
            Err(error) => {
                if matches!(error, PackError::Corrupt { .. }) {
                    damaged().insert(id, error.clone());
                }
                Err(error)
            }
        }
    }

    /// Tells that tiles will be read, or what stands in for them, and what they are decoded with.
    fn prefetch_tiles(&self, ids: impl Iterator<Item = TileId>, with_errors: bool) {
        let mut seen = FxHashSet::default();
        let mut wanted = Vec::new();
        for id in ids {
            let above = std::iter::successors(Some(id), |id| id.parent()).take_while(|id| seen.insert(*id));
            wanted.extend(above.filter(|id| self.pack.contains(*id)));
        }
        self.with_cache(|kept| wanted.retain(|id| with_errors || !kept.tiles.contains_key(id)));
        // Parents are read first.
        wanted.sort_by_key(|id| id.level);
        self.pack.prefetch(wanted.into_iter(), with_errors);
    }

    fn with_cache<T>(&self, f: impl FnOnce(&mut SampledTileCache) -> T) -> T {
        f(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn decode(&self, id: TileId, parent: Option<&SampledTile>) -> Result<SampledTile, PackError> {
        let (base_m, step_m) = (self.pack.height_m(0), self.pack.manifest().height_step_m);
        // Heights are exact in 32 bits: 24 for the steps.
        let steps = |parent: &SampledTile, x: usize, y: usize| {
            ((f64::from(parent.data[(y + 1) * STRIDE + x + 1]) - base_m) / step_m) as u32
        };
        let parent = parent.map(|parent| move |x: usize, y: usize| steps(parent, x, y));
        let parent = parent.as_ref().map(|steps| steps as Parent<'_>);
        let (steps, origins) = self.pack.steps_and_origins(id, parent)?;
        let mut data = vec![0f32; STRIDE * STRIDE];
        for (row, steps) in data.chunks_exact_mut(STRIDE).skip(1).zip(steps.chunks_exact(TILE_VERTICES)) {
            for (h, step) in row[1..].iter_mut().zip(steps) {
                *h = self.pack.height_m(*step) as f32;
            }
            row[0] = 2.0 * row[1] - row[2];
            row[STRIDE - 1] = 2.0 * row[STRIDE - 2] - row[STRIDE - 3];
        }
        for x in 0..STRIDE {
            let at = |y: usize| y * STRIDE + x;
            data[at(0)] = 2.0 * data[at(1)] - data[at(2)];
            data[at(STRIDE - 1)] = 2.0 * data[at(STRIDE - 2)] - data[at(STRIDE - 3)];
        }
        let mut missing = [[false; 3]; 3];
        for (dy, row) in missing.iter_mut().enumerate() {
            for (dx, missing) in row.iter_mut().enumerate() {
                *missing = !self.pack.contains(neighbour(id, dx as i32 - 1, dy as i32 - 1));
            }
        }
        let children = id.children().map_or([false; 4], |children| children.map(|child| self.pack.contains(child)));
        Ok(SampledTile { id, data, missing, children, origins, pyramid: OnceLock::new() })
    }

    /// What a user should know.
    pub fn info(&self) -> LayerInfo {
        let manifest = self.pack.manifest();
        let layers: Vec<SourceRecord> = manifest.layers().map(|(layer, _)| layer).collect();
        let mut datums: Vec<&str> = layers.iter().map(|layer| layer.datum.as_str()).collect();
        datums.dedup();
        let side = (TILE_QUADS as usize) << manifest.max_level;
        let remarks = |source: &SourceRecord| -> Vec<String> {
            source.remarks.iter().map(|remark| format!("made from {}: {remark}", source.name)).collect()
        };
        let mut attributions: Vec<&str> = layers.iter().map(|layer| layer.attribution.as_str()).collect();
        attributions.retain(|said| !said.is_empty());
        attributions.dedup();
        let names: Vec<&str> = layers.iter().map(|layer| layer.name.as_str()).collect();
        let stated = || (datums.join("; "), one_system(layers.iter().map(|layer| (&*layer.datum, system_of(layer)))));
        let is_earth = manifest.ellipsoid == Ellipsoid::WGS84;
        let crs = if is_earth { "cube faces of WGS 84" } else { "cube faces" };
        let (datum, vertical_system) = self.said.clone().unwrap_or_else(stated);
        LayerInfo {
            name: self.pack.path().display().to_string(),
            driver: "pack of tiles".to_owned(),
            crs: crs.to_owned(),
            datum,
            vertical_system,
            ellipsoid: manifest.ellipsoid,
            size: [side + 1; 2],
            grid: [side + 1; 2],
            posting_m: self.areas.iter().map(|area| area.posting_m).fold(f64::INFINITY, f64::min),
            bbox_deg: [-180.0, -90.0, 180.0, 90.0],
            nodata: None,
            void_share: 0.0,
            range_m: self.pack.range_m(),
            range_is_bound: false,
            attribution: attributions.join("; "),
            remarks: layers.iter().flat_map(remarks).collect(),
            notes: vec![format!(
                "{} tiles to level {}, made from {}",
                self.pack.len(),
                manifest.max_level,
                names.join(", ")
            )],
        }
    }
}

/// The system of a source's heights, by what a pack says of it: names, or a code that a pack of others may have.
fn system_of(SourceRecord { crs, datum, .. }: &SourceRecord) -> String {
    // A compound system is named by its parts; degrees and metres on the ground have the same heights.
    let plane = crs.split(BY_NAME).next().unwrap_or_default();
    match datum.as_str() {
        NOT_STATED | SEA_LEVEL => String::new(),
        ELLIPSOID => WGS84_IN_SPACE.to_owned(),
        datum => format!("{plane}{BY_NAME}{datum}"),
    }
}

impl ElevationSource for PackSurface {
    fn sample(&self, at: &Location, spacing: Spacing) -> Option<Elevation> {
        Some(Elevation::whole(self.height_m(at.normal, spacing.metres())))
    }

    fn bounds(&self, region: &Region) -> Option<HeightBounds> {
        Some(HeightBounds::of(self.bounds_m(region)))
    }

    /// Of the vertices there, or of the source that answers if that is coarser.
    fn posting_m(&self, at: &Location) -> f64 {
        let vertices_m = self.vertices_m(at);
        self.origin_at(at).map_or(vertices_m, |origin| vertices_m.max(self.areas[usize::from(origin.source)].posting_m))
    }
}

impl LayerSource for PackSurface {
    fn areas(&self) -> Vec<Area> {
        self.areas.clone()
    }

    fn rough_areas(&self) -> Vec<Area> {
        self.layers.iter().map(|(_, area)| area.clone()).collect()
    }

    fn is_complete(&self) -> bool {
        true
    }

    fn is_mixed(&self, (patch, _): &(Patch, PatchCoordinates)) -> bool {
        self.is_mixed_in(patch)
    }

    fn packed(&self, id: TileId) -> Option<(Vec<f64>, Vec<u8>)> {
        if !self.pack.contains(id) {
            return None;
        }
        let tile = self.tile(id).map_err(|error| self.record_failure(error)).ok()?;
        if tile.missing.as_flattened().contains(&true) {
            return None;
        }
        let rows = tile.data.chunks_exact(STRIDE).skip(1).take(TILE_VERTICES);
        let heights_m = rows.flat_map(|row| &row[1..=TILE_VERTICES]).map(|h| f64::from(*h)).collect();
        Some((heights_m, self.error_codes(id)?))
    }

    fn error_codes(&self, id: TileId) -> Option<Vec<u8>> {
        if !self.pack.contains(id) {
            return None;
        }
        self.pack.codes(id).map_err(|error| self.record_failure(error)).ok()
    }

    /// Those of the finest data that may be there, since the ground around a void is not without them.
    fn slope_step_m(&self, at: &Location) -> f64 {
        self.finest_posting_m(at)
    }

    fn record_share(&self, at: &Location, _: Spacing) -> Option<RecordShare> {
        let origin = self.origin_at(at)?;
        let Origin { source, other, filled, .. } = origin;
        Some(RecordShare { most: source.into(), share: origin.share(), other: other.map(u32::from), filled })
    }

    fn data(&self, number: u32) -> Option<(String, &str)> {
        let source = self.pack.manifest().sources.get(number as usize)?;
        Some((source.name.clone(), self.said.as_ref().map_or(&source.datum, |(name, _)| name)))
    }

    fn filled_quads(&self, (patch, _): &(Patch, PatchCoordinates)) -> FilledQuads {
        self.filled_quads_of(patch)
    }

    fn records(&self, _: &LayerInfo) -> Option<Vec<SourceRecord>> {
        let mut records = self.pack.manifest().sources.clone();
        if let Some((name, _)) = &self.said {
            records.iter_mut().for_each(|record| record.datum.clone_from(name));
        }
        Some(records)
    }

    fn prefetch(&self, ids: &[TileId], with_errors: bool) {
        if self.pack.is_remote() {
            self.prefetch_tiles(ids.iter().copied(), with_errors);
        }
    }

    fn prefetch_overview(&self, spacing_m: f64) {
        if self.pack.is_remote() {
            let most = level_of(self.pack.manifest().ellipsoid, spacing_m);
            let mut coarse: Vec<TileId> = self.pack.ids().filter(|id| id.level <= most).collect();
            coarse.sort_by_key(|id| id.level);
            coarse.truncate(KEPT);
            self.pack.prefetch(coarse.into_iter(), false);
        }
    }

    fn set_non_blocking(&self) {
        self.pack.set_non_blocking();
    }

    /// The first tile that could not be read; coarser ones have answered in its place.
    fn failure(&self) -> Option<HeightError> {
        self.failed().first.clone().map(HeightError::from)
    }

    fn failures(&self) -> u64 {
        self.failed().count
    }

    fn failure_since(&self, before: u64) -> Option<HeightError> {
        let failures = self.failed();
        failures.last.clone().filter(|_| failures.count > before).map(HeightError::from)
    }
}
