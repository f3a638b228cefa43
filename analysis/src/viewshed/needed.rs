//! How high must a target be to be seen from a place?

use elevation::geodesy::{Ellipsoid, Geodetic};
use elevation::surface::Surface;

use super::{ViewshedError, ViewshedOptions, grid, sweep_wedges};

/// What needed heights are measured from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeightReference {
    /// The ground at the target: 0 where that is seen.
    Ground,
    /// The datum of the heights.
    Datum,
}

/// Least heights at which targets are seen: a square raster as that of a [`Viewshed`](super::Viewshed).
#[derive(Clone, Debug, PartialEq)]
pub struct NeededHeights {
    /// The planet that it is on.
    pub ellipsoid: Ellipsoid,
    /// The eye, with its height above the datum.
    pub eye: Geodetic,
    /// Side of a cell in metres.
    pub cell_m: f64,
    /// Cells on a side, odd.
    pub side: usize,
    /// `side * side` heights in metres, northernmost row first; NaN beyond the limits, and where 1000 km would not do.
    pub heights_m: Vec<f32>,
}

impl NeededHeights {
    /// The least heights of targets round a place, which an eye above the ground there just sees; [`ViewshedOptions::target_height_m`]
    /// does not count.
    ///
    /// A target a centimetre higher is seen by [`Surface::sees`], one a centimetre lower is not, unless it would be in the ground; f32
    /// rounds heights above 65 km coarser than that.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use analysis::{HeightReference, NeededHeights, ViewshedOptions};
    /// use elevation::{geodesy::Geodetic, height::{GlobalGrid, Registration, Relief}, surface::Surface};
    /// let plain = GlobalGrid::from_fn(360, 181, Registration::Node, |_, _| 0.0);
    /// let surface = Surface::new(Arc::new(Relief::from_grid(plain)?));
    /// let options = ViewshedOptions::within(50_000.0).with_cell_m(Some(10_000.0));
    /// let here = Geodetic::from_degrees(0.0, 0.0, 0.0);
    /// let needed = NeededHeights::new(&surface, here, &options, HeightReference::Ground, |_, _| {})?;
    /// // 50 km to the east the sea has sunk by 196 m, of which an eye at 2 m sees over 5 km.
    /// assert!((needed.heights_m[5 * 11 + 10] - 158.0).abs() < 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Viewshed::new`](super::Viewshed::new).
    pub fn new(
        surface: &Surface,
        at: Geodetic,
        options: &ViewshedOptions,
        above: HeightReference,
        progress: impl Fn(usize, usize) + Sync,
    ) -> Result<Self, ViewshedError> {
        let grid = grid(surface, at, options)?;
        let pick = |[ground_m, datum_m]: [f64; 2]| match above {
            HeightReference::Ground => ground_m as f32,
            HeightReference::Datum => datum_m as f32,
        };
        let (mut heights_m, _) = sweep_wedges(
            surface,
            &grid,
            options,
            |wedge, ring, lateral, k| wedge.needed_height(ring, lateral, k),
            (f32::NAN, pick),
            &|part, parts| {
                progress(part, parts);
                true
            },
        )?;
        if options.limits().contains(0.0, 0.0) {
            let ground_m = surface.height_m(at.normal());
            heights_m[grid.half * grid.side() + grid.half] = pick([0.0, ground_m]);
        }
        Ok(Self { ellipsoid: grid.ellipsoid, eye: grid.eye, cell_m: grid.cell_m, side: grid.side(), heights_m })
    }

    /// Writes a GeoTIFF of f32 metres, NaN (nodata) where there is no answer, in the projection of
    /// [`Viewshed::write_geotiff`](super::Viewshed::write_geotiff).
    ///
    /// ```
    /// use analysis::NeededHeights;
    /// use elevation::{geodesy::{Ellipsoid, Geodetic}, height::{OpenOptions, Relief}};
    /// # let folder = tempfile::tempdir()?;
    /// let file = folder.path().join("needed.tif");
    /// let eye = Geodetic::from_degrees(46.0, 8.0, 1_502.0);
    /// let heights_m = vec![f32::NAN, 0.0, f32::NAN, 12.5, 0.0, 40.0, f32::NAN, 3.0, f32::NAN]; // none at the corners
    /// NeededHeights { ellipsoid: Ellipsoid::WGS84, eye, cell_m: 100.0, side: 3, heights_m }.write_geotiff(&file)?;
    /// let relief = Relief::open(&[file], &OpenOptions::default())?;
    /// let info = &relief.layers()[0];
    /// assert_eq!((info.range_m, info.void_share), ((0.0, 40.0), 4.0 / 9.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`WriteError`](elevation::geotiff::WriteError) with GDAL's reason.
    #[cfg(feature = "gdal")]
    pub fn write_geotiff(&self, file: &std::path::Path) -> Result<(), elevation::geotiff::WriteError> {
        super::raster(self.ellipsoid, &self.eye, self.cell_m, self.side, f64::NAN, "needed height, m", &self.heights_m)
            .write(file)
    }
}
