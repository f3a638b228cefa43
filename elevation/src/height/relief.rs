//! What is the height at a place? Ordered layers, the first valid one wins, a global relief last.

mod bounds;
mod coarse_errors;
mod construction;
mod filled_quads;
mod origin;
mod patches;
mod sample;
mod sea_surface;
mod synthetic_detail;
#[cfg(all(test, feature = "gdal"))]
mod test_terrain;

use std::sync::{Arc, OnceLock};

use glam::DVec3;

pub use coarse_errors::CoarseErrors;
pub(crate) use coarse_errors::root_errors;
pub use origin::SourceAt;
pub use sample::Sample;
use sea_surface::SeaSurface;

use super::{
    datum_shift::DatumShift,
    elevation_source::{LayerSource, Location},
    error::HeightError,
    kernel::Interpolation,
    layer::Layer,
    layer_info::{Area, LayerInfo, MemoryUse},
    synthetic::Synthetic,
};
use crate::{geodesy::Ellipsoid, pack::SourceRecord, tile::TileId};

/// Elevation of the whole Earth from ordered layers.
///
/// A relief is immutable and holds arrays only, so any thread may sample it; share it in an [`std::sync::Arc`]. The height is
/// a pure function of the normal: the same bits for the same place, from [`Relief::sample`] and [`Relief::sample_row`] alike.
/// Between the heights that a file has they are interpolated by [cubic patches](super::Interpolation::Cubic), and no other layer
/// counts there. Voids up to [`FILL_TEXELS`](super::FILL_TEXELS) texels wide are filled from the heights around them. In wider
/// ones, and beyond a layer's edges, the heights go over to the layers below within the feather distance
/// ([`OpenOptions::feather_texels`](super::OpenOptions::feather_texels)), and within a posting to data as fine. The last layer covers
/// the Earth, so every place has a height.
///
/// ```
/// use elevation::height::{GlobalGrid, Registration, Relief};
/// let slope = GlobalGrid::from_fn(72, 37, Registration::Node, |_lon, lat| 10.0 * lat);
/// let relief = Relief::from_grid(slope)?;
/// let sample = relief.sample(elevation::geodesy::n_vector(0.5_f64, 1.0));
/// assert!((sample.height_m - 10.0 * 0.5_f64.to_degrees()).abs() < 1e-3);
/// # Ok::<(), elevation::height::HeightError>(())
/// ```
#[derive(Debug)]
pub struct Relief {
    /// At least one; the last covers the Earth.
    layers: Vec<Arc<Layer>>,
    infos: Vec<LayerInfo>,
    /// What brings each layer to the datum that was asked for.
    shifts: Vec<Option<DatumShift>>,
    /// What heights are multiplied by.
    exaggeration: f64,
    /// What is made up between the postings of coarse layers.
    synthetic: Option<Arc<Synthetic>>,
    /// What the ground is where there is sea, if not its floor.
    sea: Option<Arc<SeaSurface>>,
    interpolation: Interpolation,
    /// Found when the first mesh asks.
    coarse_errors: OnceLock<Arc<CoarseErrors>>,
}

impl Relief {
    /// Errors of the coarse lattice at [`CoarseErrors::DEFAULT_LEVEL`], kept once they are found: every mesh of this relief begins with them.
    /// Threads that ask before may each find them.
    ///
    /// ```
    /// use elevation::height::{CoarseErrors, GlobalGrid, Registration, Relief};
    /// let relief = Relief::from_grid(GlobalGrid::from_fn(36, 19, Registration::Node, |_, _| 100.0))?;
    /// let errors = relief.coarse_errors();
    /// assert_eq!(errors.level(), CoarseErrors::DEFAULT_LEVEL);
    /// assert!(std::sync::Arc::ptr_eq(&errors, &relief.coarse_errors()));
    /// # Ok::<(), elevation::height::HeightError>(())
    /// ```
    pub fn coarse_errors(&self) -> Arc<CoarseErrors> {
        if let Some(found) = self.coarse_errors.get() {
            return found.clone();
        }
        // Nobody waits for it: a thread that makes a part of it may meanwhile take up other work that asks, too, and would wait for itself.
        let built = Arc::new(CoarseErrors::build(self, CoarseErrors::DEFAULT_LEVEL));
        self.coarse_errors.get_or_init(|| built).clone()
    }

    /// What its heights are above: the planet that it is the relief of.
    pub fn ellipsoid(&self) -> Ellipsoid {
        self.infos.last().map(|bottom| bottom.ellipsoid).unwrap_or_default()
    }

    /// What the ground between the postings of rasters is.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// What heights are multiplied by; 1 as opened.
    pub fn exaggeration(&self) -> f64 {
        self.exaggeration
    }

    /// Heights in metres and error codes of a tile's vertices, where a pack of tiles alone makes up the relief and its surface there
    /// is that of the tile.
    pub(crate) fn packed(&self, id: TileId) -> Option<(Vec<f64>, Vec<u8>)> {
        self.only_layer()?.packed(id)
    }

