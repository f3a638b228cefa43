//! What does the host tell a device of a direction? Where levels lie, and numbers that need f64.

use std::ops::Range;

use bytemuck::Zeroable as _;
use glam::{Vec2, Vec4};
use rayon::prelude::*;

use super::kernels::{
    BLOCK, COLUMNS, LevelLayout, MOST_LEVELS, NO_GROUND, RotateBackParams, RotatedLevel, SUPERBLOCK, SweepParams,
};
use crate::horizons::{
    Grid, HorizonGround,
    grid::Level,
    sweep::{
        FarthestTarget, SweepAxes, radius_of_curvature_m, rounding,
        shape::{RIM, Shape, row_and_part},
    },
};

/// Values that a slice begins at a multiple of: no device asks for more.
pub const SLICE_ALIGNMENT: u64 = 64;
/// Farther than any ground.
const UNLIMITED_M: f32 = 1e30;
/// What f32 may round distances by.
const ROUNDING: f64 = 1e-6;

/// Offsets of the values of a level in the buffers, in elements.
#[derive(Debug)]
pub struct LevelOffsets {
    pub heights: u64,
    pub s: u64,
    pub blocks: u64,
    pub wide: u64,
}

/// Offsets of all levels, and the sizes of the buffers: enough for every direction.
#[derive(Debug)]
pub struct BufferOffsets {
    pub levels: Vec<LevelOffsets>,
    /// Values of all heights, of all turned ground, of maxima of blocks and of blocks of blocks.
    pub heights: u64,
    pub s: u64,
    pub blocks: u64,
    pub wide: u64,
}

impl BufferOffsets {
    pub fn of(levels: &[Level]) -> Self {
        let mut offsets = Self { levels: Vec::new(), heights: 0, s: 0, blocks: 0, wide: 0 };
        for level in levels {
            let sides = [level.columns as u64, level.rows as u64];
            let values = |sides: [u64; 2]| sides[0] * (sides[1] + 2 * RIM as u64);
            // A line crosses as many rows as columns at most.
            let tracks = sides[0] + sides[1] + 4 * RIM as u64;
            let most = sides[0].max(sides[1]);
            let mut take = |of: fn(&mut Self) -> &mut u64, count: u64| {
                let place = *of(&mut offsets);
                *of(&mut offsets) = (place + count).next_multiple_of(SLICE_ALIGNMENT);
                place
            };
            let heights = take(|offsets| &mut offsets.heights, sides[0] * sides[1]);
            let s = take(|offsets| &mut offsets.s, values(sides).max(values([sides[1], sides[0]])));
            let blocks = take(|offsets| &mut offsets.blocks, tracks * most.div_ceil(BLOCK.into()));
            let wide = take(|offsets| &mut offsets.wide, tracks * most.div_ceil(SUPERBLOCK.into()));
            offsets.levels.push(LevelOffsets { heights, s, blocks, wide });
        }
        offsets
    }
}

/// The greatest heights of the columns and of the rows of a level.
#[derive(Debug)]
pub struct AxisMaxima([Vec<f32>; 2]);

impl AxisMaxima {
    pub fn of(level: &Level) -> Self {
        let highest = |values: &mut dyn Iterator<Item = f32>| values.fold(NO_GROUND, f32::max);
        let rows = level.heights_m.par_chunks(level.columns).map(|row| highest(&mut row.iter().copied())).collect();
        let mut columns = vec![NO_GROUND; level.columns];
        for row in level.heights_m.chunks(level.columns) {
            columns.iter_mut().zip(row).for_each(|(most, height_m)| *most = most.max(*height_m));
        }
        Self([columns, rows])
    }
}

