//! Where are the cells of a raster, and how high is the ground there and farther out?

use std::ops::Range;

use elevation::{
    geodesy::{Ellipsoid, Geodetic, east_north_up},
    surface::Surface,
};
use geographiclib_rs::{DirectGeodesic, InverseGeodesic};
use glam::DVec3;
use rayon::prelude::*;

use crate::degrees::{check_edges, width, wrapped};
use crate::horizon::{HorizonError, ShouldContinue};
use crate::option::check;

/// Distance on the Earth between normals between which others are on a parabola.
const PIECE_M: f64 = 8_000.0;
/// Cells of a raster at most.
const MOST_CELLS: f64 = 400e6;
/// Half a side of a raster at most: beyond it parallel lines of the grid are not parallel on the Earth.
const MOST_HALF_M: f64 = 500_000.0;
/// The farthest reach on the Earth.
const FARTHEST_M: f64 = 2e6;
/// Cells of each size beyond those of the size before, and beyond the raster, for horizons.
pub(super) const MARGIN: usize = 256;

/// A raster in the azimuthal equidistant projection round its middle: columns from west to east, rows from north to south, the
/// middle of the area in the middle of the raster.
///
/// Distance and direction from the middle are true. At r metres from it directions are off by the convergence
/// ([`Grid::true_azimuth_rad`]), and distances by r^2 / 6 R^2: 4 millionths at 30 km. A straight line that passes the
/// middle at y metres leaves the straightest one on Earth by y x^2 / 3 R^2 after x metres: half a metre for 5 and 100 km.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// The planet that it is on.
    pub ellipsoid: Ellipsoid,
    /// The middle, at height 0.
    pub middle: Geodetic,
    /// Side of a cell in metres.
    pub cell_m: f64,
    /// Columns.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
    /// Column and row of the whole raster with which this part of it begins, and size of the whole.
    pub(super) first: [usize; 2],
    pub(super) whole: [usize; 2],
}

impl Grid {
    /// Cells whose middles are within `radius_m` east, west, north and south of a place, which is the middle of a cell.
    ///
    /// # Errors
    /// [`HorizonError::Option`] for sizes that cannot be.
    pub fn around(ellipsoid: Ellipsoid, middle: Geodetic, radius_m: f64, cell_m: f64) -> Result<Self, HorizonError> {
        check("a radius", radius_m, radius_m > 0.0, "above 0 m")?;
        check("a cell", cell_m, cell_m > 0.0, "above 0 m")?;
        let side = 2.0 * (radius_m / cell_m).floor() + 1.0;
        Self::of(ellipsoid, middle, cell_m, side, side)
    }

    /// Cells that cover a box of longitudes and latitudes in degrees: west, south, east, north; across 180 degrees where east is less
    /// than west.
    ///
    /// ```
    /// use elevation::geodesy::Ellipsoid;
    /// use analysis::Grid;
    /// let grid = Grid::covering(Ellipsoid::WGS84, [7.0, 45.0, 8.0, 46.0], 1_000.0)?;
    /// // A degree of latitude is 111 km, one of longitude at 45 degrees 79 km.
    /// assert_eq!((grid.columns, grid.rows), (79, 112));
    /// assert_eq!(grid.cells(), 79 * 112);
    /// let (east_m, north_m) = grid.offset_m(0, 0);
    /// assert!(east_m == -39_000.0 && north_m == 55_500.0);
    /// # Ok::<(), analysis::HorizonError>(())
    /// ```
    ///
    /// # Errors
    /// [`HorizonError::Option`] for sizes that cannot be.
    pub fn covering(
        ellipsoid: Ellipsoid,
        [west, south, east, north]: [f64; 4],
        cell_m: f64,
    ) -> Result<Self, HorizonError> {
        check("a cell", cell_m, cell_m > 0.0, "above 0 m")?;
        check_edges([west, south, east, north])?;
        let wide = width(west, east);
        check("a box with a width", wide, wide > 0.0 && wide < 180.0, "above 0 and below 180 degrees")?;
        let middle = Geodetic::from_degrees(0.5 * (south + north), wrapped(west + 0.5 * wide), 0.0);
        // The edges bulge: the farthest of their points count.
        let mut half_m = [0.0f64; 2];
        for i in 0..=32 {
            let part = f64::from(i) / 32.0;
            let (lat, lon) = (south + (north - south) * part, wrapped(west + wide * part));
            for (lat, lon) in [(lat, wrapped(west)), (lat, wrapped(east)), (south, lon), (north, lon)] {
                let (x, y) = offset_m(ellipsoid, middle, lat, lon);
                half_m = [half_m[0].max(x.abs()), half_m[1].max(y.abs())];
            }
        }
        let [columns, rows] = half_m.map(|half_m| (2.0 * half_m / cell_m).ceil().max(1.0));
        Self::of(ellipsoid, middle, cell_m, columns, rows)
    }