    /// Error codes of a tile's vertices against all data, where a pack of tiles alone makes up the relief and has the tile.
    pub(crate) fn error_codes(&self, id: TileId) -> Option<Vec<u8>> {
        self.only_layer()?.error_codes(id)
    }

    /// The layer, if it is all there is and its heights are left as they are.
    fn only_layer(&self) -> Option<&dyn LayerSource> {
        if self.is_shifted() || self.synthetic.is_some() || self.sea.is_some() {
            return None;
        }
        if self.exaggeration != 1.0 {
            return None;
        }
        match &self.layers[..] {
            [layer] => Some(&*layer.source),
            _ => None,
        }
    }

    /// Distance of postings, in metres, of the data that answer at a normal.
    pub fn posting_m(&self, n: DVec3) -> f64 {
        // Which layer answers does not depend on how finely it does.
        self.posting_of_m(self.sample_spaced(n, f64::INFINITY).layer, n)
    }

    /// Distance of postings, in metres, of a layer's data at a normal.
    pub(crate) fn posting_of_m(&self, layer: usize, n: DVec3) -> f64 {
        self.layers[layer].source.posting_m(&Location::of(n))
    }

    /// Column and row of a normal in the grid of a layer's data that answer there; `None` in packs and outside of the data.
    pub(crate) fn texel_of(&self, layer: usize, n: DVec3) -> Option<(f64, f64)> {
        let texel = self.layers[layer].source.texel(&Location::of(n));
        texel.filter(|(column, row)| column.is_finite() && row.is_finite())
    }

    /// How much of each layer is in memory, in their order; `None` of packs, which do not tell.
    ///
    /// ```
    /// use elevation::height::{GlobalGrid, MemoryUse, Registration, Relief};
    /// let relief = Relief::from_grid(GlobalGrid::from_fn(36, 19, Registration::Node, |_, _| 7.0))?;
    /// let Some(MemoryUse { bytes, most: None }) = relief.memory_use()[0] else { panic!("a grid is all in memory") };
    /// assert!(bytes >= 36 * 19 * size_of::<f32>());
    /// # Ok::<(), elevation::height::HeightError>(())
    /// ```
    pub fn memory_use(&self) -> Vec<Option<MemoryUse>> {
        self.layers.iter().map(|layer| layer.source.memory_use()).collect()
    }

    /// Remarks on a layer: those that it was opened with, and on heights that have been read since.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use elevation::height::{Elevation, ElevationSource, HeightBounds, LayerInfo, Location, Region, Relief, Spacing};
    /// # #[derive(Debug)]
    /// # struct Sea;
    /// # impl ElevationSource for Sea {
    /// #     fn sample(&self, _: &Location, _: Spacing) -> Option<Elevation> { Some(Elevation::whole(0.0)) }
    /// #     fn bounds(&self, _: &Region) -> Option<HeightBounds> { Some(HeightBounds::of((0.0, 0.0))) }
    /// #     fn posting_m(&self, _: &Location) -> f64 { 1_000.0 }
    /// # }
    /// let mut info = LayerInfo::synthetic("sea", 1_000.0, [-180.0, -90.0, 180.0, 90.0], (0.0, 0.0));
    /// info.remarks.push("tides are left out".into());
    /// let relief = Relief::of_source(info, Arc::new(Sea));
    /// assert_eq!(relief.remarks(0), ["tides are left out"]);
    /// // None has come since.
    /// assert!(relief.read_remarks().is_empty());
    /// ```
    pub fn remarks(&self, layer: usize) -> Vec<String> {
        [self.infos[layer].remarks.clone(), self.layers[layer].source.read_remarks()].concat()
    }

    /// Remarks on heights that have been read since the layers were opened, each with the name of its layer.
    pub fn read_remarks(&self) -> Vec<String> {
        let of_layer = |(layer, info): (&Arc<Layer>, &LayerInfo)| -> Vec<String> {
            layer.source.read_remarks().iter().map(|remark| format!("{}: {remark}", info.name)).collect()
        };
        self.layers.iter().zip(&self.infos).flat_map(of_layer).collect()
    }

    /// What has gone wrong with a layer that is read as needed, since it was opened: what lies below, or a coarser level, has
    /// answered in its place.
    pub fn failure(&self) -> Option<HeightError> {
        self.layers.iter().find_map(|layer| layer.source.failure())
    }

    /// Whether heights of a layer are brought to another vertical datum.
    pub(crate) fn is_shifted(&self) -> bool {
        self.shifts.iter().any(Option::is_some)
    }

    /// How often each layer could not read something that it will ask for again, like a part of a pack on a server: what
    /// [`failure_since`](Self::failure_since) compares with.
    pub fn failures(&self) -> Vec<u64> {
        self.layers.iter().map(|layer| layer.source.failures()).collect()
    }

