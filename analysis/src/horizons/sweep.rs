//! How high are the horizons of all cells in one direction? The round Earth made straight, and blocks of ground left out by bounds.
//!
//! In the vertical plane of a line a point is X = (R + h) sin a, Z = (R + h) cos a, a = x / R. The projective map
//! x' = R X / Z = R tan a, s = R - R^2 / Z takes straight lines to straight lines and verticals at x = 0 to verticals. So for all
//! distances below a quarter of the Earth, and without approximation, of two points the one with the greater slope
//! (s - s of the eye) / (x' - x' of the eye) is the one that stands higher before the eye. Near x = 0, s is h - x^2 / 2R. A
//! slope m in the map is the line Z (R - s + m x') = R^2 + m R X through the eye, hence its elevation there.
//! Refraction k makes R larger: R / (1 - k).
//!
//! Lines of one direction step by columns (or rows, whichever they are nearer to); those that start between the rows L and L + 1 meet
//! in each column the same three rows at most. Of these, maxima of s over 8 and 64 columns are kept: while they stay below
//! the line under the highest slope found so far, nothing in them is looked at. The first guess is where the cell before had
//! its horizon.

use elevation::geodesy::{ECCENTRICITY_SQUARED, Geodetic, SEMI_MAJOR_M};
use rayon::prelude::*;

use super::{Grid, grid::Level};
use crate::horizon::GoOn;

/// Columns of a block, blocks of a block of blocks.
const BLOCK: usize = 8;
const BLOCKS: usize = 8;
/// Rows that one thread turns at a time: their heights share lines of the cache.
const ROWS: usize = 16;

/// All levels, seen along one direction.
pub(super) struct Sweep<'a> {
    grid: &'a Grid,
    turn: Turn,
    radius_m: f64,
    levels: Vec<Strip>,
}

/// How columns and rows become distances along a direction (u) and across it (v).
#[derive(Clone, Copy)]
struct Turn {
    /// Whether u counts rows, not columns.
    by_rows: bool,
    /// Whether u counts downwards.
    backwards: bool,
    /// Change of v with u.
    slope: f64,
    /// Distance along the line with u, in sides of a cell.
    stretch: f64,
}

/// A level, turned.
struct Strip {
    cell_m: f64,
    along: usize,
    across: usize,
    /// `across` rows of s.
    s: Vec<f32>,
    /// x' of each u.
    x_m: Vec<f64>,
    /// L of the first line that has maxima.
    first: isize,
    /// Maxima of s: of each line the blocks.
    blocks: Vec<f32>,
    /// And the blocks of blocks.
    wide: Vec<f32>,
    /// Greatest s here and in all levels farther out.
    most: f32,
}

/// An eye in the map, and the highest slope before it so far.
struct Eye {
    s_m: f64,
    x_m: f64,
    best: f64,
    at: usize,
}

impl<'a> Sweep<'a> {
    pub fn new(grid: &'a Grid, levels: &[Level], azimuth_rad: f64, refraction: f64) -> Self {
        let turn = Turn::new(azimuth_rad);
        let radius_m = radius_of_curvature_m(grid.middle, azimuth_rad) / (1.0 - refraction);
        let mut levels: Vec<Strip> = levels.iter().map(|level| Strip::new(level, turn, radius_m)).collect();
        let mut most = f32::NEG_INFINITY;
        for level in levels.iter_mut().rev() {
            most = most.max(level.most);
            level.most = most;
        }
        Self { grid, turn, radius_m, levels }
    }

    /// Elevations of the horizons of all cells of the raster or of a part of it, as long as `go_on` says so.
    pub fn horizons(&self, eye_height_m: f64, go_on: GoOn<'_>) -> Vec<f32> {
        let (along, across) = self.turn.size([self.grid.columns, self.grid.rows]);
        let mut turned = vec![0.0f32; along * across];
        // Where the part begins in the strip of its own cells.
        let (first, ground) = (self.first(), &self.levels[0]);
        let whole = self.turn.size(self.grid.whole);
        let (first_u, first_v) = (first.0 + (ground.along - whole.0) / 2, first.1 + (ground.across - whole.1) / 2);
        turned.par_chunks_mut(along.max(1)).enumerate().take_any_while(|_| go_on()).for_each(|(v, line)| {
            let mut guess = 0;
            for (u, out) in line.iter_mut().enumerate() {
                *out = self.horizon(u + first_u, v + first_v, eye_height_m, &mut guess) as f32;
            }
        });
        let mut band = vec![0.0f32; along * across];
        let columns = self.grid.columns;
        band.par_chunks_mut((columns * ROWS).max(1)).enumerate().for_each(|(chunk, part)| {
            for column in 0..columns {
                for k in 0..part.len() / columns {
                    let (u, v) = self.turn.turned(column, chunk * ROWS + k, (along, across));
                    part[k * columns + column] = turned[v * along + u];
                }
            }
        });
        band
    }

