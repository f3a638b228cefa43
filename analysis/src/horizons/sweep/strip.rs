//! What do lines of one direction look at? A level, turned, with maxima of blocks of it.
//!
//! Columns (u) lie one after the other, each with its rows (v) and a rim of nothing around them. Lines that start within 16 rows meet in
//! each column 18 rows at most. Of these, maxima of s over 8 and 64 columns are kept; farther out, where rows are wider, of fewer.

use rayon::prelude::*;

use super::{Level, ROWS, Turn};

/// Lines of a group.
pub(super) const LANES: usize = 16;
/// Columns of a block, blocks of a block of blocks.
pub(super) const BLOCK: usize = 8;
pub(super) const BLOCKS: usize = 8;
/// Rows of nothing on both sides: a group of lines may be partly beyond the ground.
pub(super) const RIM: usize = LANES + 2;
/// The height of nothing: what is lower than all ground, and still has differences and products in f32.
const NOTHING: f32 = -1e30;
/// Parts of a row that count as none: lines along an edge do not leave the ground by rounding.
const ON_A_ROW: f64 = 1e-6;

/// A level, turned.
pub(super) struct Strip {
    pub cell_m: f64,
    pub along: usize,
    pub across: usize,
    /// Values from one column to the next.
    pub stride: usize,
    /// `along` columns of s with their rims.
    pub s: Vec<f32>,
    /// Angle from the middle and x' of each u.
    pub angle_rad: Vec<f64>,
    pub x_m: Vec<f64>,
    slope: f64,
    /// Lines of a group.
    lines: usize,
    /// Number of the first group of lines that has maxima, and that after the last.
    groups: [isize; 2],
    /// Maxima of s: of each group the blocks.
    blocks: Vec<f32>,
    /// And the blocks of blocks.
    wide: Vec<f32>,
    /// Greatest s here and in all levels farther out.
    pub most: f32,
}

/// Maxima of neighbouring groups of lines.
pub(super) struct Maxima<'a> {
    groups: usize,
    /// Blocks of a group.
    each: usize,
    blocks: &'a [f32],
    wide: &'a [f32],
}

impl Maxima<'_> {
    /// Of a block, by its number.
    #[inline(always)]
    pub fn block(&self, k: usize) -> f32 {
        Self::most(self.blocks, self.groups, k)
    }

    /// Of a block of blocks.
    #[inline(always)]
    pub fn wide(&self, k: usize) -> f32 {
        Self::most(self.wide, self.groups, k)
    }

    /// Of a block of one group, from 0.
    #[inline(always)]
    pub fn block_of(&self, group: usize, k: usize) -> f32 {
        self.blocks[group * self.each + k]
    }

    #[inline(always)]
    fn most(values: &[f32], groups: usize, k: usize) -> f32 {
        let each = values.len() / groups;
        (1..groups).fold(values[k], |most, group| most.max(values[group * each + k]))
    }
}

/// The row at or before a place between rows, and the part of the way to the next.
#[inline(always)]
pub(super) fn row_and_part(v: f64) -> (isize, f32) {
    let row = (v + ON_A_ROW).floor();
    let part = v - row;
    (row as i32 as isize, if part < 2.0 * ON_A_ROW { 0.0 } else { part as f32 })
}

