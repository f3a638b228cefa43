//! How high does the ground stand against the sky, seen from each cell of a raster?
//!
//! | question | module |
//! |---|---|
//! | Where are the cells, and what do coarser grids hold farther out? | [`grid`] |
//! | What becomes of the round Earth along a direction? And how far is it seen? | `sweep` |
//! | How does a graphics device do the same? Feature `gpu` | [`device`] |

#[cfg(feature = "gpu")]
pub mod device;
pub mod grid;
pub(crate) mod sweep;
#[cfg(test)]
mod tests;

use elevation::geodesy::Ellipsoid;
use std::f64::consts::TAU;

use derive_setters::Setters;
use elevation::surface::Surface;
use rayon::prelude::*;

use crate::horizon::{HorizonError, ShouldContinue, run_cancellable};
use crate::memory::check_memory;
use crate::option::{OptionError, check};
pub use grid::Grid;
use grid::Level;
use sweep::{FarthestTarget, LineQuery, Sweep};

/// Directions at most.
const MOST_DIRECTIONS: usize = 1024;
/// Bytes that a cell of the ground takes while horizons are found: heights, turned ones, maxima.
const BYTES_A_CELL: usize = 16;
/// Values of a raster in memory at most: 4 bytes each.
const MOST_VALUES: u64 = 1 << 30;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct HorizonsOptions {
    /// Directions, evenly round the compass from the grid's north clockwise.
    pub directions: usize,
    /// Height of the eyes above the ground.
    pub eye_height_m: f64,
    /// Curvature of light over that of the Earth, see [`Surface::line_of_sight_refracted`].
    pub refraction: f64,
    /// How far beyond the raster ground counts; `None`: as far as the highest ground of the data can be seen over the lowest.
    pub reach_m: Option<f64>,
}

impl Default for HorizonsOptions {
    /// 64 directions, eyes on the ground, no refraction, all ground that counts.
    fn default() -> Self {
        Self { directions: 64, eye_height_m: 0.0, refraction: 0.0, reach_m: None }
    }
}

impl HorizonsOptions {
    /// Refuses what cannot be, and more values of a grid than fit into memory.
    ///
    /// # Errors
    /// [`HorizonError::Option`].
    pub fn check(&self, grid: &Grid) -> Result<(), HorizonError> {
        self.check_numbers(grid.ellipsoid)?;
        Ok(self.check_values(grid)?)
    }

    fn check_numbers(&self, ellipsoid: Ellipsoid) -> Result<(), OptionError> {
        let Self { directions, eye_height_m, refraction, reach_m } = *self;
        let fits = (1..=MOST_DIRECTIONS).contains(&directions);
        check("a number of directions", directions as f64, fits, "from 1 to 1024")?;
        check("an eye height", eye_height_m, (0.0..=1e5).contains(&eye_height_m), "from 0 to 100 000 m")?;
        check("a refraction", refraction, (-1.0..=0.9).contains(&refraction), "from -1 to 0.9")?;
        let (reach_m, farthest_m) = (reach_m.unwrap_or_default(), grid::farthest_m(ellipsoid));
        check(
            "a reach",
            reach_m,
            (0.0..=farthest_m).contains(&reach_m),
            "from 0 to 2 000 000 m on the Earth, and as large an angle elsewhere",
        )
    }

    fn check_values(&self, grid: &Grid) -> Result<(), OptionError> {
        let values = self.directions as f64 * grid.cells() as f64;
        let rule = "at most 1 073 741 824: take larger cells or fewer directions";
        check("a raster with a number of values", values, values <= MOST_VALUES as f64, rule)
    }
}

/// The ground that the horizons of a grid depend on: heights of its cells, and those around it as far as they count. It is read once;
/// parts of the grid are answered from it, on any thread.
///
/// ```
/// use std::sync::Arc;
/// use analysis::{Grid, HorizonGround, Horizons, HorizonsOptions};
/// use elevation::{geodesy::{Ellipsoid, Geodetic}, height::{GlobalGrid, Registration, Relief}, surface::Surface};
///
/// let sea = GlobalGrid::from_fn(360, 181, Registration::Node, |_, _| 0.0);
/// let surface = Surface::new(Arc::new(Relief::from_grid(sea)?));
/// let place = Geodetic::from_degrees(46.0, 8.0, 0.0);
/// let grid = Grid::around(Ellipsoid::WGS84, place, 1_000.0, 100.0)?;
/// let options = HorizonsOptions::default().with_directions(4);
/// let ground = HorizonGround::new(&surface, &grid, &options, &|| true)?;
/// let part = ground.horizons(&grid.part(0..5, 0..21), &|| true)?;
/// let whole = Horizons::new(&surface, ground.grid(), &options, |_, _| {})?;
/// assert_eq!(part.bands[2][0], whole.bands[2][0]); // to the last bit
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct HorizonGround {
    grid: Grid,
    options: HorizonsOptions,
    levels: Vec<Level>,
}