    /// Along and across, with which cell of the whole raster the part begins.
    fn first(&self) -> (usize, usize) {
        let Grid { first: [left, top], whole, columns, rows, .. } = *self.grid;
        let size = self.turn.size([columns, rows]);
        let (u, v) = self.turn.turned(left, top, self.turn.size(whole));
        // Counted backwards its last cell is its first.
        if self.turn.backwards { (u + 1 - size.0, v) } else { (u, v) }
    }

    /// Elevation of the horizon of one cell of the first strip; `guess` is where that of the cell before was, and becomes where this one
    /// is.
    fn horizon(&self, u: usize, v: usize, eye_height_m: f64, guess: &mut usize) -> f64 {
        let ground = &self.levels[0];
        let radius_m = self.radius_m;
        let x_m = ground.x_m[u];
        // An eye at a height e over the ground: Z grows by e cos a, and s = R - R^2 / Z.
        let below_m = radius_m - f64::from(ground.s[v * ground.along + u]);
        let cos = radius_m / x_m.hypot(radius_m);
        let s_m = radius_m - radius_m * radius_m / (radius_m * radius_m / below_m + eye_height_m * cos);
        let mut eye = Eye { s_m, x_m, best: f64::NEG_INFINITY, at: 0 };
        // Where the cell is, in metres from the middle.
        let (along_m, across_m) = (ground.middle(u, ground.along), ground.middle(v, ground.across));
        let mut from = u + 1;
        for (k, level) in self.levels.iter().enumerate() {
            let u0 = along_m / level.cell_m + 0.5 * (level.along as f64 - 1.0);
            let v0 = across_m / level.cell_m + 0.5 * (level.across as f64 - 1.0) - self.turn.slope * u0;
            let to = level.last(v0, self.turn.slope);
            if k == 0 && *guess > u && *guess <= to {
                level.look(v0, self.turn.slope, *guess, &mut eye);
            }
            level.scan(v0, self.turn.slope, from, to, &mut eye);
            if k == 0 {
                *guess = eye.at;
            }
            // The next level goes on where this one ends, if its ground can be high enough there.
            if let Some(next) = self.levels.get(k + 1) {
                if eye.best >= 0.0 && f64::from(next.most) - eye.s_m <= eye.best * (level.x_m[to] - eye.x_m) {
                    break;
                }
                let end_m = level.middle(to, level.along);
                from = ((end_m / next.cell_m + 0.5 * (next.along as f64 - 1.0)).floor() as usize + 1).min(next.along);
            }
        }
        let ahead = radius_m - eye.s_m + eye.best * eye.x_m;
        (eye.best * radius_m).atan2(ahead) + (eye.x_m / radius_m).atan()
    }
}

/// Radius of curvature of the ellipsoid at a place along an azimuth (Euler).
pub(super) fn radius_of_curvature_m(at: Geodetic, azimuth_rad: f64) -> f64 {
    let one = 1.0 - ECCENTRICITY_SQUARED * at.lat_rad.sin().powi(2);
    let prime_vertical_m = SEMI_MAJOR_M / one.sqrt();
    let meridian_m = prime_vertical_m * (1.0 - ECCENTRICITY_SQUARED) / one;
    let (sin, cos) = azimuth_rad.sin_cos();
    1.0 / (cos * cos / meridian_m + sin * sin / prime_vertical_m)
}

impl Turn {
    fn new(azimuth_rad: f64) -> Self {
        // Rows count southwards.
        let (column, row) = (azimuth_rad.sin(), -azimuth_rad.cos());
        let by_rows = row.abs() > column.abs();
        let (main, cross) = if by_rows { (row, column) } else { (column, row) };
        Self { by_rows, backwards: main < 0.0, slope: cross / main.abs(), stretch: 1.0 / main.abs() }
    }

    /// Cells along and across.
    fn size(&self, [columns, rows]: [usize; 2]) -> (usize, usize) {
        if self.by_rows { (rows, columns) } else { (columns, rows) }
    }

    fn turned(&self, column: usize, row: usize, (along, _): (usize, usize)) -> (usize, usize) {
        let (u, v) = if self.by_rows { (row, column) } else { (column, row) };
        (if self.backwards { along - 1 - u } else { u }, v)
    }
}

