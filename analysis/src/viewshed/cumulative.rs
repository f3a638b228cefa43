//! How many of many observers see each place of a raster?

use elevation::geodesy::{Ellipsoid, Geodetic};
use elevation::surface::{RayError, Surface};
use geographiclib_rs::InverseGeodesic;
use rayon::prelude::*;

use super::{ViewshedError, ViewshedOptions, grid};

/// Someone who looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observer {
    /// Where; its height does not matter.
    pub at: Geodetic,
    /// Height of the eye above the ground in metres.
    pub eye_height_m: f64,
}

/// Numbers of observers that see the target of each cell: a square raster round a place, as that of a [`Viewshed`](crate::Viewshed).
#[derive(Clone, Debug, PartialEq)]
pub struct ObserverCounts {
    /// The planet that it is on.
    pub ellipsoid: Ellipsoid,
    /// The place in the middle, with the height of an eye there above the datum.
    pub middle: Geodetic,
    /// Side of a cell in metres.
    pub cell_m: f64,
    /// Cells on a side, odd.
    pub side: usize,
    /// `side * side` numbers, northernmost row first; `u32::MAX` beyond the limits.
    pub counts: Vec<u32>,
}

impl ObserverCounts {
    /// Writes a GeoTIFF of u32, 4294967295 (nodata) beyond the limits, in the projection of [`Viewshed::write_geotiff`](crate::Viewshed::write_geotiff).
    ///
    /// ```
    /// use analysis::ObserverCounts;
    /// use elevation::{geodesy::{Ellipsoid, Geodetic}, height::{OpenOptions, Relief}};
    /// # let folder = tempfile::tempdir()?;
    /// let file = folder.path().join("counts.tif");
    /// let middle = Geodetic::from_degrees(46.0, 8.0, 0.0);
    /// let counts = vec![u32::MAX, 2, u32::MAX, 3, 5, 4, u32::MAX, 3, u32::MAX]; // none at the corners
    /// ObserverCounts { ellipsoid: Ellipsoid::WGS84, middle, cell_m: 100.0, side: 3, counts }.write_geotiff(&file)?;
    /// let relief = Relief::open(&[file], &OpenOptions::default())?;
    /// let info = &relief.layers()[0];
    /// assert_eq!((info.range_m, info.nodata, info.void_share), ((2.0, 5.0), Some(u32::MAX.into()), 4.0 / 9.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`WriteError`](elevation::geotiff::WriteError) with GDAL's reason.
    #[cfg(feature = "gdal")]
    pub fn write_geotiff(&self, file: &std::path::Path) -> Result<(), elevation::geotiff::WriteError> {
        let raster = super::raster(
            self.ellipsoid,
            &self.middle,
            self.cell_m,
            self.side,
            u32::MAX.into(),
            "observers that see it",
            &self.counts,
        );
        raster.write(file)
    }
}

/// How many observers see the target of each cell round a place.
///
/// [`Radius`](ViewshedOptions::radius_m) and limits are those of the raster. Every observer looks as far as `reach_m` along the
/// ellipsoid. Each line is one of [`Surface::sees`], by itself: some ten microseconds a cell and observer.
///
/// ```
/// use std::sync::Arc;
/// use analysis::{Observer, ViewshedOptions, count_observers};
/// use elevation::{geodesy::Geodetic, height::{GlobalGrid, Registration, Relief}, surface::Surface};
/// let plain = GlobalGrid::from_fn(360, 181, Registration::Node, |_, _| 0.0);
/// let surface = Surface::new(Arc::new(Relief::from_grid(plain)?));
/// let options = ViewshedOptions::within(2_000.0).with_cell_m(Some(1_000.0));
/// let here = Geodetic::from_degrees(0.0, 0.0, 0.0);
/// let two = [Observer { at: here, eye_height_m: 2.0 }; 2];
/// let counts = count_observers(&surface, here, &options, &two, 4_000.0, |_, _| {})?;
/// assert_eq!(counts.counts[2 * 5 + 3], 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`Viewshed::new`](crate::Viewshed::new).
pub fn count_observers(
    surface: &Surface,
    at: Geodetic,
    options: &ViewshedOptions,
    observers: &[Observer],
    reach_m: f64,
    progress: impl Fn(usize, usize) + Sync,
) -> Result<ObserverCounts, ViewshedError> {
    let grid = grid(surface, at, options)?;
    let side = grid.side();
    let shed = grid.viewshed();
    let standing =
        |place: Geodetic, above_m: f64| Geodetic { height_m: surface.height_m(place.normal()) + above_m, ..place };
    let eyes: Vec<Geodetic> = observers.iter().map(|observer| standing(observer.at, observer.eye_height_m)).collect();
    let limits = options.limits();
    let geodesic = grid.ellipsoid.geodesic();
    let away_m = |eye: &Geodetic, place: &Geodetic| -> f64 {
        let degrees = |place: &Geodetic| (place.lat_rad.to_degrees(), place.lon_rad.to_degrees());
        let ((a, b), (c, d)) = (degrees(eye), degrees(place));
        geodesic.inverse(a, b, c, d)
    };
    let mut counts = vec![u32::MAX; side * side];
    counts.par_chunks_mut(side).enumerate().try_for_each(|(row, line)| {
        for (column, count) in line.iter_mut().enumerate() {
            let (east_m, north_m) = shed.offset_m(column, row);
            if !limits.contains(east_m, north_m) {
                continue;
            }
            let target = standing(shed.place(column, row), options.target_height_m);
            *count = 0;
            for eye in eyes.iter().filter(|eye| away_m(eye, &target) <= reach_m) {
                *count += u32::from(surface.sees(*eye, target, options.refraction)?);
            }
        }
        progress(row, side);
        Ok::<(), RayError>(())
    })?;
    Ok(ObserverCounts { ellipsoid: grid.ellipsoid, middle: grid.eye, cell_m: grid.cell_m, side, counts })
}