    fn of(ellipsoid: Ellipsoid, middle: Geodetic, cell_m: f64, columns: f64, rows: f64) -> Result<Self, HorizonError> {
        let half_m = 0.5 * cell_m * columns.max(rows);
        let most_m = MOST_HALF_M * ellipsoid.size();
        check(
            "half a side",
            half_m,
            half_m <= most_m.max(cell_m),
            "at most 500 000 m on the Earth, and as large an angle elsewhere",
        )?;
        check(
            "a number of cells",
            columns * rows,
            columns * rows <= MOST_CELLS,
            "at most 400 000 000: take larger cells",
        )?;
        Ok(Self::whole(ellipsoid, Geodetic { height_m: 0.0, ..middle }, cell_m, [columns as usize, rows as usize]))
    }

    fn whole(ellipsoid: Ellipsoid, middle: Geodetic, cell_m: f64, [columns, rows]: [usize; 2]) -> Self {
        Self { ellipsoid, middle, cell_m, columns, rows, first: [0, 0], whole: [columns, rows] }
    }

    /// The cells of some columns and rows, those that there are. Places, and horizons too, are to the last bit those of the whole;
    /// `middle` remains the whole's.
    ///
    /// ```
    /// use analysis::Grid;
    /// use elevation::geodesy::{Ellipsoid, Geodetic};
    /// let grid = Grid::around(Ellipsoid::WGS84, Geodetic::from_degrees(46.0, 8.0, 0.0), 1_000.0, 100.0)?;
    /// let part = grid.part(5..9, 18..40);
    /// assert_eq!((part.columns, part.rows), (4, 3));
    /// assert_eq!(part.place(1, 2), grid.place(6, 20));
    /// # Ok::<(), analysis::HorizonError>(())
    /// ```
    pub fn part(&self, columns: Range<usize>, rows: Range<usize>) -> Self {
        let (left, top) = (columns.start.min(self.columns), rows.start.min(self.rows));
        let size = |end: usize, most: usize, start: usize| end.min(most).saturating_sub(start);
        Self {
            columns: size(columns.end, self.columns, left),
            rows: size(rows.end, self.rows, top),
            first: [self.first[0] + left, self.first[1] + top],
            ..self.clone()
        }
    }

    /// Whether its cells are some of another's.
    pub(super) fn is_part_of(&self, other: &Self) -> bool {
        let Self { ellipsoid, middle, cell_m, whole, first, columns, rows } = self;
        let within =
            |k: usize, size: usize, most: usize| first[k] >= other.first[k] && first[k] + size <= other.first[k] + most;
        let same = (*ellipsoid, *middle, *cell_m, *whole) == (other.ellipsoid, other.middle, other.cell_m, other.whole);
        same && within(0, *columns, other.columns) && within(1, *rows, other.rows)
    }

    /// Half of the whole raster's diagonal in metres.
    pub(crate) fn half_diagonal_m(&self) -> f64 {
        0.5 * self.cell_m * (self.whole[0] as f64).hypot(self.whole[1] as f64)
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.columns * self.rows
    }

    /// Metres eastwards and northwards from the middle to the middle of a cell.
    pub fn offset_m(&self, column: usize, row: usize) -> (f64, f64) {
        let along = |k: usize, axis: usize| {
            ((k + self.first[axis]) as f64 - 0.5 * (self.whole[axis] as f64 - 1.0)) * self.cell_m
        };
        (along(column, 0), -along(row, 1))
    }

    /// The place in the middle of a cell, at height 0.
    pub fn place(&self, column: usize, row: usize) -> Geodetic {
        self.at(self.offset_m(column, row))
    }

    /// Unit geodetic normals in the middles of a row of cells, to a millimetre.
    ///
    /// Between three of them, at most 8 km apart, others are on a parabola: what is left of a third derivative of 1 / R^2
    /// over pieces of length l is l^3 / (9 sqrt(3) R^2), 0.8 mm.
    pub(crate) fn normals(&self, row: usize) -> Vec<DVec3> {
        let piece = ((PIECE_M * self.ellipsoid.size() / self.cell_m) as usize).clamp(1, 32);
        let (x_m, y_m) = self.offset_m(0, row);
        let knot = |column: usize| self.at((x_m + column as f64 * self.cell_m, y_m)).normal();
        let mut normals = Vec::with_capacity(self.columns);
        let mut next = knot(0);
        for start in (0..self.columns).step_by(2 * piece) {
            let [a, b, c] = [next, knot(start + piece), knot(start + 2 * piece)];
            next = c;
            for k in 0..(2 * piece).min(self.columns - start) {
                let t = k as f64 / piece as f64 - 1.0;
                normals.push((b + (c - a) * (0.5 * t) + (a + c - b * 2.0) * (0.5 * t * t)).normalize());
            }
        }
        normals
    }

