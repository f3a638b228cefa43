//! What is seen from a place? Lines of sight to the cells of a raster round it.

use derive_setters::Setters;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use elevation::geodesy::{Ellipsoid, Geodetic};
use elevation::surface::{RayError, Surface};

mod block_bounds;
mod cell_normals;
mod cumulative;
mod frame;
mod needed;
mod running_maximum;
#[cfg(test)]
mod tests;
mod wedge;

use crate::memory::{MemoryError, check_memory};
use crate::option::{OptionError, check};
use block_bounds::BlockBounds;
use cell_normals::CellNormals;
use frame::EyeFrame;
use wedge::{NearClearance, ViewshedContext, WEDGES, Wedge};

pub use cumulative::{Observer, ObserverCounts, count_observers};
pub use needed::{HeightReference, NeededHeights};
pub use wedge::DecisionCounts;

/// Cells of a viewshed at most: a byte each.
const MOST_CELLS: u64 = 1 << 28;
/// The farthest that is looked: a quarter of the way around.
const FARTHEST_RAD: f64 = 1.568;

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
    /// How near to look: cells nearer than this are not answered for. Ground there hides all the same.
    pub nearest_m: f64,
    /// Directions to look in, from the first clockwise to the second, degrees from north, each 0 to 360; `None` for all.
    pub azimuths_deg: Option<(f64, f64)>,
}

/// Which cells are answered for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Limits {
    nearest_m: f64,
    farthest_m: f64,
    azimuths_deg: Option<(f64, f64)>,
}

impl Limits {
    /// Whether they hold the place so many metres to the east and to the north; the eye has all directions.
    fn contains(&self, east_m: f64, north_m: f64) -> bool {
        let away_m = east_m.hypot(north_m);
        let ahead = self.azimuths_deg.is_none_or(|(from, to)| {
            let azimuth = east_m.atan2(north_m).to_degrees().rem_euclid(360.0);
            let inside = if from <= to { from <= azimuth && azimuth <= to } else { azimuth >= from || azimuth <= to };
            inside || away_m == 0.0
        });
        self.nearest_m <= away_m && away_m <= self.farthest_m && ahead
    }
}

impl ViewshedOptions {
    fn limits(&self) -> Limits {
        Limits { nearest_m: self.nearest_m, farthest_m: self.radius_m, azimuths_deg: self.azimuths_deg }
    }
}

impl ViewshedOptions {
    /// The ground within `radius_m`, as an eye 2 m above the ground sees it, without refraction, in the posting's cells.
    pub fn within(radius_m: f64) -> Self {
        Self {
            radius_m,
            eye_height_m: 2.0,
            target_height_m: 0.0,
            cell_m: None,
            refraction: 0.0,
            nearest_m: 0.0,
            azimuths_deg: None,
        }
    }
}

/// A square raster in the azimuthal equidistant projection round the eye: columns from west to east, rows from north to south,
/// the eye in the middle of the middle cell. So distance and direction from the eye are true, at the poles and across 180
/// degrees too.
#[derive(Clone, Debug, PartialEq)]
pub struct Viewshed {
    /// The planet that it is on.
    pub ellipsoid: Ellipsoid,
    /// The eye, with its height above the datum.
    pub eye: Geodetic,
    /// Side of a cell in metres.
    pub cell_m: f64,
    /// Cells on a side, odd.
    pub side: usize,
    /// `side * side` of [`Viewshed::SEEN`], [`Viewshed::HIDDEN`] and [`Viewshed::BEYOND`], northernmost row first.
    pub cells: Vec<u8>,
    /// How many cells were decided by what.
    pub decided: DecisionCounts,
}

