//! What is the height at a fractional column and row of one raster, and with what weight does it count?
//!
//! A height that the file has is the answer: at postings and between them the weight is 1. Narrow voids are filled from the
//! heights around them. Into wide voids, and beyond the raster's edges, the heights are continued while their weight falls
//! to nothing over the feather distance, so what lies below takes over outside of the data.
//!
//! Values live in one array with a border: wrapped around 180 degrees, reflected through the poles, and otherwise continued
//! like voids, so the interpolation kernel always finds sixteen numbers.

mod border;
mod bounds;
mod distance;
mod quad;
mod voids;

use std::sync::OnceLock;

use rayon::prelude::*;

use super::{
    kernel::{Interpolation, bilinear, bilinear_between, monotone_bicubic, smoothstep},
    resample::{SamplePositions, TexelWindow, Window},
};
use border::padded;
pub(crate) use border::put_around;
use bounds::Pyramids;
#[cfg(feature = "gdal")]
pub(crate) use bounds::ValidityBounds;
pub(crate) use quad::Quad;
pub use voids::FILL_TEXELS;
#[cfg(feature = "gdal")]
pub(crate) use voids::RIM;
pub(crate) use voids::{LONGEST_FEATHER, margin};
use voids::{Mark, Marked, mark_and_continue};

/// Texels that the kernel looks at beyond a place.
pub(crate) const BORDER: usize = 2;

/// Texels within which a place is as good as at a posting: systems are tabulated to that.
const AS_EXACT: f64 = 1e-3;

/// All heights are believed.
pub(crate) const ANY_HEIGHT: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

/// How the columns and rows of a raster that goes around the Earth continue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wrap {
    /// Columns in 360 degrees, need not be whole.
    pub period: f64,
    /// Row coordinate of the pole just before the first row (0: the first row lies on it), if the raster reaches it.
    pub first_pole: Option<f64>,
    /// Row coordinate of the pole just after the last row, if the raster reaches it.
    pub last_pole: Option<f64>,
}

/// A side of a raster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Before the first row.
    Top,
    /// After the last row.
    Bottom,
    /// Before the first column.
    Left,
    /// After the last column.
    Right,
}

/// A rectangle of texels: the first column and row, and those after the last.
pub(crate) type Rectangle = [[i64; 2]; 2];

/// Texels beyond the sides of a raster that is a part of larger data.
pub(crate) trait BorderSource {
    /// Whether texels of other data go on beyond a side, at a column or row along it.
    fn continues(&self, side: Side, at: usize) -> bool;

    /// Puts texels of other data into an array where it has none, NaN. The array has rows of `stride` texels and begins at the
    /// column and row `first` of the raster. Returns where these data lie in it, outside of the raster.
    fn fill_border(&self, _data: &mut [f32], _stride: usize, _first: [i64; 2]) -> Vec<Rectangle> {
        Vec::new()
    }
}

/// Nothing: the raster ends at its sides.
pub(crate) struct NoBorder;

impl BorderSource for NoBorder {
    fn continues(&self, _: Side, _: usize) -> bool {
        false
    }
}

/// The outermost texels of a raster of so many columns and rows, again and again: for one whose user tells by places where it ends.
#[cfg(feature = "gdal")]
pub(crate) struct RepeatedBorder(pub [usize; 2]);

#[cfg(feature = "gdal")]
impl BorderSource for RepeatedBorder {
    fn continues(&self, _: Side, _: usize) -> bool {
        true
    }

    fn fill_border(&self, data: &mut [f32], stride: usize, first: [i64; 2]) -> Vec<Rectangle> {
        let nearest = |at: usize, axis: usize| {
            let at = at as i64 + first[axis];
            (at.clamp(0, self.0[axis] as i64 - 1) - first[axis]) as usize
        };
        for at in 0..data.len() {
            if data[at].is_nan() {
                data[at] = data[nearest(at / stride, 1) * stride + nearest(at % stride, 0)];
            }
        }
        Vec::new()
    }
}

/// Heights in metres at whole columns and rows; `(0, 0)` is the centre of the first texel.
#[derive(Debug)]
pub(crate) struct Raster {
    width: usize,
    height: usize,
    /// Texels around the raster in the array, at least [`BORDER`].
    border: usize,
    /// `(height + 2 border) * (width + 2 border)` values.
    data: Vec<f32>,
    /// What is known of each texel, same layout; `None`: the file has heights everywhere.
    marks: Option<Vec<Mark>>,
    /// Texels from the last height to where the weight is 0.
    feather: f64,
    /// Row and height of a pole that lies between the border and the first row, and after the last one.
    poles: [Option<(f64, f64)>; 2],
    /// Whether a void was filled.
    has_fills: bool,
    /// Metres that heights beyond the data lie below and above all of these.
    overshoot_m: [f64; 2],
    /// Made when the first ray comes near.
    pyramids: OnceLock<Pyramids>,
}