    /// The place metres eastwards and northwards of the middle.
    pub(crate) fn at(&self, (east_m, north_m): (f64, f64)) -> Geodetic {
        let (lat, lon) = (self.middle.lat_rad.to_degrees(), self.middle.lon_rad.to_degrees());
        let azimuth_deg = east_m.atan2(north_m).to_degrees();
        let (lat, lon): (f64, f64) = self.ellipsoid.geodesic().direct(lat, lon, azimuth_deg, east_m.hypot(north_m));
        Geodetic::from_degrees(lat, lon, 0.0)
    }

    /// True azimuth, at the middle of a cell, of an azimuth of the grid (clockwise from the direction of the columns).
    ///
    /// ```
    /// use analysis::Grid;
    /// use elevation::geodesy::{Ellipsoid, Geodetic};
    /// let middle = Geodetic::from_degrees(46.0, 8.0, 0.0);
    /// let grid = Grid::around(Ellipsoid::WGS84, middle, 50_000.0, 1_000.0)?;
    /// assert!((grid.true_azimuth_rad(50, 50, 1.0) - 1.0).abs() < 1e-4); // in the middle
    /// // 50 km to the east meridians have converged.
    /// let converged_rad = (grid.place(100, 50).lon_rad - middle.lon_rad) * middle.lat_rad.sin();
    /// assert!(converged_rad > 0.008 && (grid.true_azimuth_rad(100, 50, 0.0) - converged_rad).abs() < 1e-4);
    /// # Ok::<(), analysis::HorizonError>(())
    /// ```
    pub fn true_azimuth_rad(&self, column: usize, row: usize, azimuth_rad: f64) -> f64 {
        let (x, y) = self.offset_m(column, row);
        let (sin, cos) = azimuth_rad.sin_cos();
        let ahead = |m: f64| self.at((x + m * sin, y + m * cos)).normal();
        let (east, north, _) = east_north_up(self.place(column, row).normal());
        let step = ahead(0.5 * self.cell_m) - ahead(-0.5 * self.cell_m);
        // The normal turns faster northwards than eastwards, by the radii of curvature.
        let flat = self.ellipsoid.eccentricity_squared();
        let sin_lat = self.place(column, row).lat_rad.sin();
        let ratio = (1.0 - flat) / (1.0 - flat * sin_lat * sin_lat);
        step.dot(east).atan2(step.dot(north) * ratio).rem_euclid(std::f64::consts::TAU)
    }

    /// Writes bands over the cells as a GeoTIFF of floats.
    ///
    /// ```
    /// use analysis::Grid;
    /// use elevation::{geodesy::{Ellipsoid, Geodetic}, height::{OpenOptions, Relief}};
    /// # let folder = tempfile::tempdir()?;
    /// let file = folder.path().join("cells.tif");
    /// let grid = Grid::around(Ellipsoid::WGS84, Geodetic::from_degrees(46.0, 8.0, 0.0), 1_000.0, 100.0)?;
    /// let columns: Vec<f32> = (0..grid.cells()).map(|cell| (cell % grid.columns) as f32).collect();
    /// let rows: Vec<f32> = (0..grid.cells()).map(|cell| (cell / grid.columns) as f32).collect();
    /// grid.write(&file, vec![("column".into(), &columns[..]), ("row".into(), &rows[..])])?;
    /// // Read as if they were heights, rows are where the cells are.
    /// let relief = Relief::open(&[file], &OpenOptions::default().with_band(2))?;
    /// assert_eq!(relief.layers()[0].size, [21, 21]);
    /// assert!((relief.sample(grid.place(3, 5).normal()).height_m - 5.0).abs() < 0.1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`WriteError`](elevation::geotiff::WriteError) with GDAL's reason.
    #[cfg(feature = "gdal")]
    pub fn write(
        &self,
        file: &std::path::Path,
        bands: Vec<(String, &[f32])>,
    ) -> Result<(), elevation::geotiff::WriteError> {
        let (lat_deg, lon_deg) = (self.middle.lat_rad.to_degrees(), self.middle.lon_rad.to_degrees());
        let corner_m = |axis: usize| (0.5 * self.whole[axis] as f64 - self.first[axis] as f64) * self.cell_m;
        let raster = elevation::geotiff::Raster {
            system: format!(
                "+proj=aeqd +lat_0={lat_deg} +lon_0={lon_deg} +x_0=0 +y_0=0 {} +units=m +no_defs",
                self.ellipsoid.proj()
            ),
            size: (self.columns, self.rows),
            geo_transform: [-corner_m(0), self.cell_m, 0.0, corner_m(1), 0.0, -self.cell_m],
            nodata: -9999.0,
            bands,
        };
        raster.write(file)
    }
}

