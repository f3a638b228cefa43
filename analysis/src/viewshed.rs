//! What is seen from a place? Lines of sight to the cells of a raster round it.

use derive_setters::Setters;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use rayon::prelude::*;

use elevation::geodesy::Geodetic;
use elevation::surface::{RayError, Surface};

mod frame;
mod heights;
mod places;
mod rising;
#[cfg(test)]
mod tests;
mod wedge;

use frame::Frame;
use heights::Heights;
use places::Places;
use wedge::{Doorstep, Scene, WEDGES, Wedge};

pub use wedge::Steps;

/// Cells of a viewshed at most: a byte each.
const MOST_CELLS: u64 = 1 << 28;
/// The farthest that is looked: a quarter of the Earth.
const FARTHEST_M: f64 = 1e7;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct ViewshedOptions {
    /// How far to look, along the ellipsoid.
    pub radius_m: f64,
    /// Height of the eye above the ground.
    pub eye_height_m: f64,
    /// Height of the targets above the ground.
    pub target_height_m: f64,
    /// Side of the cells; `None` takes the posting at the eye.
    pub cell_m: Option<f64>,
    /// Curvature of light over that of the Earth, see [`Surface::line_of_sight_refracted`].
    pub refraction: f64,
}

impl ViewshedOptions {
    /// The ground within `radius_m`, as an eye 2 m above the ground sees it, without refraction, in the posting's cells.
    pub fn within(radius_m: f64) -> Self {
        Self { radius_m, eye_height_m: 2.0, target_height_m: 0.0, cell_m: None, refraction: 0.0 }
    }
}

/// A square raster in the azimuthal equidistant projection round the eye: columns from west to east, rows from north to south,
/// the eye in the middle of the middle cell. So distance and direction from the eye are true, at the poles and across 180
/// degrees too.
#[derive(Clone, Debug, PartialEq)]
pub struct Viewshed {
    /// The eye, with its height above the datum.
    pub eye: Geodetic,
    /// Side of a cell in metres.
    pub cell_m: f64,
    /// Cells on a side, odd.
    pub side: usize,
    /// `side * side` of [`Viewshed::SEEN`], [`Viewshed::HIDDEN`] and [`Viewshed::BEYOND`], northernmost row first.
    pub cells: Vec<u8>,
    /// How many cells were decided by what.
    pub decided: Steps,
}

/// Why there is no viewshed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ViewshedError {
    /// A number that cannot be.
    #[error("{what} of {value} is not possible: {rule}")]
    Option {
        /// Which one.
        what: &'static str,
        /// As given.
        value: f64,
        /// What it has to be.
        rule: &'static str,
    },
    /// Not even the cell of the eye is within the radius.
    #[error("cells of {cell_m} m are larger than the radius of {radius_m} m: take smaller cells or a larger radius")]
    CellBeyondRadius {
        /// Side of a cell: the posting of the data where none was given.
        cell_m: f64,
        /// Radius as given.
        radius_m: f64,
    },
    /// The raster would have too many cells.
    #[error(
        "cells of {cell_m} m within {radius_m} m are {}, more than {limit}: take larger cells or a smaller radius",
        foreign::number(*cells)
    )]
    TooLarge {
        /// Side of a cell.
        cell_m: f64,
        /// Radius as given.
        radius_m: f64,
        /// Cells of the raster; more than a whole number holds, if it comes to that.
        cells: f64,
        /// Most cells.
        limit: u64,
    },
    /// A line of sight has no answer.
    #[error(transparent)]
    Ray(#[from] RayError),
}

impl Viewshed {
    /// A cell whose target is seen.
    pub const SEEN: u8 = 1;
    /// A cell whose target is hidden by the ground.
    pub const HIDDEN: u8 = 0;
    /// A cell beyond the radius.
    pub const BEYOND: u8 = 255;