/// Tables in f64 precision that the kernels of one direction read.
pub struct DirectionTables {
    axes: SweepAxes,
    pub levels: Vec<LevelLayout>,
    /// Of each column of each level: x' and what it lacks in f32, v of the line through the first cell in whole rows and a part.
    pub columns: Vec<Vec4>,
    /// How far it has dropped below the sphere's tangent.
    pub drops_m: Vec<f32>,
    /// Of each level and each column of the first: v of that line at the eye, in whole rows and a part.
    pub eyes: Vec<Vec2>,
    radius_m: f64,
    eye_height_m: f64,
    /// By how much metres between columns differ at most, and the distance of the farthest ground.
    stretch: f64,
    farthest_m: f64,
    /// Of each level.
    shapes: Vec<Shape>,
}

/// What a sweep writes for each cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SweepOutput {
    /// Elevations of horizons.
    Elevations,
    /// Places of horizons that are at least so far away; ground beyond the second does not count.
    Places { least_m: f64, most_m: f64 },
}

impl DirectionTables {
    pub fn new(ground: &HorizonGround, offsets: &BufferOffsets, highest: &[AxisMaxima], azimuth_rad: f64) -> Self {
        let axes = SweepAxes::new(azimuth_rad);
        let radius_m = radius_of_curvature_m(ground.grid.ellipsoid, ground.grid.middle, azimuth_rad)
            / (1.0 - ground.options.refraction);
        let shapes: Vec<Shape> = ground.levels.par_iter().map(|level| Shape::new(level, axes, radius_m, 1)).collect();
        let own = &shapes[0];
        let (mut columns, mut drops_m, mut eyes) = (Vec::<Vec4>::new(), Vec::<f32>::new(), Vec::<Vec2>::new());
        let mut levels: Vec<LevelLayout> = Vec::new();
        let middle = |count: usize| 0.5 * (count as f64 - 1.0);
        for (number, (shape, level_offsets)) in shapes.iter().zip(&offsets.levels).enumerate() {
            let scale = own.cell_m / shape.cell_m;
            let next_offset = |next: &Shape| middle(next.along) - 0.5 * middle(shape.along);
            levels.push(LevelLayout {
                along: shape.along as u32,
                across: shape.across as u32,
                stride: shape.stride as u32,
                s: level_offsets.s as u32 + RIM as u32,
                columns: columns.len() as u32,
                eyes: eyes.len() as u32,
                blocks: level_offsets.blocks as u32,
                wide: level_offsets.wide as u32,
                tracks: (shape.groups[1] - shape.groups[0]) as u32,
                first_track: shape.groups[0] as i32,
                scale: scale as f32,
                row_offset: (middle(shape.across) - middle(own.across) * scale) as f32,
                column_offset: (middle(shape.along) - middle(own.along) * scale) as f32,
                next_offset: shapes.get(number + 1).map_or(0.0, next_offset) as f32,
                step_m: (shape.cell_m * axes.stretch * (1.0 - ROUNDING)) as f32,
                beyond_m: NO_GROUND,
            });
            columns.par_extend(shape.x_m.par_iter().enumerate().map(|(u, x_m)| {
                let (rows, part) = row_and_part(axes.slope * u as f64);
                Vec4::new(*x_m as f32, (x_m - f64::from(*x_m as f32)) as f32, rows as f32, part)
            }));
            drops_m.par_extend(shape.angle_rad.par_iter().map(|angle_rad| {
                let half = (0.5 * angle_rad).sin();
                (2.0 * radius_m * half * half / angle_rad.cos()) as f32
            }));
            eyes.par_extend((0..own.along).into_par_iter().map(|u| {
                let at = (u as f64 - middle(own.along)) * scale + middle(shape.along);
                let (rows, part) = row_and_part(axes.slope * at);
                Vec2::new(rows as f32, part)
            }));
        }
        let mut most = NO_GROUND;
        for (level, highest) in levels.iter_mut().zip(highest).rev() {
            level.beyond_m = most;
            for u in 0..level.along as usize {
                let main = if axes.backwards { level.along as usize - 1 - u } else { u };
                let height_m = f64::from(highest.0[usize::from(axes.by_rows)][main]);
                let above_m = height_m - f64::from(drops_m[level.columns as usize + u]);
                most = most.max((above_m / (1.0 + height_m / radius_m)) as f32);
            }
        }
        let angles = shapes.iter().flat_map(|shape| [shape.angle_rad.first(), shape.angle_rad.last()]).flatten();
        let widest_rad = angles.fold(0.0f64, |widest, angle| widest.max(angle.abs()));
        let stretch = (1.0 + 3.0 * ROUNDING) / widest_rad.cos().powi(2);
        let farthest_m = 2.0 * radius_m * widest_rad.tan();
        let eye_height_m = ground.options.eye_height_m;
        Self { axes, levels, columns, drops_m, eyes, radius_m, eye_height_m, stretch, farthest_m, shapes }
    }