/// A height of a raster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RasterSample {
    pub height_m: f64,
    /// 0 exclusive to 1: what lies below has the rest. 1 where the file has heights, or they are filled.
    pub weight: f64,
    /// Texels to the nearest void: above 1 inside the data, 1 on their rim, less outside.
    pub depth: f64,
    /// Whether a posting next to the place is not the file's own, but filled or continued from others.
    pub filled: bool,
    /// How much of it is the file's own: 1 at and between valid postings, 0 at filled ones.
    pub valid: f64,
}

impl RasterSample {
    /// A height with weight 1, far from voids.
    pub fn whole(height_m: f64) -> Self {
        Self { height_m, weight: 1.0, depth: f64::INFINITY, filled: false, valid: 1.0 }
    }
}

/// The upper and lower corners of a cell, but those that are on its other side: left or right, top or bottom.
#[inline]
fn counted(corners: [Mark; 4], [left, right]: [bool; 2], [top, bottom]: [bool; 2]) -> impl Iterator<Item = Mark> {
    let counts = [left && top, right && top, left && bottom, right && bottom];
    corners.into_iter().zip(counts).filter_map(|(mark, counts)| counts.then_some(mark))
}

impl Raster {
    /// From `width * height` values, row by row, NaN where void. `feather` is the number of texels, 1 to [`LONGEST_FEATHER`],
    /// over which the weight falls to 0 beyond the data.
    pub fn new(width: usize, height: usize, values: Vec<f32>, wrap: Option<Wrap>, feather: u32) -> Self {
        Self::joined(width, height, values, wrap, (feather, ANY_HEIGHT), &NoBorder)
    }

    /// The same for a raster that is a part of more: it does not end at the sides at which other data go on. Beyond its sides no height is
    /// out of the least and the greatest that are believed.
    pub fn joined(
        width: usize,
        height: usize,
        mut values: Vec<f32>,
        wrap: Option<Wrap>,
        (feather, believed_m): (u32, (f64, f64)),
        around: &dyn BorderSource,
    ) -> Self {
        debug_assert_eq!(values.len(), width * height);
        let poles = wrap.map_or([None; 2], |w| merge_pole_rows(&mut values, width, height, w));
        let seamless = wrap.is_some_and(|w| w.first_pole.is_some() && w.last_pole.is_some());
        let has_voids = values.par_iter().with_min_len(1 << 16).any(|v| v.is_nan());
        let whole = !has_voids && (seamless || wrap.is_none() && all_continue(width, height, around));
        let bordered = |border: usize| {
            let mut data = padded(&values, width, height, wrap, border);
            let first = [-(border as i64); 2];
            let overhang = put_around(&mut data, width + 2 * border, first, [width, height], around);
            (border, data, overhang)
        };
        let mut found = bordered(if whole { BORDER } else { margin(feather) });
        // A void of other data just beyond a side reaches into the raster as one of its own does.
        if whole && found.1.par_iter().with_min_len(1 << 16).any(|v| v.is_nan()) {
            found = bordered(margin(feather));
        }
        drop(values);
        let (border, data, overhang) = found;
        Self { poles, ..Self::part(width, height, border, data, (feather, believed_m)).without(&overhang) }
    }

    /// The same, but nothing at some places of the array: other data answer there, though it is no void.
    pub fn without(mut self, overhang: &[(usize, Mark)]) -> Self {
        // Where the border is as narrow as can be, no place is so far outside.
        if self.border > BORDER && !overhang.is_empty() {
            let all_deep = || vec![Mark::DEEPEST; self.data.len()];
            let marks = self.marks.get_or_insert_with(all_deep);
            overhang.iter().for_each(|(at, mark)| marks[*at] = *mark);
        }
        self
    }

