//! What is the height at a place? Ordered layers, the first valid one wins, a global relief last.

mod bounds;
mod filled_quads;
mod origin;
mod patches;
mod sample;
mod synthetic_detail;
#[cfg(all(test, feature = "gdal"))]
mod test_terrain;

use std::{path::PathBuf, sync::Arc};

use foreign::vertical::VerticalDatum;
use glam::DVec3;

pub use origin::SourceAt;
pub use sample::Sample;

use super::{
    datum_shift::{DatumShift, ShiftTables},
    elevation_source::{ElevationSource, ExternalSource, LayerSource, Location},
    error::HeightError,
    grid::GlobalGrid,
    kernel::Interpolation,
    layer::Layer,
    layer_info::{Area, LayerInfo, MemoryUse},
    options::OpenOptions,
    source,
    synthetic::Synthetic,
};
use crate::{
    geodesy::{Ellipsoid, extents::box_of_all},
    pack::SourceRecord,
    tile::TileId,
};

/// Elevation of the whole Earth from ordered layers.
///
/// A relief is immutable and holds arrays only, so any thread may sample it; share it in an [`std::sync::Arc`]. The height is
/// a pure function of the normal: the same bits for the same place, from [`Relief::sample`] and [`Relief::sample_row`] alike.
/// Between the heights that a file has they are interpolated by [`monotone_cubic`](super::monotone_cubic), and no other layer
/// counts there. Voids up to [`FILL_TEXELS`](super::FILL_TEXELS) texels wide are filled from the heights around them. In wider
/// ones, and beyond a layer's edges, the heights go over to the layers below within the feather distance
/// ([`OpenOptions::feather_texels`]). The last layer covers the Earth, so every place has a height.
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
    interpolation: Interpolation,
}

impl Relief {
    /// The relief that ships with the program: ETOPO5, 5 minutes of arc, land and sea floor.
    ///
    /// # Errors
    /// [`HeightError::Read`] or [`HeightError::CannotOpen`] if this build of GDAL cannot read a GeoTIFF.
    #[cfg(feature = "gdal")]
    pub fn embedded() -> Result<Self, HeightError> {
        Ok(Self::stack(vec![super::embedded::layer()?]))
    }

    /// Whether it is the relief that ships, and nothing else.
    pub(crate) fn is_embedded(&self) -> bool {
        #[cfg(feature = "gdal")]
        let embedded = super::embedded::layer().ok();
        #[cfg(not(feature = "gdal"))]
        let embedded: Option<Arc<Layer>> = None;
        matches!(&self.layers[..], [layer] if embedded.is_some_and(|embedded| Arc::ptr_eq(layer, &embedded)))
    }

    /// The given rasters and packs, the first on top, and the embedded relief below them where this build has it. A pack covers
    /// the Earth, so nothing below one is opened.
    ///
    /// ```
    /// # #[cfg(feature = "gdal")] {
    /// use elevation::height::{Location, OpenOptions, Relief};
    /// // No files: the relief that ships.
    /// let relief = Relief::open(&[], &OpenOptions::default())?;
    /// let everest = relief.sample(Location::at(27.99, 86.93).normal);
    /// assert!(everest.height_m > 5_000.0 && everest.layer == 0);
    /// assert_eq!(relief.layers().len(), 1);
    /// assert!(relief.failure().is_none() && relief.check().is_ok());
    /// # }
    /// # Ok::<(), elevation::height::HeightError>(())
    /// ```
    ///
    /// # Errors
    /// The first file that cannot be used, with the reason and what to do: see [`HeightError`].
    pub fn open(files: &[PathBuf], options: &OpenOptions) -> Result<Self, HeightError> {
        let mut layers = source::open_all(files, options)?;
        let ellipsoid = options.ellipsoid.or(layers.first().map(|layer| layer.info.ellipsoid)).unwrap_or_default();
        if let Some(other) = layers.iter().find(|layer| layer.info.ellipsoid != ellipsoid) {
            return Err(HeightError::OtherBody {
                file: PathBuf::from(&other.info.name),
                bodies: [other.info.ellipsoid, ellipsoid],
            });
        }
        let below = match layers.iter().position(|layer| layer.source.is_complete()) {
            Some(bottom) => {
                layers.truncate(bottom + 1);
                None
            }
            None if ellipsoid == Ellipsoid::WGS84 => Some(source::bottom()?),
            None => Some(Arc::new(GlobalGrid::bare().into_layer(ellipsoid)?)),
        };
        if let Some(below) = below.as_ref().filter(|_| ellipsoid == Ellipsoid::WGS84) {
            layers.iter_mut().for_each(|layer| source::compare(layer, below));
        }
        let mut relief = Self::stack(layers.into_iter().map(Arc::new).chain(below).collect());
        if let Some(target) = options.vertical {
            if ellipsoid != Ellipsoid::WGS84 {
                return Err(HeightError::DatumOfEarth { given: target.to_string() });
            }
            relief.shift_to_datum(target)?;
        }
        Ok(relief)
    }