impl Strip {
    /// With maxima of so many lines.
    pub fn new(level: &Level, turn: Turn, radius_m: f64, lines: usize) -> Self {
        let (along, across) = turn.size([level.columns, level.rows]);
        let angle = |u: usize| (u as f64 - 0.5 * (along as f64 - 1.0)) * level.cell_m * turn.stretch / radius_m;
        let angle_rad: Vec<f64> = (0..along).map(angle).collect();
        let x_m = angle_rad.iter().map(|angle| radius_m * angle.tan()).collect();
        let by_cos: Vec<f64> = angle_rad.iter().map(|angle| radius_m * radius_m / angle.cos()).collect();
        let stride = across + 2 * RIM;
        let mut s = vec![NOTHING; along * stride];
        s.par_chunks_mut(stride * ROWS).enumerate().for_each(|(chunk, part)| {
            let first = chunk * ROWS;
            let count = part.len() / stride;
            let main = |u: usize| if turn.backwards { along - 1 - u } else { u };
            let of = |u: usize, height_m: f32| (radius_m - by_cos[u] / (radius_m + f64::from(height_m))) as f32;
            if turn.by_rows {
                for k in 0..count {
                    let row = &level.heights_m[main(first + k) * level.columns..][..across];
                    let to = &mut part[k * stride + RIM..][..across];
                    to.iter_mut().zip(row).for_each(|(to, height_m)| *to = of(first + k, *height_m));
                }
            } else {
                for row in 0..across {
                    for k in 0..count {
                        let height_m = level.heights_m[row * level.columns + main(first + k)];
                        part[k * stride + RIM + row] = of(first + k, height_m);
                    }
                }
            }
        });
        let mut strip = Self {
            cell_m: level.cell_m,
            along,
            across,
            stride,
            s,
            angle_rad,
            x_m,
            slope: turn.slope,
            lines,
            groups: [0; 2],
            blocks: Vec::new(),
            wide: Vec::new(),
            most: f32::NEG_INFINITY,
        };
        let [a, b] = [strip.shift(0), strip.shift(along - 1)];
        let group = |line: isize| line.div_euclid(lines as isize);
        let groups = [group(-(LANES as isize) - a.max(b)), group(across as isize - a.min(b)) + 1];
        let count = (groups[1] - groups[0]) as usize;
        let (blocks_each, wide_each) = (along.div_ceil(BLOCK), along.div_ceil(BLOCK * BLOCKS));
        let mut blocks = vec![NOTHING; count * blocks_each];
        let mut wide = vec![NOTHING; count * wide_each];
        let each = blocks.par_chunks_mut(blocks_each).zip(wide.par_chunks_mut(wide_each)).enumerate();
        each.for_each(|(k, (blocks, wide))| {
            strip.maxima(groups[0] + k as isize, blocks);
            let highest = |part: &[f32]| part.iter().copied().fold(NOTHING, f32::max);
            wide.iter_mut().zip(blocks.chunks(BLOCKS)).for_each(|(wide, part)| *wide = highest(part));
        });
        strip.most = wide.par_iter().copied().reduce(|| NOTHING, f32::max);
        (strip.groups, strip.blocks, strip.wide) = (groups, blocks, wide);
        strip
    }

    /// The first row that the lines of the group 0 meet at or before their cells at u: its lane 0 has its cell there.
    #[inline(always)]
    pub fn shift(&self, u: usize) -> isize {
        (self.slope * u as f64).ceil() as isize
    }

    /// Greatest s in each block of the rows that lines of a group may meet: those that are at row `lines group + slope u` or up to
    /// `lines` after it.
    fn maxima(&self, group: isize, blocks: &mut [f32]) {
        let before = (group * self.lines as isize) as f64;
        for u in 0..self.along {
            let at = before + self.slope * u as f64;
            let (low, high) = ((at - 1e-5).floor() as isize, (at + 1e-5).floor() as isize + self.lines as isize + 1);
            let (low, high) = (low.max(0), high.min(self.across as isize - 1));
            if low > high {
                continue;
            }
            let rows = &self.s[u * self.stride + RIM + low as usize..][..(high - low + 1) as usize];
            let block = &mut blocks[u / BLOCK];
            *block = rows.iter().copied().fold(*block, |most, s| if s > most { s } else { most });
        }
    }

    /// The group of a line that is given by its row at u = 0.
    #[inline(always)]
    pub fn group(&self, line: f64) -> usize {
        let group = (line / self.lines as f64).floor() as isize;
        (group.clamp(self.groups[0], self.groups[1] - 1) - self.groups[0]) as usize
    }

    /// Maxima of groups from the first to the last.
    #[inline(always)]
    pub fn maxima_of(&self, [first, last]: [usize; 2]) -> Maxima<'_> {
        let (blocks, wide) = (self.along.div_ceil(BLOCK), self.along.div_ceil(BLOCK * BLOCKS));
        Maxima {
            groups: last + 1 - first,
            each: blocks,
            blocks: &self.blocks[first * blocks..(last + 1) * blocks],
            wide: &self.wide[first * wide..(last + 1) * wide],
        }
    }

    /// Metres from the middle of the strip.
    #[inline(always)]
    pub fn middle(&self, k: usize, count: usize) -> f64 {
        (k as f64 - 0.5 * (count as f64 - 1.0)) * self.cell_m
    }

    /// The last u at which a line, given by its row at u = 0, is in the strip.
    #[inline(always)]
    pub fn last(&self, line: f64) -> usize {
        let end = (self.along - 1) as f64;
        let leaves = match self.slope {
            slope if slope > 0.0 => ((self.across - 1) as f64 - line) / slope,
            slope if slope < 0.0 => -line / slope,
            _ => end,
        };
        // A line that ends on the edge does not leave before it by rounding.
        (leaves + ON_A_ROW).clamp(0.0, end).floor() as usize
    }
}