/// Why there is no viewshed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ViewshedError {
    /// A number that cannot be.
    #[error(transparent)]
    Option(#[from] OptionError),
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
    /// Too little memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// A line of sight has no answer.
    #[error(transparent)]
    Ray(#[from] RayError),
    /// [`Viewshed::new_while`] was told to stop.
    #[error("the viewshed was stopped before it was done")]
    Stopped,
}

impl Viewshed {
    /// A cell whose target is seen.
    pub const SEEN: u8 = 1;
    /// A cell whose target is hidden by the ground.
    pub const HIDDEN: u8 = 0;
    /// A cell beyond the radius.
    pub const BEYOND: u8 = 255;
    /// Parts of the work that `progress` hears of.
    pub const PARTS: usize = 4 * WEDGES as usize;

    /// What an eye above the ground at a place (whose height does not matter) sees of targets above the ground round it.
    ///
    /// Each cell is the [`line of sight`](Surface::line_of_sight_refracted) from the eye to the target in the middle of the cell,
    /// through the Earth as it is: its curvature needs no correction. Wedges are taken by all threads; `progress` hears of each that is
    /// done, and of how many there are: [`Viewshed::PARTS`]. No cell differs from [`Surface::sees`].
    ///
    /// # Errors
    /// [`ViewshedError`]: options that cannot be, too many cells, too little memory, a line that cannot be decided.
    pub fn new(
        surface: &Surface,
        at: Geodetic,
        options: &ViewshedOptions,
        progress: impl Fn(usize, usize) + Sync,
    ) -> Result<Self, ViewshedError> {
        Self::new_while(surface, at, options, |part, parts| {
            progress(part, parts);
            true
        })
    }

    /// The same, as long as `should_continue` says so, which hears of each wedge that is done.
    ///
    /// # Errors
    /// As [`Viewshed::new`], and [`ViewshedError::Stopped`].
    pub fn new_while(
        surface: &Surface,
        at: Geodetic,
        options: &ViewshedOptions,
        should_continue: impl Fn(usize, usize) -> bool + Sync,
    ) -> Result<Self, ViewshedError> {
        let grid = grid(surface, at, options)?;
        let (cells, decided) = sweep_wedges(
            surface,
            &grid,
            options,
            |wedge, ring, lateral, k| wedge.decide(ring, lateral, k),
            (Self::BEYOND, u8::from),
            &should_continue,
        )?;
        let mut shed = Self { cells, decided, ..grid.viewshed() };
        if options.limits().contains(0.0, 0.0) {
            let middle = grid.half;
            let seen = shed.sees_cell(surface, middle, middle, options)?;
            shed.cells[middle * shed.side + middle] = u8::from(seen);
        }
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
    /// round the eye on its planet.
    ///
    /// # Errors
    /// [`WriteError`](elevation::geotiff::WriteError) with GDAL's reason.
    #[cfg(feature = "gdal")]
    pub fn write_geotiff(&self, file: &std::path::Path) -> Result<(), elevation::geotiff::WriteError> {
        let raster = raster(
            self.ellipsoid,
            &self.eye,
            self.cell_m,
            self.side,
            Self::BEYOND.into(),
            "1 seen, 0 hidden",
            &self.cells,
        );
        raster.write(file)
    }

    /// The place in the middle of a cell, at height 0.
    pub fn place(&self, column: usize, row: usize) -> Geodetic {
        let (east_m, north_m) = self.offset_m(column, row);
        cell_normals::direct(self.ellipsoid, self.eye, east_m, north_m)
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

/// A GeoTIFF in the azimuthal equidistant projection round an eye.
#[cfg(feature = "gdal")]
fn raster<'a, T>(
    ellipsoid: Ellipsoid,
    eye: &Geodetic,
    cell_m: f64,
    side: usize,
    nodata: f64,
    name: &str,
    cells: &'a [T],
) -> elevation::geotiff::Raster<'a, T> {
    let (lat_deg, lon_deg) = (eye.lat_rad.to_degrees(), eye.lon_rad.to_degrees());
    let corner_m = 0.5 * side as f64 * cell_m;
    elevation::geotiff::Raster {
        system: format!(
            "+proj=aeqd +lat_0={lat_deg} +lon_0={lon_deg} +x_0=0 +y_0=0 {} +units=m +no_defs",
            ellipsoid.proj()
        ),
        size: (side, side),
        geo_transform: [-corner_m, cell_m, 0.0, corner_m, 0.0, -cell_m],
        nodata,
        bands: vec![(name.into(), cells)],
    }
}

/// The raster round an eye.
struct ViewshedGrid {
    ellipsoid: Ellipsoid,
    eye: Geodetic,
    cell_m: f64,
    /// Cells from the middle one to the rim.
    half: usize,
}

impl ViewshedGrid {
    fn side(&self) -> usize {
        2 * self.half + 1
    }

    /// A viewshed of it that tells of no cell yet.
    fn viewshed(&self) -> Viewshed {
        let &Self { ellipsoid, eye, cell_m, .. } = self;
        Viewshed { ellipsoid, eye, cell_m, side: self.side(), cells: Vec::new(), decided: DecisionCounts::default() }
    }
}

/// The raster that options ask for.
fn grid(surface: &Surface, at: Geodetic, options: &ViewshedOptions) -> Result<ViewshedGrid, ViewshedError> {
    let ground = surface.ground(at.normal());
    let cell_m = options.cell_m.unwrap_or(ground.provenance.posting_m);
    let eye = Geodetic { height_m: ground.height_m + options.eye_height_m, ..at };
    let ellipsoid = surface.relief().ellipsoid();
    Ok(ViewshedGrid { ellipsoid, eye, cell_m, half: cells_to_rim(ellipsoid, options, cell_m)? })
}

/// What wedges answer for all cells within the limits but the middle one, on all threads, as bytes or as bits of an f32.
fn sweep_wedges<T, C: Copy + Send>(
    surface: &Surface,
    grid: &ViewshedGrid,
    options: &ViewshedOptions,
    answer: impl Fn(&mut Wedge<'_>, i64, i64, usize) -> Result<T, RayError> + Sync,
    (nothing, cell): (C, impl Fn(T) -> C + Sync),
    should_continue: &(impl Fn(usize, usize) -> bool + Sync),
) -> Result<(Vec<C>, DecisionCounts), ViewshedError> {
    let &ViewshedGrid { ellipsoid, eye, cell_m, half } = grid;
    let normal = eye.normal();
    let frame = EyeFrame::new(ellipsoid, normal, eye.height_m, surface.relief().range_m().1, options.refraction);
    let context = ViewshedContext {
        surface,
        ellipsoid,
        eye,
        places: CellNormals::new(ellipsoid, eye, cell_m, half),
        block_bounds: BlockBounds::new(half),
        near_clearance: NearClearance::of(surface, &frame, normal, eye.height_m, cell_m),
        frame,
        half: half as i64,
        cell_m,
        refraction: options.refraction,
        target_height_m: options.target_height_m,
        limits: options.limits(),
    };
    let side = grid.side();
    // The answer, and each wedge's own with its places until it is put there.
    check_memory(side * side, size_of::<C>() + 2 * size_of::<(u32, C)>())?;
    let cells = Mutex::new(vec![nothing; side * side]);
    let done = AtomicUsize::new(0);
    let wedges = (0..4 * WEDGES).into_par_iter().map(|wedge| {
        let mut wedge = Wedge::new(&context, (wedge % 4) as usize, wedge / 4);
        let mut answers = Vec::new();
        wedge.near();
        for ring in 1..=half as i64 {
            wedge.ring(ring, &answer, &mut |[east, north], said| {
                let at = (half as i64 - north) as usize * side + (half as i64 + east) as usize;
                answers.push((at as u32, cell(said)));
            })?;
        }
        let mut cells = cells.lock().unwrap_or_else(PoisonError::into_inner);
        answers.into_iter().for_each(|(at, said)| cells[at as usize] = said);
        let should_continue = should_continue(done.fetch_add(1, Ordering::Relaxed), Viewshed::PARTS);
        if should_continue { Ok(wedge.steps) } else { Err(ViewshedError::Stopped) }
    });
    let decided = wedges.try_reduce(DecisionCounts::default, |a, b| Ok::<_, ViewshedError>(a + b))?;
    Ok((cells.into_inner().unwrap_or_else(PoisonError::into_inner), decided))
}

/// Cells from the middle one to the rim.
fn cells_to_rim(ellipsoid: Ellipsoid, options: &ViewshedOptions, cell_m: f64) -> Result<usize, ViewshedError> {
    let radius_m = options.radius_m;
    let farthest_m = FARTHEST_RAD * ellipsoid.semi_major_m();
    check(
        "a radius",
        radius_m,
        radius_m > 0.0 && radius_m <= farthest_m,
        "above 0 m and at most a quarter of the way around",
    )?;
    check("a cell", cell_m, cell_m > 0.0, "above 0 m")?;
    check("an eye height", options.eye_height_m, options.eye_height_m >= 0.0, "at least 0 m")?;
    check("a target height", options.target_height_m, options.target_height_m >= 0.0, "at least 0 m")?;
    let nearest_m = options.nearest_m;
    check("a nearest distance", nearest_m, (0.0..=radius_m).contains(&nearest_m), "from 0 m to the radius")?;
    for azimuth in options.azimuths_deg.into_iter().flat_map(|(from, to)| [from, to]) {
        check("an azimuth", azimuth, (0.0..=360.0).contains(&azimuth), "from 0 to 360 degrees")?;
    }
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