    /// A part of a raster, with `border` texels around it that are the raster's as well, NaN where void.
    pub fn part(
        width: usize,
        height: usize,
        border: usize,
        mut data: Vec<f32>,
        (feather, believed_m): (u32, (f64, f64)),
    ) -> Self {
        let stride = width + 2 * border;
        debug_assert!(border >= BORDER && data.len() == stride * (height + 2 * border));
        let feather = feather.clamp(1, LONGEST_FEATHER);
        let (marks, overshoot_m) = match mark_and_continue(&mut data, stride, feather, believed_m) {
            Some(Marked { marks, overshoot_m }) => (Some(marks), overshoot_m),
            None => (None, [0.0; 2]),
        };
        let has_fills = marks.as_ref().is_some_and(|marks| marks.iter().any(|mark| mark.is_filled()));
        Self {
            width,
            height,
            border,
            data,
            marks,
            feather: feather.into(),
            poles: [None; 2],
            has_fills,
            overshoot_m,
            pyramids: OnceLock::new(),
        }
    }

    /// Height and weight at column `x`, row `y`; `None` where the weight would be 0.
    #[inline]
    pub fn sample(&self, interpolation: Interpolation, x: f64, y: f64) -> Option<RasterSample> {
        // Written so that NaN fails.
        let reach = (self.border - 1) as f64;
        let inside = |x: f64, size: usize| x > -reach && x < size as f64 - 1.0 + reach;
        if !(inside(x, self.width) && inside(y, self.height)) {
            return None;
        }
        let stride = self.width + 2 * self.border;
        // Counted from one before the first texel, as in bulk. Rounding may step over a column by an ulp, hence the clamps.
        let cell = |x: f64, size: usize| {
            let floor = if x >= 0.0 { x as i32 } else { x.floor() as i32 };
            (floor.min((size + self.border) as i32 - 2), self.border as i32 - 2)
        };
        let ((column, before), (row, above)) = (cell(x + 1.0, self.width), cell(y + 1.0, self.height));
        let tx = (x + 1.0 - f64::from(column)).clamp(0.0, 1.0);
        let ty = (y + 1.0 - f64::from(row)).clamp(0.0, 1.0);
        let start = (row + above).max(0) as usize * stride + (column + before).max(0) as usize;
        let mut spot = RasterSample::whole(0.0);
        if let Some(marks) = &self.marks {
            let at = start + stride + 1;
            let corners = [marks[at], marks[at + 1], marks[at + stride], marks[at + stride + 1]];
            spot.depth = bilinear_between(corners.map(Mark::depth), [tx, ty]);
            spot.weight = self.weight(spot.depth);
            if spot.weight <= 0.0 || corners.contains(&Mark::ELSEWHERE) {
                return None;
            }
            let [columns, rows] = [tx, ty].map(|t| [t < 1.0 - AS_EXACT, t > AS_EXACT]);
            spot.filled = counted(corners, columns, rows).any(Mark::is_foreign);
            if self.has_fills {
                spot.valid = bilinear_between(corners.map(|mark| u8::from(!mark.is_filled())), [tx, ty]);
            }
        }
        let kernel = match interpolation {
            Interpolation::Cubic => monotone_bicubic,
            Interpolation::Bilinear => bilinear,
        };
        spot.height_m = self.towards_pole(kernel(&self.data, start, stride, tx, ty), y);
        Some(spot)
    }

    /// Weight at a depth. Level at both ends of the feather, of which neither shows as a crease in the ground.
    #[inline]
    fn weight(&self, depth: f64) -> f64 {
        smoothstep((depth + (self.feather - 1.0) + AS_EXACT) / self.feather)
    }

    /// The file's own heights from a column and row on, so many columns and rows; NaN where it has none.
    #[cfg(feature = "gdal")]
    pub fn own_heights(&self, [column, row]: [usize; 2], [columns, rows]: [usize; 2]) -> Vec<f32> {
        let stride = self.width + 2 * self.border;
        let line = |row: usize| (row + self.border) * stride + column + self.border..;
        let mut heights = Vec::with_capacity(columns * rows);
        for row in row..row + rows {
            let found = &self.data[line(row)][..columns];
            match self.marks.as_ref().map(|marks| &marks[line(row)][..columns]) {
                Some(marks) => heights.extend(
                    found.iter().zip(marks).map(|(height, mark)| if mark.is_foreign() { f32::NAN } else { *height }),
                ),
                None => heights.extend_from_slice(found),
            }
        }
        heights
    }

    /// Columns and rows.
    pub fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// Texels beyond its sides at which it may still have a height.
    pub fn reach(&self) -> f64 {
        if self.border == BORDER { 1.0 } else { self.feather + 1.0 }
    }

