//! What is a relief made of? Files, a grid or a source of one's own, over one another, or another relief.

use std::{
    path::PathBuf,
    sync::{Arc, OnceLock},
};

use foreign::vertical::VerticalDatum;

use super::Relief;
use crate::{
    geodesy::{Ellipsoid, extents::box_of_all},
    height::{
        datum_shift::{DatumShift, ShiftTables},
        diagnostics,
        elevation_source::{ElevationSource, ExternalSource},
        error::HeightError,
        grid::GlobalGrid,
        kernel::Interpolation,
        layer::Layer,
        layer_info::LayerInfo,
        options::OpenOptions,
        source,
    },
};

impl Relief {
    /// The relief that ships with the program: ETOPO5, 5 minutes of arc, land and sea floor.
    ///
    /// # Errors
    /// [`HeightError::Read`] if it cannot be decoded.
    #[cfg(feature = "earth")]
    pub fn embedded() -> Result<Self, HeightError> {
        Ok(Self::stack(vec![crate::height::embedded::layer()?]))
    }

    /// Whether it is the relief that ships, and nothing else.
    pub(crate) fn is_embedded(&self) -> bool {
        #[cfg(feature = "earth")]
        let embedded = crate::height::embedded::layer().ok();
        #[cfg(not(feature = "earth"))]
        let embedded: Option<Arc<Layer>> = None;
        matches!(&self.layers[..], [layer] if embedded.is_some_and(|embedded| Arc::ptr_eq(layer, &embedded)))
    }

    /// The given rasters and packs, the first on top, and the embedded relief below them where this build has it. A pack covers
    /// the Earth, so nothing below one is opened.
    ///
    /// ```
    /// # #[cfg(feature = "earth")] {
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
                let unused: Vec<String> = layers.drain(bottom + 1..).map(|layer| layer.info.name).collect();
                if !unused.is_empty() {
                    layers[bottom].info.remarks.push(format!(
                        "it covers the whole Earth, so that {} below it is not used: give it last",
                        unused.join(", ")
                    ));
                }
                None
            }
            None if ellipsoid == Ellipsoid::WGS84 => Some(source::bottom()?),
            None => Some(Arc::new(GlobalGrid::bare().into_layer(ellipsoid)?)),
        };
        diagnostics::side_by_side(&mut layers);
        if ellipsoid == Ellipsoid::WGS84 && options.vertical.is_none() {
            diagnostics::datums(&mut layers, below.as_deref());
        }
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
            sea: None,
            interpolation: self.interpolation,
            coarse_errors: OnceLock::new(),
        }
        .with_sea_of(self)
    }

    /// The same layers below another.
    pub(crate) fn below(&self, top: Arc<Layer>) -> Self {
        Self {
            infos: std::iter::once(top.info.clone()).chain(self.infos.iter().cloned()).collect(),
            layers: std::iter::once(top).chain(self.layers.iter().cloned()).collect(),
            shifts: std::iter::once(None).chain(self.shifts.iter().cloned()).collect(),
            exaggeration: self.exaggeration,
            synthetic: self.synthetic.clone(),
            sea: None,
            interpolation: self.interpolation,
            coarse_errors: OnceLock::new(),
        }
        .with_sea_of(self)
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
            sea: None,
            interpolation: Interpolation::Cubic,
            coarse_errors: OnceLock::new(),
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
    pub(super) fn shared(&self) -> Self {
        Self {
            shifts: self.shifts.clone(),
            layers: self.layers.clone(),
            infos: self.infos.clone(),
            synthetic: self.synthetic.clone(),
            sea: self.sea.clone(),
            coarse_errors: OnceLock::new(),
            ..*self
        }
    }
}