    /// How a level is turned.
    pub fn rotated_level(&self, number: usize, level: &Level) -> RotatedLevel {
        let LevelLayout { along, across, stride, columns: first, .. } = self.levels[number];
        let (by_rows, backwards) = (self.axes.by_rows.into(), self.axes.backwards.into());
        let (columns, rim, radius_m) = (level.columns as u32, RIM as u32, self.radius_m as f32);
        RotatedLevel { along, across, stride, rim, columns, by_rows, backwards, radius_m, first }
    }

    /// Where the cells of a part are in the first level.
    pub fn cells(&self, part: &Grid) -> [Range<usize>; 2] {
        self.axes.cells(part, &self.shapes[0])
    }

    /// The line from a cell of a part, counted along and across, to a place that it has found.
    pub fn line(&self, [along, across]: &[Range<usize>; 2], [cell, place]: [u32; 2]) -> FarthestTarget {
        let (cell, there) = (cell as usize, &self.shapes[(place / COLUMNS) as usize]);
        let eye = [along.start + cell / across.len(), across.start + cell % across.len()];
        let to = (place % COLUMNS) as usize;
        FarthestTarget::of(self.axes, [&self.shapes[0], there], (eye, to), [along, across])
    }

    /// How what was found for a part is turned back.
    pub fn rotate_back_params(&self, part: &Grid) -> RotateBackParams {
        let (by_rows, backwards) = (self.axes.by_rows.into(), self.axes.backwards.into());
        RotateBackParams { columns: part.columns as u32, rows: part.rows as u32, by_rows, backwards }
    }

    /// What cells of a part ask: of every so many columns some from a number on, after others of every `before` columns.
    pub fn sweep_params(
        &self,
        part: &Grid,
        output: SweepOutput,
        step: usize,
        columns: Range<usize>,
        before: usize,
    ) -> SweepParams {
        let [along, across] = self.cells(part);
        let (is_last, least_m, most_m) = match output {
            SweepOutput::Elevations => (step == 1, 0.0, UNLIMITED_M),
            SweepOutput::Places { least_m, most_m } => (false, (least_m * (1.0 - ROUNDING)) as f32, most_m as f32),
        };
        let [near_m, per_square] = rounding(self.eye_height_m, self.radius_m);
        let mut of = [LevelLayout::zeroed(); MOST_LEVELS];
        of.iter_mut().zip(&self.levels).for_each(|(to, level)| *to = *level);
        SweepParams {
            of,
            first_along: along.start as u32,
            first_across: across.start as u32,
            whole_along: along.len() as u32,
            across: across.len() as u32,
            step: step as u32,
            first: columns.start as u32,
            along: columns.len() as u32,
            before: before as u32,
            is_last: u32::from(is_last),
            levels: self.levels.len() as u32,
            slope: self.axes.slope as f32,
            radius_m: self.radius_m as f32,
            eye_height_m: self.eye_height_m as f32,
            rounding_m: (near_m + per_square * self.farthest_m * self.farthest_m) as f32,
            stretch: self.stretch as f32,
            farthest_m: self.farthest_m as f32,
            least_m,
            most_m,
        }
    }
}
