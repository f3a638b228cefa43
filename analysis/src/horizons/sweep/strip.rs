//! What do lines of one direction look at? A level, turned, with maxima of blocks of it.
//!
//! Columns (u) lie one after the other, each with its rows (v) and a rim of nothing around them. Lines that start within 16 rows meet in
//! each column 18 rows at most. Of these, maxima of s over 8 and 64 columns are kept; farther out, where rows are wider, of fewer.

use rayon::prelude::*;

use super::shape::{RIM, Shape};
use super::{Level, ROWS, SweepAxes};

/// Columns of a block, blocks of a block of blocks.
pub(super) const BLOCK: usize = 8;
pub(super) const BLOCKS: usize = 8;
/// The height of nothing: what is lower than all ground, and still has differences and products in f32.
const NO_GROUND: f32 = -1e30;

/// A level, turned.
pub(super) struct Strip {
    pub shape: Shape,
    /// `along` columns of s with their rims.
    pub s: Vec<f32>,
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

impl Strip {
    /// With maxima of so many lines.
    pub fn new(level: &Level, axes: SweepAxes, radius_m: f64, lines: usize) -> Self {
        let shape = Shape::new(level, axes, radius_m, lines);
        let Shape { along, across, stride, groups, .. } = shape;
        let by_cos: Vec<f64> = shape.angle_rad.iter().map(|angle| radius_m * radius_m / angle.cos()).collect();
        let mut s = vec![NO_GROUND; along * stride];
        s.par_chunks_mut(stride * ROWS).enumerate().for_each(|(chunk, part)| {
            let first = chunk * ROWS;
            let count = part.len() / stride;
            let main = |u: usize| if axes.backwards { along - 1 - u } else { u };
            let of = |u: usize, height_m: f32| (radius_m - by_cos[u] / (radius_m + f64::from(height_m))) as f32;
            if axes.by_rows {
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
        let mut strip = Self { shape, s, blocks: Vec::new(), wide: Vec::new(), most: f32::NEG_INFINITY };
        let count = (groups[1] - groups[0]) as usize;
        let (blocks_each, wide_each) = (along.div_ceil(BLOCK), along.div_ceil(BLOCK * BLOCKS));
        let mut blocks = vec![NO_GROUND; count * blocks_each];
        let mut wide = vec![NO_GROUND; count * wide_each];
        let each = blocks.par_chunks_mut(blocks_each).zip(wide.par_chunks_mut(wide_each)).enumerate();
        each.for_each(|(k, (blocks, wide))| {
            strip.maxima(groups[0] + k as isize, blocks);
            let highest = |part: &[f32]| part.iter().copied().fold(NO_GROUND, f32::max);
            wide.iter_mut().zip(blocks.chunks(BLOCKS)).for_each(|(wide, part)| *wide = highest(part));
        });
        strip.most = wide.par_iter().copied().reduce(|| NO_GROUND, f32::max);
        (strip.blocks, strip.wide) = (blocks, wide);
        strip
    }

    /// Greatest s in each block of the rows that lines of a group may meet: those that are at row `lines group + slope u` or up to
    /// `lines` after it.
    fn maxima(&self, group: isize, blocks: &mut [f32]) {
        let Shape { along, across, stride, lines, slope, .. } = self.shape;
        let before = (group * lines as isize) as f64;
        for u in 0..along {
            let at = before + slope * u as f64;
            let (low, high) = ((at - 1e-5).floor() as isize, (at + 1e-5).floor() as isize + lines as isize + 1);
            let (low, high) = (low.max(0), high.min(across as isize - 1));
            if low > high {
                continue;
            }
            let rows = &self.s[u * stride + RIM + low as usize..][..(high - low + 1) as usize];
            let block = &mut blocks[u / BLOCK];
            *block = rows.iter().copied().fold(*block, |most, s| if s > most { s } else { most });
        }
    }

    /// Maxima of groups from the first to the last.
    #[inline(always)]
    pub fn maxima_of(&self, [first, last]: [usize; 2]) -> Maxima<'_> {
        let along = self.shape.along;
        let (blocks, wide) = (along.div_ceil(BLOCK), along.div_ceil(BLOCK * BLOCKS));
        Maxima {
            groups: last + 1 - first,
            each: blocks,
            blocks: &self.blocks[first * blocks..(last + 1) * blocks],
            wide: &self.wide[first * wide..(last + 1) * wide],
        }
    }
}