impl HorizonGround {
    /// Reads the ground for a grid, as long as `should_continue` says so.
    ///
    /// # Errors
    /// [`HorizonError`]: options that cannot be; [`HorizonError::Memory`]; [`HorizonError::Stopped`].
    pub fn new(
        surface: &Surface,
        grid: &Grid,
        options: &HorizonsOptions,
        should_continue: ShouldContinue<'_>,
    ) -> Result<Self, HorizonError> {
        if grid.ellipsoid != surface.relief().ellipsoid() {
            return Err(HorizonError::OtherBody);
        }
        options.check_numbers(grid.ellipsoid)?;
        let HorizonsOptions { eye_height_m, refraction, reach_m, .. } = *options;
        let reach_m = reach_m.unwrap_or_else(|| grid::reach_m(surface, [eye_height_m, 0.0], refraction));
        let rule =
            "as far as its horizons may be lines of the grid are not straight: take a lower eye, or give a reach";
        check("a reach", reach_m, reach_m <= grid::farthest_m(grid.ellipsoid), rule)?;
        check_memory(grid.cells(), BYTES_A_CELL)?;
        let levels = run_cancellable(should_continue, |should_continue| {
            Level::all(surface, grid, reach_m, grid::MARGIN, should_continue)
        })?;
        Ok(Self::of_levels(grid.clone(), *options, levels))
    }

    /// The ground of a grid whose levels have been read.
    pub(crate) fn of_levels(grid: Grid, options: HorizonsOptions, levels: Vec<Level>) -> Self {
        Self { grid, options, levels }
    }

    /// Heights of the lowest ground, of the highest of the grid's own cells and those near them, and of the highest.
    pub(crate) fn range_m(&self) -> [f64; 3] {
        let of_level = |level: &Level| {
            let least_and_most = |(low, high): (f32, f32), height_m: f32| (low.min(height_m), high.max(height_m));
            let both = |a: (f32, f32), b: (f32, f32)| (a.0.min(b.0), a.1.max(b.1));
            let nothing = || (f32::INFINITY, f32::NEG_INFINITY);
            level
                .heights_m
                .par_chunks(1 << 16)
                .map(|part| part.iter().copied().fold(nothing(), least_and_most))
                .reduce(nothing, both)
        };
        let ranges: Vec<(f32, f32)> = self.levels.iter().map(of_level).collect();
        let low_m = ranges.iter().fold(f32::INFINITY, |low_m, range| low_m.min(range.0));
        let highest_m = ranges.iter().fold(f32::NEG_INFINITY, |high_m, range| high_m.max(range.1));
        [low_m, ranges[0].1, highest_m].map(f64::from)
    }

