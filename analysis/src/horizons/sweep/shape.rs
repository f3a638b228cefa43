//! How does a level lie along a direction?

use super::{Level, SweepAxes};

/// Lines of a group on the CPU.
pub(super) const LANES: usize = 16;
/// Rows of nothing on both sides: a group of lines may be partly beyond the ground.
pub(in super::super) const RIM: usize = LANES + 2;

/// Parts of a row that count as none: lines along an edge do not leave the ground by rounding.
const ON_A_ROW: f64 = 1e-6;

/// A level along a direction: u counts its cells along it, v those across.
pub(in super::super) struct Shape {
    pub cell_m: f64,
    pub along: usize,
    pub across: usize,
    /// Values from one column to the next: those of the rows, with rims.
    pub stride: usize,
    /// Angle from the middle and x' of each u.
    pub angle_rad: Vec<f64>,
    pub x_m: Vec<f64>,
    /// Change of v with u.
    pub slope: f64,
    /// Lines of a group.
    pub lines: usize,
    /// Number of the first group of lines that has maxima, and that after the last.
    pub groups: [isize; 2],
}

/// The row at or before a place between rows, and the part of the way to the next.
#[inline(always)]
pub(in super::super) fn row_and_part(v: f64) -> (isize, f32) {
    let row = (v + ON_A_ROW).floor();
    let part = v - row;
    (row as i32 as isize, if part < 2.0 * ON_A_ROW { 0.0 } else { part as f32 })
}

impl Shape {
    /// With so many lines a group.
    pub fn new(level: &Level, axes: SweepAxes, radius_m: f64, lines: usize) -> Self {
        let (along, across) = axes.size([level.columns, level.rows]);
        let angle = |u: usize| (u as f64 - 0.5 * (along as f64 - 1.0)) * level.cell_m * axes.stretch / radius_m;
        let angle_rad: Vec<f64> = (0..along).map(angle).collect();
        let x_m = angle_rad.iter().map(|angle| radius_m * angle.tan()).collect();
        let mut shape = Self {
            cell_m: level.cell_m,
            along,
            across,
            stride: across + 2 * RIM,
            angle_rad,
            x_m,
            slope: axes.slope,
            lines,
            groups: [0; 2],
        };
        let [a, b] = [shape.shift(0), shape.shift(along - 1)];
        let group = |line: isize| line.div_euclid(lines as isize);
        shape.groups = [group(-(LANES as isize) - a.max(b)), group(across as isize - a.min(b)) + 1];
        shape
    }

    /// The first row that the lines of the group 0 meet at or before their cells at u: its lane 0 has its cell there.
    #[inline(always)]
    pub fn shift(&self, u: usize) -> isize {
        (self.slope * u as f64).ceil() as isize
    }

    /// The group of a line that is given by its row at u = 0.
    #[inline(always)]
    pub fn group(&self, line: f64) -> usize {
        let group = (line / self.lines as f64).floor() as isize;
        (group.clamp(self.groups[0], self.groups[1] - 1) - self.groups[0]) as usize
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
