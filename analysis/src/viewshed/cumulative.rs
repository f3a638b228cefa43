//! How many of many observers see each place of a raster?

use elevation::geodesy::Geodetic;
use elevation::surface::{RayError, Surface};
use geographiclib_rs::{Geodesic, InverseGeodesic};
use rayon::prelude::*;

use super::{Viewshed, ViewshedError, ViewshedOptions, grid};

/// Someone who looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observer {
    /// Where; its height does not matter.
    pub at: Geodetic,
    /// Height of the eye above the ground in metres.
    pub eye_height_m: f64,
}

/// Numbers of observers that see the target of each cell round a place: the raster of a [`Viewshed`] there, northernmost row first;
/// `u32::MAX` beyond the radius.
///
/// The [`radius`](ViewshedOptions::radius_m) is that of the raster. Every observer looks as far as its `reach_m` along the
/// ellipsoid. Each line is one of [`Surface::sees`], by itself.
///
/// # Errors
/// As [`Viewshed::new`].
pub fn count_observers(
    surface: &Surface,
    at: Geodetic,
    options: &ViewshedOptions,
    observers: &[Observer],
    reach_m: f64,
    progress: impl Fn(usize, usize) + Sync,
) -> Result<(Viewshed, Vec<u32>), ViewshedError> {
    let grid = grid(surface, at, options)?;
    let side = grid.side();
    let shed = Viewshed { eye: grid.eye, cell_m: grid.cell_m, side, cells: Vec::new(), decided: Default::default() };
    let standing =
        |place: Geodetic, above_m: f64| Geodetic { height_m: surface.height_m(place.normal()) + above_m, ..place };
    let eyes: Vec<Geodetic> = observers.iter().map(|observer| standing(observer.at, observer.eye_height_m)).collect();
    let limits = options.limits();
    let away_m = |eye: &Geodetic, place: &Geodetic| -> f64 {
        let degrees = |place: &Geodetic| (place.lat_rad.to_degrees(), place.lon_rad.to_degrees());
        let ((a, b), (c, d)) = (degrees(eye), degrees(place));
        Geodesic::wgs84().inverse(a, b, c, d)
    };
    let mut counts = vec![u32::MAX; side * side];
    counts.par_chunks_mut(side).enumerate().try_for_each(|(row, line)| {
        for (column, count) in line.iter_mut().enumerate() {
            let (east_m, north_m) = shed.offset_m(column, row);
            if !limits.hold(east_m, north_m) {
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
    Ok((shed, counts))
}