    /// The farthest targets that are sought in a direction, of all cells of the grid, as long as `should_continue` says
    /// so.
    pub(crate) fn farthest(
        &self,
        number: usize,
        query: &LineQuery<'_>,
        should_continue: ShouldContinue<'_>,
    ) -> Vec<FarthestTarget> {
        let sweep = Sweep::new(&self.grid, &self.levels, self.azimuth_rad(number), self.options.refraction);
        sweep.farthest(query, should_continue)
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The horizons of a part of the grid ([`Grid::part`]), to the last bit those of the whole, as long as
    /// `should_continue` says so.
    ///
    /// # Errors
    /// As [`HorizonGround::each`], and [`HorizonError::Option`] for more values than fit.
    pub fn horizons(&self, part: &Grid, should_continue: ShouldContinue<'_>) -> Result<Horizons, HorizonError> {
        self.options.check_values(part)?;
        let mut bands = Vec::new();
        self.each(part, should_continue, |_, band| bands.push(band))?;
        Ok(Horizons { grid: part.clone(), bands })
    }

    /// The same, direction by direction.
    ///
    /// # Errors
    /// [`HorizonError::Option`] for cells that are none of the grid's; [`HorizonError::Stopped`].
    pub fn each(
        &self,
        part: &Grid,
        should_continue: ShouldContinue<'_>,
        mut take: impl FnMut(usize, Vec<f32>),
    ) -> Result<(), HorizonError> {
        self.check_part(part)?;
        let HorizonsOptions { directions, eye_height_m, refraction, .. } = self.options;
        for k in 0..directions {
            let sweep = Sweep::new(part, &self.levels, self.azimuth_rad(k), refraction);
            take(k, run_cancellable(should_continue, |should_continue| sweep.horizons(eye_height_m, should_continue))?);
        }
        Ok(())
    }

    /// Refuses cells that are none of the grid's.
    fn check_part(&self, part: &Grid) -> Result<(), OptionError> {
        check("a part with a number of cells", part.cells() as f64, part.is_part_of(&self.grid), "of the same grid")
    }

    /// The azimuth of a direction, from the grid's north.
    fn azimuth_rad(&self, direction: usize) -> f64 {
        TAU * direction as f64 / self.options.directions as f64
    }
}

/// The horizons of the cells of a [`Grid`].
///
/// The surface is that of the grid: heights in the middles of cells, straight lines in space between them. Along a direction nearer to
/// the grid's columns than to its rows a line meets rows of cells, and a height there is on the straight line between the
/// two cells beside it; else the same with columns. Cells within 256 of the raster's edge are as large as its own, from there
/// on twice as large, and so on: the farther a cell is, the larger, but never more than 1/128 of its distance.
/// Against the exact [`Horizon`](crate::Horizon) of a place the difference is what the ground rises between cells, seen from
/// there: it shrinks with the cells.
///
/// ```
/// use std::sync::Arc;
/// use analysis::{Grid, Horizons, HorizonsOptions};
/// use elevation::geodesy::{Ellipsoid, Geodetic};
/// use elevation::height::{GlobalGrid, Registration, Relief};
/// use elevation::surface::Surface;
///
/// let sea = GlobalGrid::from_fn(360, 181, Registration::Node, |_, _| 0.0);
/// let surface = Surface::new(Arc::new(Relief::from_grid(sea)?));
/// let grid = Grid::around(Ellipsoid::WGS84, Geodetic::from_degrees(46.0, 8.0, 0.0), 1_000.0, 100.0)?;
/// let horizons = Horizons::new(&surface, &grid, &HorizonsOptions::default().with_directions(8), |_, _| {})?;
/// assert_eq!((horizons.bands.len(), horizons.bands[0].len()), (8, 21 * 21));
/// assert!(horizons.bands[3][0].abs() < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Horizons {
    /// Where the cells are.
    pub grid: Grid,
    /// For each direction the elevation of the horizon of every cell in radians, northernmost row first.
    pub bands: Vec<Vec<f32>>,
}

impl Horizons {
    /// The horizons of all cells of a grid, on all threads; `progress` hears of each direction that is done.
    ///
    /// Exact on the surface of the grid but for rounding, some thousandths of a degree at most. See `sweep` in the source.
    ///
    /// # Errors
    /// [`HorizonError`]: options that cannot be; [`HorizonError::Memory`].
    pub fn new(
        surface: &Surface,
        grid: &Grid,
        options: &HorizonsOptions,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<Self, HorizonError> {
        options.check(grid)?;
        let mut bands = Vec::new();
        Self::each(surface, grid, options, |k, band| {
            bands.push(band);
            progress(k, options.directions);
        })?;
        Ok(Self { grid: grid.clone(), bands })
    }

    /// The same, direction by direction, for rasters of which not all bands have to be in memory.
    ///
    /// # Errors
    /// As [`Horizons::new`].
    pub fn each(
        surface: &Surface,
        grid: &Grid,
        options: &HorizonsOptions,
        take: impl FnMut(usize, Vec<f32>),
    ) -> Result<(), HorizonError> {
        HorizonGround::new(surface, grid, options, &|| true)?.each(grid, &|| true, take)
    }

    /// Elevation of the horizon of a cell at any azimuth of the grid, radians: between two directions along a straight line; NaN of a cell
    /// that is none.
    pub fn elevation_rad(&self, cell: usize, azimuth_rad: f64) -> f64 {
        let count = self.bands.len();
        let at = azimuth_rad.rem_euclid(TAU) / TAU * count as f64;
        let band = |k: usize| self.bands.get(k % count.max(1)).and_then(|band| band.get(cell)).copied();
        let (Some(a), Some(b)) = (band(at as usize), band(at as usize + 1)) else { return f64::NAN };
        f64::from(a) + (f64::from(b) - f64::from(a)) * at.fract()
    }

    /// Writes a GeoTIFF with a band a direction, in degrees.
    ///
    /// # Errors
    /// [`WriteError`](elevation::geotiff::WriteError) with GDAL's reason.
    #[cfg(feature = "gdal")]
    pub fn write_geotiff(&self, file: &std::path::Path) -> Result<(), elevation::geotiff::WriteError> {
        let degrees: Vec<Vec<f32>> =
            self.bands.par_iter().map(|band| band.iter().map(|rad| rad.to_degrees()).collect()).collect();
        let name = |k: usize| format!("horizon at {:.3} degrees", 360.0 * k as f64 / self.bands.len() as f64);
        self.grid.write(file, degrees.iter().enumerate().map(|(k, band)| (name(k), &band[..])).collect())
    }
}