    /// What has gone wrong since [`failures`](Self::failures) was `before`, on any thread; with layers that do not ask again, since they
    /// were opened. An answer that begins after `before` and ends without one is of the data themselves.
    ///
    /// ```
    /// use elevation::height::{GlobalGrid, Registration, Relief};
    /// let relief = Relief::from_grid(GlobalGrid::from_fn(72, 37, Registration::Node, |_, _| 7.0))?;
    /// let before = relief.failures();
    /// let height_m = relief.sample(glam::DVec3::X).height_m;
    /// assert!(relief.failure_since(&before).is_none() && height_m == 7.0);
    /// # Ok::<(), elevation::height::HeightError>(())
    /// ```
    pub fn failure_since(&self, before: &[u64]) -> Option<HeightError> {
        self.layers.iter().zip(before).find_map(|(layer, before)| layer.source.failure_since(*before))
    }

    /// Tells that tiles will be made, the most urgent first, so that what they are made from comes over the network at once; with what
    /// tells their errors, or without.
    pub fn prefetch(&self, ids: &[TileId], with_errors: bool) {
        self.layers.iter().for_each(|layer| layer.source.prefetch(ids, with_errors));
    }

    /// Tells that a view of the whole will be made, of heights some metres apart.
    pub fn prefetch_overview(&self, spacing_m: f64) {
        self.layers.iter().for_each(|layer| layer.source.prefetch_overview(spacing_m));
    }

    /// From now on heights come from coarser tiles of a pack on a server until the finest ones are here, and nobody waits for the network;
    /// but those who say so ([`with_wait_policy`](crate::pack::with_wait_policy),
    /// [`in_one_try`](crate::pack::in_one_try)). It holds for all reliefs of the same layers.
    pub fn set_non_blocking(&self) {
        self.layers.iter().for_each(|layer| layer.source.set_non_blocking());
    }

    /// Whether every file that heights were or may be read from is still there and the same: what was computed from the
    /// relief is of one state of the data then. Looks at each of them.
    ///
    /// # Errors
    /// [`HeightError::Missing`] or [`HeightError::Changed`], or the [`failure`](Self::failure).
    pub fn check(&self) -> Result<(), HeightError> {
        self.layers.iter().try_for_each(|layer| layer.check())
    }

    /// Where all data lie, file by file, and how dense they are.
    pub(crate) fn layer_areas(&self) -> Vec<Area> {
        self.areas_in_parts().map(|(area, _)| area).collect()
    }

    /// The same, and whether their heights are read in parts as they are asked for, as more than fit in memory are.
    pub(crate) fn areas_in_parts(&self) -> impl Iterator<Item = (Area, bool)> {
        self.layers.iter().flat_map(|layer| {
            let in_parts = layer.source.averages_m().is_some();
            layer.source.areas().into_iter().map(move |area| (area, in_parts))
        })
    }

    /// What a pack made from this relief says of the layers, topmost first: of some more than one.
    pub(crate) fn sources(&self) -> Vec<Vec<SourceRecord>> {
        let records = |(layer, info): (&Arc<Layer>, &LayerInfo)| {
            let mut records = layer.records();
            if info.datum != layer.info.datum {
                records.iter_mut().for_each(|record| record.datum.clone_from(&info.datum));
            }
            records
        };
        self.layers.iter().zip(&self.infos).map(records).collect()
    }

    /// Middle and cosine of the radius of a cap that holds each source (`None`: possibly the whole Earth), and its posting.
    pub fn areas(&self) -> impl Iterator<Item = (Option<(DVec3, f64)>, f64)> {
        self.layers.iter().flat_map(|layer| layer.source.rough_areas()).map(|area| (area.cap, area.posting_m))
    }

    /// Least metres between the averages that the topmost data are in a view of the whole; none where they are not.
    pub(crate) fn averages_m(&self) -> Option<f64> {
        self.layers.first().and_then(|layer| layer.source.averages_m())
    }

    /// West, south, east, north, in degrees, of the topmost data: of a layer, or of what a pack has on top.
    pub fn topmost_box_deg(&self) -> Option<[f64; 4]> {
        self.layers.first().and_then(|layer| Some(layer.source.rough_areas().first()?.bbox_deg))
    }

    /// The datum of a layer's data as they are, before they are brought to the one that was asked for.
    pub fn source_datum(&self, layer: usize) -> &str {
        &self.layers[layer].info.datum
    }

    /// What is known about each layer, topmost first; the last one covers the Earth.
    pub fn layers(&self) -> &[LayerInfo] {
        &self.infos
    }

    /// Lowest and highest height of all layers in metres, with what they have beyond the sides of their data. No sample lies outside.
    pub fn range_m(&self) -> (f64, f64) {
        let (low, high) = self
            .infos
            .iter()
            .zip(&self.layers)
            .enumerate()
            .filter(|(_, (info, _))| info.void_share < 1.0)
            .map(|(number, (info, layer))| {
                let [below, above] = layer.source.overshoot_m();
                let highest_m = info.range_m.1 + above;
                (info.range_m.0 - below, highest_m.max(self.highest_sea_m(number, highest_m)))
            })
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
            .unwrap_or((0.0, 0.0));
        // What is made up is taken from the height above 0 m.
        let (low, high) = match &self.synthetic {
            Some(synthetic) => (low.min(0.0), high + synthetic.most_m()),
            None => (low, high),
        };
        (low * self.exaggeration, high * self.exaggeration)
    }
}
