//! How high are the horizons of all cells in one direction? The round Earth made straight, and blocks of ground left out by bounds.
//!
//! In the vertical plane of a line a point is X = (R + h) sin a, Z = (R + h) cos a, a = x / R. The projective map
//! x' = R X / Z = R tan a, s = R - R^2 / Z takes straight lines to straight lines and verticals at x = 0 to verticals. The slope of a
//! point is (s - s of the eye) / (x' - x' of the eye). Of two points, the one with the greater slope stands higher before the eye.
//! This holds without approximation, for all distances below a quarter of the Earth. Near x = 0, s is h - x^2 / 2R. A slope m in the
//! map is the line Z (R - s + m x') = R^2 + m R X through the eye, hence its elevation there. Refraction k makes R larger:
//! R / (1 - k).
//!
//! Lines of one direction step by columns (or rows, whichever they are nearer to). Sixteen that start in neighbouring rows go side by
//! side: in each column they pass the same part between two rows. See `lanes` for how they look, `strip` for what they look at.

mod lanes;
pub(super) mod shape;
mod strip;

use std::ops::Range;

use elevation::geodesy::{Ellipsoid, Geodetic};
use rayon::prelude::*;

use super::{Grid, grid::Level};
use crate::horizon::ShouldContinue;
use shape::{LANES, Shape};
use strip::Strip;

/// Rows that one thread turns at a time: their heights share lines of the cache.
const ROWS: usize = 16;
/// Lines of a group farther out.
const FAR_LINES: usize = 4;

/// What f32 rounds a rise by, of itself.
const ROUNDED: f64 = 4e-7;
/// Ground stands at most so far above or below other ground, metres.
const HIGHEST_M: f64 = 6.4e4;

/// What rounding may hide before an eye: metres near it, and more by square metre of distance, as the Earth drops.
pub(super) fn rounding(eye_height_m: f64, radius_m: f64) -> [f64; 2] {
    [ROUNDED * (HIGHEST_M + eye_height_m), ROUNDED / radius_m]
}

/// All levels, seen along one direction.
pub(crate) struct Sweep<'a> {
    grid: &'a Grid,
    axes: SweepAxes,
    radius_m: f64,
    levels: Vec<Strip>,
    /// The greatest x' of all.
    farthest_m: f64,
    /// Of the first level: rows that a line has passed so many columns on, and the part of the next.
    passed: Vec<(isize, f32)>,
}

/// How columns and rows become distances along a direction (u) and across it (v).
#[derive(Clone, Copy)]
pub(super) struct SweepAxes {
    /// Whether u counts rows, not columns.
    pub by_rows: bool,
    /// Whether u counts downwards.
    pub backwards: bool,
    /// Change of v with u.
    pub slope: f64,
    /// Distance along the line with u, in sides of a cell.
    pub stretch: f64,
}

/// Which lines of sight a sweep looks for.
pub(crate) struct LineQuery<'a> {
    /// Heights of eyes and of targets above the ground.
    pub eye_height_m: f64,
    pub target_height_m: f64,
    /// How long lines are: at least and at most.
    pub least_m: f64,
    pub most_m: f64,
    /// Of lines side by side whose eyes and targets are nearer than this to one, the longest is enough.
    pub separation_m: f64,
    /// Which cells of the grid have eyes, northernmost row first.
    pub eyes: &'a [bool],
}

impl LineQuery<'_> {
    /// Whether a cell of the grid has an eye.
    pub fn sees_from(&self, [column, row]: [usize; 2], grid: &Grid) -> bool {
        self.eyes[row * grid.columns + column]
    }
}

/// The farthest target that an eye sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FarthestTarget {
    /// Column and row of the eye.
    pub cell: [usize; 2],
    /// Metres eastwards and northwards from the middle of the grid to the target.
    pub target_m: [f64; 2],
    /// Length of the line in the grid.
    pub distance_m: f64,
    /// From there to where ground is known next, along the line.
    pub step_m: f64,
}

impl FarthestTarget {
    /// From the cell at u and v of the first level, the first of those that look at `first`, to that at `to` of another level.
    pub(super) fn of(
        axes: SweepAxes,
        [ground, there]: [&Shape; 2],
        ([u, v], to): ([usize; 2], usize),
        [along, across]: [&Range<usize>; 2],
    ) -> Self {
        let [eye_m, target_m] = [ground.middle(u, ground.along), there.middle(to, there.along)];
        let across_m = ground.middle(v, ground.across) + axes.slope * (target_m - eye_m);
        Self {
            cell: axes.cell((u - along.start, v - across.start), along.len()),
            target_m: axes.east_north(target_m, across_m),
            distance_m: (target_m - eye_m) * axes.stretch,
            step_m: there.cell_m * axes.stretch,
        }
    }
}

/// Horizons of a group of lines: lane by lane for each u from the first on.
struct GroupHorizons {
    first_u: usize,
    elevations_rad: Vec<f32>,
}

impl<'a> Sweep<'a> {
    pub fn new(grid: &'a Grid, levels: &[Level], azimuth_rad: f64, refraction: f64) -> Self {
        let axes = SweepAxes::new(azimuth_rad);
        let radius_m = radius_of_curvature_m(grid.ellipsoid, grid.middle, azimuth_rad) / (1.0 - refraction);
        let mut levels: Vec<Strip> = levels
            .iter()
            .enumerate()
            .map(|(k, level)| Strip::new(level, axes, radius_m, if k == 0 { LANES } else { FAR_LINES }))
            .collect();
        let mut most = f32::NEG_INFINITY;
        for level in levels.iter_mut().rev() {
            most = most.max(level.most);
            level.most = most;
        }
        let passed = (0..levels[0].shape.along).map(|k| shape::row_and_part(axes.slope * k as f64)).collect();
        let farthest_m = levels.iter().filter_map(|level| level.shape.x_m.last()).copied().fold(0.0, f64::max);
        Self { grid, axes, radius_m, levels, farthest_m, passed }
    }