    /// What its heights are above: the planet that it is the relief of.
    pub fn ellipsoid(&self) -> Ellipsoid {
        self.infos.last().map(|bottom| bottom.ellipsoid).unwrap_or_default()
    }

    /// Brings the heights of all layers to one datum.
    fn shift_to_datum(&mut self, target: VerticalDatum) -> Result<(), HeightError> {
        let (mut made, mut first) = (ShiftTables::default(), Ok(()));
        // The widest layers are lowest: their tables do for others.
        for ((info, shift), layer) in self.infos.iter_mut().zip(&mut self.shifts).zip(&self.layers).rev() {
            let reach_deg = box_of_all(layer.source.rough_areas().iter().map(|area| area.bbox_deg));
            match DatumShift::of(info, reach_deg, target, &mut made) {
                Ok(found) => *shift = found,
                Err(error) => first = Err(error),
            }
        }
        first
    }

    /// A relief of one global grid.
    ///
    /// # Errors
    /// [`HeightError::Grid`] if the grid's shape is wrong or a value is not finite.
    pub fn from_grid(grid: GlobalGrid) -> Result<Self, HeightError> {
        Self::from_grid_on(Ellipsoid::WGS84, grid)
    }

    /// The same of another planet than the Earth.
    ///
    /// ```
    /// use elevation::{geodesy::Ellipsoid, height::{GlobalGrid, Registration, Relief}};
    /// let flat = GlobalGrid::from_fn(8, 5, Registration::Node, |_, _| 0.0);
    /// assert_eq!(Relief::from_grid(flat.clone())?.ellipsoid(), Ellipsoid::WGS84);
    /// assert_eq!(Relief::from_grid_on(Ellipsoid::MARS, flat)?.ellipsoid(), Ellipsoid::MARS);
    /// # Ok::<(), elevation::height::HeightError>(())
    /// ```
    ///
    /// # Errors
    /// As [`from_grid`](Self::from_grid).
    pub fn from_grid_on(ellipsoid: Ellipsoid, grid: GlobalGrid) -> Result<Self, HeightError> {
        Ok(Self::stack(vec![Arc::new(grid.into_layer(ellipsoid)?)]))
    }

    /// A relief of one source that covers the whole Earth; where it has no height the ground is at 0 m.
    ///
    /// `info` describes it ([`LayerInfo::synthetic`]); its `range_m` has to hold all of its heights.
    pub fn of_source(info: LayerInfo, source: Arc<dyn ElevationSource>) -> Self {
        let bottom = ExternalSource::new(source, &info, true);
        Self::stack(vec![Arc::new(Layer::of(bottom, info))])
    }

    /// The same layers below another source.
    ///
    /// `info` describes it ([`LayerInfo::synthetic`]): its box has to hold all places at which it answers, its `range_m` all of
    /// its heights. They are taken as heights above the datum of the layers below.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use elevation::height::{Elevation, ElevationSource, GlobalGrid, HeightBounds, LayerInfo};
    /// use elevation::height::{Location, Region, Registration, Relief, Spacing};
    ///
    /// /// A mound of 500 m on a box of one degree.
    /// #[derive(Debug)]
    /// struct Mound;
    /// impl ElevationSource for Mound {
    ///     fn sample(&self, at: &Location, _: Spacing) -> Option<Elevation> {
    ///         let inside = (8.0..=9.0).contains(&at.lon_deg) && (46.0..=47.0).contains(&at.lat_deg);
    ///         inside.then(|| Elevation::whole(500.0))
    ///     }
    ///     fn bounds(&self, _: &Region) -> Option<HeightBounds> { Some(HeightBounds::promised((500.0, 500.0))) }
    ///     fn posting_m(&self, _: &Location) -> f64 { 100.0 }
    /// }
    /// let sea = Relief::from_grid(GlobalGrid::from_fn(36, 19, Registration::Node, |_, _| 0.0))?;
    /// let relief = sea.under(LayerInfo::synthetic("mound", 100.0, [8.0, 46.0, 9.0, 47.0], (500.0, 500.0)), Arc::new(Mound));
    /// let [on, beside] = [8.5, 10.0].map(|lon| relief.sample(Location::at(46.5, lon).normal));
    /// assert_eq!((on.height_m, on.layer, beside.height_m, beside.layer), (500.0, 0, 0.0, 1));
    /// assert_eq!(relief.posting_m(Location::at(46.5, 8.5).normal), 100.0);
    /// assert_eq!(relief.topmost_box_deg(), Some([8.0, 46.0, 9.0, 47.0]));
    /// let (cap, posting_m) = relief.areas().next().unwrap();
    /// let (middle, cos_radius) = cap.unwrap(); // a cap that holds the box
    /// assert!(posting_m == 100.0 && Location::at(46.1, 8.1).normal.dot(middle) > cos_radius);
    /// # Ok::<(), elevation::height::HeightError>(())
    /// ```
    #[must_use]
    pub fn under(&self, info: LayerInfo, source: Arc<dyn ElevationSource>) -> Self {
        let top = ExternalSource::new(source, &info, false);
        self.below(Arc::new(Layer::of(top, info)))
    }