    /// Heights around positions, if the raster answers at all of them with weight 1, and far from poles.
    pub fn window(&self, positions: &[SamplePositions<'_>]) -> Option<Window> {
        let extent = SamplePositions::extent(positions, self.width, self.height)?;
        let polar = self.poles[0].is_some() && extent.row < BORDER
            || self.poles[1].is_some() && extent.row + extent.rows > self.height + BORDER;
        let mut window = Window::new(extent);
        (!polar && self.copy_to_window(&mut window, (0, 0), extent)).then_some(window)
    }

    /// Copies the texels of an extent to a column and row of a window; false if one of them has no height.
    pub fn copy_to_window(&self, window: &mut Window, at: (usize, usize), extent: TexelWindow) -> bool {
        let TexelWindow { columns, rows, .. } = extent;
        let outward = self.border - BORDER;
        let (column, row) = (extent.column + outward, extent.row + outward);
        let stride = self.width + 2 * self.border;
        // Weights are told by the texels of the cells, not by those beyond that the kernel looks at.
        let inner = |first: usize, count: usize, all: usize| first.max(1)..(first + count).min(all - 1);
        let solid = self.marks.as_ref().is_none_or(|marks| {
            inner(row, rows, self.height + 2 * self.border).all(|row| {
                let line = &marks[row * stride..(row + 1) * stride];
                // All of them, so that many are compared at a time.
                line[inner(column, columns, stride)].iter().fold(true, |all, mark| all & (*mark >= Mark::HEIGHT))
            })
        });
        if solid {
            window.copy_rows(&self.data[row * stride + column..], stride, at, (columns, rows));
        }
        solid
    }

    /// Metres that heights beyond the data lie below and above all of these.
    pub fn overshoot_m(&self) -> [f64; 2] {
        self.overshoot_m
    }

    /// Bytes of all texels.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.data[..]) + self.marks.as_ref().map_or(0, |marks| size_of_val(&marks[..]))
    }

    /// Texels that are stored.
    #[cfg_attr(not(feature = "gdal"), allow(dead_code))]
    pub fn texels(&self) -> usize {
        self.data.len()
    }

    /// Whether every place between the poles has a height, with weight 1.
    pub fn is_complete(&self) -> bool {
        self.marks.as_ref().is_none_or(|marks| marks.iter().all(|mark| *mark >= Mark::HEIGHT))
    }

    /// All longitudes meet at a pole that lies between rows: over the last sixteenth of a row the height goes to one value.
    ///
    /// The interpolation across the pole is right to second order by itself, so this only takes out what little the
    /// meridians disagree by.
    #[inline]
    fn towards_pole(&self, h: f64, y: f64) -> f64 {
        const REACH: f64 = 1.0 / 16.0;
        let last_row = (self.height - 1) as f64;
        match self.poles {
            [Some((row, pole)), _] if y < 0.0 => pole + (h - pole) * ((y - row) / REACH).clamp(0.0, 1.0),
            [_, Some((row, pole))] if y > last_row => pole + (h - pole) * ((row - y) / REACH).clamp(0.0, 1.0),
            _ => h,
        }
    }

    /// The value stored at a texel, NaN in voids that were not continued.
    #[cfg(test)]
    pub fn texel(&self, column: usize, row: usize) -> f32 {
        self.texel_at(column as isize, row as isize)
    }

    /// The same within the border, too.
    #[cfg(test)]
    fn texel_at(&self, column: isize, row: isize) -> f32 {
        let at = |texel: isize| texel.strict_add_unsigned(self.border) as usize;
        self.data[at(row) * (self.width + 2 * self.border) + at(column)]
    }
}

/// Whether other data go on all around.
fn all_continue(width: usize, height: usize, around: &dyn BorderSource) -> bool {
    (0..width).all(|column| around.continues(Side::Top, column) && around.continues(Side::Bottom, column))
        && (0..height).all(|row| around.continues(Side::Left, row) && around.continues(Side::Right, row))
}

/// Gives a row that lies on a pole one value; for a pole between rows, returns its row and value.
fn merge_pole_rows(values: &mut [f32], width: usize, height: usize, wrap: Wrap) -> [Option<(f64, f64)>; 2] {
    let mut merge = |row: usize, pole: Option<f64>| {
        let pole = pole?;
        let line = &mut values[row * width..(row + 1) * width];
        let (sum, count) =
            line.iter().filter(|v| !v.is_nan()).fold((0.0, 0u32), |(s, n), &v| (s + f64::from(v), n + 1));
        let mean = sum / f64::from(count.max(1));
        if (pole - row as f64).abs() > 1e-6 {
            return (count > 0).then_some((pole, mean));
        }
        if count > 0 {
            line.fill(mean as f32);
        }
        None
    };
    [merge(0, wrap.first_pole), merge(height - 1, wrap.last_pole)]
}

#[cfg(test)]
mod tests;