    /// Elevations of the horizons of all cells of the raster or of a part of it, as long as `should_continue` says so.
    pub fn horizons(&self, eye_height_m: f64, should_continue: ShouldContinue<'_>) -> Vec<f32> {
        let (along, across) = self.axes.size([self.grid.columns, self.grid.rows]);
        let mut band = vec![0.0f32; along * across];
        if band.is_empty() {
            return band;
        }
        let ground = &self.levels[0];
        let cells = self.axes.cells(self.grid, &ground.shape);
        let (first_u, first_v) = (cells[0].start, cells[1].start);
        let groups = self.groups(&cells);
        let (lowest, count) = (groups.start, groups.len());
        let of_groups: Vec<GroupHorizons> = groups
            .into_par_iter()
            .take_any_while(|_| should_continue())
            .map(|group| lanes::horizons(self, group, &cells, eye_height_m))
            .collect();
        if of_groups.len() < count {
            return band;
        }
        let columns = self.grid.columns;
        band.par_chunks_mut(columns * ROWS).enumerate().for_each(|(chunk, part)| {
            for column in 0..columns {
                for k in 0..part.len() / columns {
                    let (u, v) = self.axes.along_across(column, chunk * ROWS + k, (along, across));
                    let (u, line) = (u + first_u, (v + first_v) as isize - ground.shape.shift(u + first_u));
                    let of = &of_groups[(line.div_euclid(LANES as isize) - lowest) as usize];
                    let lane = line.rem_euclid(LANES as isize) as usize;
                    part[k * columns + column] = of.elevations_rad[(u - of.first_u) * LANES + lane];
                }
            }
        });
        band
    }

    /// The farthest targets of all cells of the raster that see some, as long as `should_continue` says so: in the same
    /// order whatever threads there are.
    pub fn farthest(&self, query: &LineQuery<'_>, should_continue: ShouldContinue<'_>) -> Vec<FarthestTarget> {
        let cells = self.axes.cells(self.grid, &self.levels[0].shape);
        let found: Vec<Vec<FarthestTarget>> = self
            .groups(&cells)
            .into_par_iter()
            .take_any_while(|_| should_continue())
            .map(|group| lanes::farthest(self, group, &cells, query))
            .collect();
        found.concat()
    }

    /// Groups of lines on which cells along and across, of which there are some, lie.
    fn groups(&self, [along, across]: &[Range<usize>; 2]) -> Range<isize> {
        let shape = &self.levels[0].shape;
        let group_of = |u: usize, v: usize| (v as isize - shape.shift(u)).div_euclid(LANES as isize);
        let (from, to) = (along.start, along.end - 1);
        let lowest = group_of(from, across.start).min(group_of(to, across.start));
        lowest..group_of(from, across.end - 1).max(group_of(to, across.end - 1)) + 1
    }
}

/// Radius of curvature of the ellipsoid at a place along an azimuth (Euler).
pub(super) fn radius_of_curvature_m(ellipsoid: Ellipsoid, at: Geodetic, azimuth_rad: f64) -> f64 {
    let [prime_vertical_m, meridian_m] = ellipsoid.radii_m(at.lat_rad.sin());
    let (sin, cos) = azimuth_rad.sin_cos();
    1.0 / (cos * cos / meridian_m + sin * sin / prime_vertical_m)
}

impl SweepAxes {
    pub fn new(azimuth_rad: f64) -> Self {
        // Rows count southwards.
        let (column, row) = (azimuth_rad.sin(), -azimuth_rad.cos());
        let by_rows = row.abs() > column.abs();
        let (main, cross) = if by_rows { (row, column) } else { (column, row) };
        Self { by_rows, backwards: main < 0.0, slope: cross / main.abs(), stretch: 1.0 / main.abs() }
    }

    /// Where the cells of a raster, or of a part of it, are in the ground of its own cells: along and across.
    pub fn cells(&self, grid: &Grid, ground: &Shape) -> [Range<usize>; 2] {
        let Grid { first: [left, top], whole, columns, rows, .. } = *grid;
        let (size, whole) = (self.size([columns, rows]), self.size(whole));
        let (u, v) = self.along_across(left, top, whole);
        // Counted backwards the last cell of a part is its first.
        let u = if self.backwards { u + 1 - size.0 } else { u };
        let (u, v) = (u + (ground.along - whole.0) / 2, v + (ground.across - whole.1) / 2);
        [u..u + size.0, v..v + size.1]
    }

    /// Cells along and across.
    pub fn size(&self, [columns, rows]: [usize; 2]) -> (usize, usize) {
        if self.by_rows { (rows, columns) } else { (columns, rows) }
    }

    /// Column and row of a cell along and across, of so many along.
    pub fn cell(&self, (u, v): (usize, usize), along: usize) -> [usize; 2] {
        let main = if self.backwards { along - 1 - u } else { u };
        if self.by_rows { [v, main] } else { [main, v] }
    }

    /// Metres eastwards and northwards of metres along columns or rows and across them.
    pub fn east_north(&self, along_m: f64, across_m: f64) -> [f64; 2] {
        let main_m = if self.backwards { -along_m } else { along_m };
        if self.by_rows { [across_m, -main_m] } else { [main_m, -across_m] }
    }

    pub fn along_across(&self, column: usize, row: usize, (along, _): (usize, usize)) -> (usize, usize) {
        let (u, v) = if self.by_rows { (row, column) } else { (column, row) };
        (if self.backwards { along - 1 - u } else { u }, v)
    }
}