impl Strip {
    fn new(level: &Level, turn: Turn, radius_m: f64) -> Self {
        let (along, across) = turn.size([level.columns, level.rows]);
        let angle = |u: usize| (u as f64 - 0.5 * (along as f64 - 1.0)) * level.cell_m * turn.stretch / radius_m;
        let x_m: Vec<f64> = (0..along).map(|u| radius_m * angle(u).tan()).collect();
        let by_cos: Vec<f64> = (0..along).map(|u| radius_m * radius_m / angle(u).cos()).collect();
        let mut s = vec![0.0f32; along * across];
        s.par_chunks_mut(along * ROWS).enumerate().for_each(|(chunk, part)| {
            for u in 0..along {
                let main = if turn.backwards { along - 1 - u } else { u };
                for k in 0..part.len() / along {
                    let cross = chunk * ROWS + k;
                    let cell = if turn.by_rows { main * level.columns + cross } else { cross * level.columns + main };
                    part[k * along + u] = (radius_m - by_cos[u] / (radius_m + f64::from(level.heights_m[cell]))) as f32;
                }
            }
        });
        // Lines whose rows are somewhere in the strip: v0 + slope u from 0 to across - 1.
        let reach = turn.slope * (along - 1) as f64;
        let (first, last) = ((-reach.max(0.0)).floor() as isize - 1, across as isize - reach.min(0.0).floor() as isize);
        let (blocks_a_line, wide_a_line) = (along.div_ceil(BLOCK), along.div_ceil(BLOCK * BLOCKS));
        let lines = (last - first + 1) as usize;
        let mut strip = Self {
            cell_m: level.cell_m,
            along,
            across,
            s,
            x_m,
            first,
            blocks: Vec::new(),
            wide: Vec::new(),
            most: f32::NEG_INFINITY,
        };
        let mut blocks = vec![f32::NEG_INFINITY; lines * blocks_a_line];
        let mut wide = vec![f32::NEG_INFINITY; lines * wide_a_line];
        let each = blocks.par_chunks_mut(blocks_a_line).zip(wide.par_chunks_mut(wide_a_line)).enumerate();
        each.for_each(|(k, (blocks, wide))| {
            strip.maxima((first + k as isize) as f64, turn.slope, blocks);
            let highest = |part: &[f32]| part.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            wide.iter_mut().zip(blocks.chunks(BLOCKS)).for_each(|(wide, part)| *wide = highest(part));
        });
        strip.most = wide.par_iter().copied().reduce(|| f32::NEG_INFINITY, f32::max);
        (strip.blocks, strip.wide) = (blocks, wide);
        strip
    }

    /// Greatest s in each block of the rows that lines from a row to the next may meet.
    fn maxima(&self, line: f64, slope: f64, blocks: &mut [f32]) {
        let last = self.across as isize - 1;
        for u in 0..self.along {
            let row = (line + slope * u as f64).floor() as isize;
            let block = &mut blocks[u / BLOCK];
            for row in row.max(0)..=(row + 2).min(last) {
                *block = block.max(self.s[row as usize * self.along + u]);
            }
        }
    }

    /// Metres from the middle of the strip.
    fn middle(&self, k: usize, count: usize) -> f64 {
        (k as f64 - 0.5 * (count as f64 - 1.0)) * self.cell_m
    }

    /// The last u at which the line is in the strip.
    fn last(&self, v0: f64, slope: f64) -> usize {
        let end = (self.along - 1) as f64;
        let leaves = match slope {
            _ if slope > 0.0 => ((self.across - 1) as f64 - v0) / slope,
            _ if slope < 0.0 => -v0 / slope,
            _ => end,
        };
        // A line that ends on the edge does not leave before it by rounding.
        (leaves + 1e-6).clamp(0.0, end).floor() as usize
    }

    /// Looks at the ground of the line at u.
    #[inline]
    fn look(&self, v0: f64, slope: f64, u: usize, eye: &mut Eye) {
        let v = v0 + slope * u as f64;
        // Towards 0, so what rounding put before the first row is in it.
        let row = (v as i64).clamp(0, self.across as i64 - 2);
        let (part, k) = (v - row as f64, row as usize * self.along + u);
        let (a, b) = (f64::from(self.s[k]), f64::from(self.s[k + self.along]));
        let (rise_m, away_m) = (a + (b - a) * part - eye.s_m, self.x_m[u] - eye.x_m);
        if rise_m > eye.best * away_m {
            (eye.best, eye.at) = (rise_m / away_m, u);
        }
    }

    /// The highest slope to the ground of the line between two u.
    fn scan(&self, v0: f64, slope: f64, from: usize, to: usize, eye: &mut Eye) {
        // Not negative, so truncated is rounded down.
        let line = (v0 - self.first as f64) as i64 as usize;
        let blocks = &self.blocks[line * self.along.div_ceil(BLOCK)..];
        let wide = &self.wide[line * self.along.div_ceil(BLOCK * BLOCKS)..];
        let mut u = from;
        while u <= to {
            // Uphill: nothing from here on is high enough.
            if eye.best >= 0.0 && !self.may_rise(self.most, u, u, eye) {
                return;
            }
            let end = ((u / (BLOCK * BLOCKS) + 1) * BLOCK * BLOCKS - 1).min(to);
            if self.may_rise(wide[u / (BLOCK * BLOCKS)], u, end, eye) {
                while u <= end {
                    let last = ((u / BLOCK + 1) * BLOCK - 1).min(end);
                    if self.may_rise(blocks[u / BLOCK], u, last, eye) {
                        (u..=last).for_each(|u| self.look(v0, slope, u, eye));
                    }
                    u = last + 1;
                }
            }
            u = end + 1;
        }
    }

    /// Whether ground of at most so much s between two u may have a greater slope than the best.
    #[inline]
    fn may_rise(&self, most: f32, from: usize, to: usize, eye: &Eye) -> bool {
        let nearest = if eye.best >= 0.0 { from } else { to };
        f64::from(most) - eye.s_m > eye.best * (self.x_m[nearest] - eye.x_m)
    }
}