fn offset_m(ellipsoid: Ellipsoid, middle: Geodetic, lat_deg: f64, lon_deg: f64) -> (f64, f64) {
    let (lat, lon) = (middle.lat_rad.to_degrees(), middle.lon_rad.to_degrees());
    let (length_m, azimuth_deg, _, _): (f64, f64, f64, f64) = ellipsoid.geodesic().inverse(lat, lon, lat_deg, lon_deg);
    let (sin, cos) = azimuth_deg.to_radians().sin_cos();
    (length_m * sin, length_m * cos)
}

/// The farthest reach.
pub(crate) fn farthest_m(ellipsoid: Ellipsoid) -> f64 {
    FARTHEST_M * ellipsoid.size()
}

/// Beyond this distance no target above the ground of a relief rises above what is there: a straight line from the lowest place's eye
/// that keeps above the lowest ground and ends at the highest is at most that long.
pub(crate) fn reach_m(surface: &Surface, [eye_height_m, target_height_m]: [f64; 2], refraction: f64) -> f64 {
    let (low_m, high_m) = surface.relief().range_m();
    // The eye is no higher than the highest ground and its own height.
    let above_m = [high_m - low_m + eye_height_m, high_m - low_m + target_height_m];
    longest_m(surface.relief().ellipsoid(), above_m, refraction)
}

/// How long a line between an eye and a target may be that stand so high above all ground between them.
pub(crate) fn longest_m(ellipsoid: Ellipsoid, [eye_m, target_m]: [f64; 2], refraction: f64) -> f64 {
    // Of the greatest radius of curvature, b^2 / a to a^2 / b, made greater by refraction.
    let radius_m = ellipsoid.semi_major_m() * ellipsoid.semi_major_m() / ellipsoid.semi_minor_m() / (1.0 - refraction);
    let over = |height_m: f64| (2.0 * radius_m * height_m.max(0.0)).sqrt();
    over(eye_m) + over(target_m)
}

/// Heights in the middles of cells of one size, and where those are.
#[derive(Debug)]
pub(crate) struct Level {
    pub cell_m: f64,
    pub columns: usize,
    pub rows: usize,
    /// Northernmost row first.
    pub heights_m: Vec<f32>,
}

impl Level {
    /// Those of the whole raster and `margin` cells round it, then those of twice the size farther out, until the reach; as long as
    /// `should_continue` says so.
    pub fn all(
        surface: &Surface,
        grid: &Grid,
        reach_m: f64,
        margin: usize,
        should_continue: ShouldContinue<'_>,
    ) -> Vec<Self> {
        let (mut levels, mut cell_m) = (Vec::new(), grid.cell_m);
        loop {
            let margin_m = margin as f64 * cell_m;
            let count = |cells: usize| {
                let half = (0.5 * (cells as f64 - 1.0) * grid.cell_m + margin_m.min(reach_m)) / cell_m;
                // As many more on each side as whole cells of the raster, so that cells of its own size are those of the raster.
                let parity = if levels.is_empty() { cells % 2 } else { 1 };
                let half = half.ceil() as usize + 1;
                if parity == 1 { 2 * half + 1 } else { 2 * half }
            };
            levels.push(Self::read(surface, grid, cell_m, grid.whole.map(count), should_continue));
            if margin_m >= reach_m || !should_continue() {
                return levels;
            }
            cell_m *= 2.0;
        }
    }

    fn read(
        surface: &Surface,
        grid: &Grid,
        cell_m: f64,
        [columns, rows]: [usize; 2],
        should_continue: ShouldContinue<'_>,
    ) -> Self {
        let cells = Grid::whole(grid.ellipsoid, grid.middle, cell_m, [columns, rows]);
        let mut heights_m = vec![0.0f32; columns * rows];
        heights_m.par_chunks_mut(columns).enumerate().take_any_while(|_| should_continue()).for_each(|(row, line)| {
            let normals = cells.normals(row);
            let mut heights = vec![0.0; columns];
            surface.relief().sample_row(&normals, &mut heights);
            line.iter_mut().zip(heights).for_each(|(to, from)| *to = from as f32);
        });
        Self { cell_m, columns, rows, heights_m }
    }
}