    /// What an eye above the ground at a place (whose height does not matter) sees of targets above the ground round it.
    ///
    /// Each cell is the [`line of sight`](Surface::line_of_sight_refracted) from the eye to the target in the middle of the cell,
    /// through the Earth as it is: its curvature needs no correction. Rows are taken by all threads; `progress` hears of
    /// each that is done.
    ///
    /// # Errors
    /// [`ViewshedError`]: options that cannot be, too many cells, a line that cannot be decided.
    pub fn new(
        surface: &Surface,
        at: Geodetic,
        options: &ViewshedOptions,
        progress: impl Fn(usize, usize) + Sync,
    ) -> Result<Self, ViewshedError> {
        let ground = surface.ground(at.normal());
        let cell_m = options.cell_m.unwrap_or(ground.provenance.posting_m);
        let eye = Geodetic { height_m: ground.height_m + options.eye_height_m, ..at };
        let half = check(options, cell_m)?;
        let side = 2 * half + 1;
        let mut shed = Self { eye, cell_m, side, cells: Vec::new(), decided: Steps::default() };
        let frame = Frame::new(at.normal(), eye.height_m, surface.relief().range_m().1, options.refraction);
        let scene = Scene {
            surface,
            eye,
            places: Places::new(eye, cell_m, half),
            heights: Heights::new(half),
            doorstep: Doorstep::of(surface, &frame, at.normal(), eye.height_m, cell_m),
            frame,
            half: half as i64,
            cell_m,
            refraction: options.refraction,
            target_height_m: options.target_height_m,
            radius_m: options.radius_m,
        };
        let cells: Vec<AtomicU8> = (0..side * side).map(|_| AtomicU8::new(Self::BEYOND)).collect();
        let done = AtomicUsize::new(0);
        let set = |[east, north]: [i64; 2], seen: bool| {
            let at = (half as i64 - north) as usize * side + (half as i64 + east) as usize;
            cells[at].store(if seen { Self::SEEN } else { Self::HIDDEN }, Ordering::Relaxed);
        };
        set([0, 0], shed.sees_cell(surface, half, half, options)?);
        let wedges = (0..4 * WEDGES).into_par_iter().map(|wedge| {
            let mut wedge = Wedge::new(&scene, (wedge % 4) as usize, wedge / 4);
            wedge.near();
            for ring in 1..=half as i64 {
                wedge.ring(ring, &mut |cell, seen| set(cell, seen))?;
            }
            progress(done.fetch_add(1, Ordering::Relaxed), 4 * WEDGES as usize);
            Ok(wedge.steps)
        });
        shed.decided = wedges.try_reduce(Steps::default, |a, b| Ok::<_, RayError>(a + b))?;
        shed.cells = cells.into_iter().map(AtomicU8::into_inner).collect();
        Ok(shed)
    }

    fn sees_cell(
        &self,
        surface: &Surface,
        column: usize,
        row: usize,
        options: &ViewshedOptions,
    ) -> Result<bool, RayError> {
        let place = self.place(column, row);
        let target = Geodetic { height_m: surface.height_m(place.normal()) + options.target_height_m, ..place };
        surface.sees(self.eye, target, options.refraction)
    }

    /// Writes a GeoTIFF of bytes: 1 seen, 0 hidden, 255 (nodata) beyond the radius; metres in the azimuthal equidistant projection
    /// round the eye on WGS 84.
    ///
    /// # Errors
    /// [`WriteError`](elevation::geotiff::WriteError) with GDAL's reason.
    #[cfg(feature = "gdal")]
    pub fn write_geotiff(&self, file: &std::path::Path) -> Result<(), elevation::geotiff::WriteError> {
        let (lat_deg, lon_deg) = (self.eye.lat_rad.to_degrees(), self.eye.lon_rad.to_degrees());
        let corner_m = 0.5 * self.side as f64 * self.cell_m;
        let raster = elevation::geotiff::Raster {
            system: format!(
                "+proj=aeqd +lat_0={lat_deg} +lon_0={lon_deg} +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs"
            ),
            size: (self.side, self.side),
            geo_transform: [-corner_m, self.cell_m, 0.0, corner_m, 0.0, -self.cell_m],
            nodata: f64::from(Self::BEYOND),
            bands: vec![("1 seen, 0 hidden".into(), &self.cells)],
        };
        raster.write(file)
    }

    /// The place in the middle of a cell, at height 0.
    pub fn place(&self, column: usize, row: usize) -> Geodetic {
        let (east_m, north_m) = self.offset_m(column, row);
        places::direct(self.eye, east_m, north_m)
    }

    /// Metres eastwards and northwards from the eye to the middle of a cell.
    fn offset_m(&self, column: usize, row: usize) -> (f64, f64) {
        let middle = (self.side / 2) as f64;
        ((column as f64 - middle) * self.cell_m, (middle - row as f64) * self.cell_m)
    }

    /// Number of cells that are seen, and of those within the radius.
    pub fn count(&self) -> (u64, u64) {
        let count = |value: u8| self.cells.par_iter().filter(|cell| **cell == value).count() as u64;
        let seen = count(Self::SEEN);
        (seen, seen + count(Self::HIDDEN))
    }
}

/// Cells from the middle one to the rim.
fn check(options: &ViewshedOptions, cell_m: f64) -> Result<usize, ViewshedError> {
    let check = |what, value: f64, fits: bool, rule| {
        if value.is_finite() && fits { Ok(()) } else { Err(ViewshedError::Option { what, value, rule }) }
    };
    let radius_m = options.radius_m;
    check("a radius", radius_m, radius_m > 0.0 && radius_m <= FARTHEST_M, "above 0 and at most 10 000 000 m")?;
    check("a cell", cell_m, cell_m > 0.0, "above 0 m")?;
    check("an eye height", options.eye_height_m, options.eye_height_m >= 0.0, "at least 0 m")?;
    check("a target height", options.target_height_m, options.target_height_m >= 0.0, "at least 0 m")?;
    check("a refraction", options.refraction, (-1.0..=1.0).contains(&options.refraction), "from -1 to 1")?;
    if cell_m > radius_m {
        return Err(ViewshedError::CellBeyondRadius { cell_m, radius_m });
    }
    let half = (radius_m / cell_m).floor();
    let cells = (2.0 * half + 1.0).powi(2);
    if cells > MOST_CELLS as f64 {
        return Err(ViewshedError::TooLarge { cell_m, radius_m, cells, limit: MOST_CELLS });
    }
    Ok(half as usize)
}