    /// The same layers below all but the lowest of another relief, whose exaggeration does not count: another bottom for those.
    ///
    /// ```
    /// use elevation::height::{GlobalGrid, Location, Registration, Relief};
    /// let flat = |height_m: f64| Relief::from_grid(GlobalGrid::from_fn(8, 5, Registration::Node, |_, _| height_m));
    /// let (sea, plateau) = (flat(0.0)?, flat(4_000.0)?);
    /// let relief = plateau.under_relief(&sea);
    /// // There was nothing above the bottom.
    /// assert_eq!(relief.sample(Location::at(46.0, 8.0).normal).height_m, 4_000.0);
    /// # Ok::<(), elevation::height::HeightError>(())
    /// ```
    #[must_use]
    pub fn under_relief(&self, upper: &Self) -> Self {
        let kept = upper.layers.len() - 1;
        Self {
            infos: upper.infos[..kept].iter().chain(&self.infos).cloned().collect(),
            layers: upper.layers[..kept].iter().chain(&self.layers).cloned().collect(),
            shifts: upper.shifts[..kept].iter().chain(&self.shifts).cloned().collect(),
            exaggeration: self.exaggeration,
            synthetic: self.synthetic.clone(),
            interpolation: self.interpolation,
        }
    }

    /// The same layers below another.
    pub(crate) fn below(&self, top: Arc<Layer>) -> Self {
        Self {
            infos: std::iter::once(top.info.clone()).chain(self.infos.iter().cloned()).collect(),
            layers: std::iter::once(top).chain(self.layers.iter().cloned()).collect(),
            shifts: std::iter::once(None).chain(self.shifts.iter().cloned()).collect(),
            exaggeration: self.exaggeration,
            synthetic: self.synthetic.clone(),
            interpolation: self.interpolation,
        }
    }

    /// Layers in order, the last of which covers the Earth without voids.
    pub(crate) fn stack(layers: Vec<Arc<Layer>>) -> Self {
        debug_assert!(layers.last().is_some_and(|base| base.source.is_complete()));
        let infos: Vec<LayerInfo> = layers.iter().map(|layer| layer.info.clone()).collect();
        Self {
            shifts: vec![None; infos.len()],
            layers,
            infos,
            exaggeration: 1.0,
            synthetic: None,
            interpolation: Interpolation::Cubic,
        }
    }

    /// The same layers with all heights, and the range of them, multiplied by a factor above 0. What is known about each
    /// layer stays that of the data.
    ///
    /// ```
    /// use elevation::height::{GlobalGrid, Location, Registration, Relief};
    /// let relief = Relief::from_grid(GlobalGrid::from_fn(360, 181, Registration::Node, |_, lat| 10.0 * lat))?;
    /// let drawn = relief.exaggerated(3.0);
    /// let place = Location::at(46.0, 8.0).normal;
    /// assert_eq!(drawn.sample(place).height_m, 3.0 * relief.sample(place).height_m);
    /// assert_eq!((drawn.exaggeration(), drawn.range_m()), (3.0, (-2700.0, 2700.0)));
    /// # Ok::<(), elevation::height::HeightError>(())
    /// ```
    pub fn exaggerated(&self, exaggeration: f64) -> Self {
        Self { exaggeration, ..self.shared() }
    }

    /// The same layers, with other ground between the postings of rasters. Packs and sources without postings keep theirs, and
    /// drawing and baking are of [`Interpolation::Cubic`].
    ///
    /// ```
    /// use elevation::height::{GlobalGrid, Interpolation, Location, Registration, Relief};
    /// let step = |lon: f64| if lon > 0.5 { 100.0 } else { 0.0 };
    /// let relief = Relief::from_grid(GlobalGrid::from_fn(360, 181, Registration::Node, |lon, _| step(lon)))?;
    /// let straight = relief.interpolated(Interpolation::Bilinear);
    /// let place = Location::at(10.0, 0.25).normal;
    /// assert!((straight.sample(place).height_m - 25.0).abs() < 1e-9);
    /// assert!(relief.sample(place).height_m < 24.0);
    /// assert_eq!([relief.interpolation(), straight.interpolation()], [Interpolation::Cubic, Interpolation::Bilinear]);
    /// # Ok::<(), elevation::height::HeightError>(())
    /// ```
    #[must_use]
    pub fn interpolated(&self, interpolation: Interpolation) -> Self {
        Self { interpolation, ..self.shared() }
    }

    /// The same, with the same layers in memory.
    fn shared(&self) -> Self {
        Self {
            shifts: self.shifts.clone(),
            layers: self.layers.clone(),
            infos: self.infos.clone(),
            synthetic: self.synthetic.clone(),
            ..*self
        }
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
        if self.is_shifted() || self.synthetic.is_some() {
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

    /// Lowest and highest height of all layers in metres. No sample lies outside.
    pub fn range_m(&self) -> (f64, f64) {
        let (low, high) = self
            .infos
            .iter()
            .filter(|info| info.void_share < 1.0)
            .map(|info| info.range_m)
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
