//! Between which heights is a raster in a rectangle of it, and how far may it be trusted there?

use super::{BORDER, Raster, voids::Mark};
use crate::height::{
    cells::{self, Grid, Pyramid, Value},
    kernel::Interpolation,
    region::{HeightBounds, Rect},
};

/// What is known of the places of a rectangle, least and greatest.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "gdal"), allow(dead_code))]
pub(crate) struct ValidityBounds {
    /// Texels to the nearest void.
    pub depth: [f64; 2],
    /// The part that is the file's own, and no fill.
    pub valid: [f64; 2],
}

/// Least and greatest heights and marks.
#[derive(Debug)]
pub(crate) struct Pyramids {
    heights: Pyramid<f32>,
    marks: Option<Pyramid<Mark>>,
}

impl Value for Mark {
    const NOTHING: [Self; 2] = [Self(u8::MAX), Self(0)];
    #[inline]
    fn join(a: [Self; 2], b: [Self; 2]) -> [Self; 2] {
        [a[0].min(b[0]), a[1].max(b[1])]
    }
}

impl Raster {
    /// Bounds in a rectangle of columns and rows; `None` if there is nothing.
    pub fn bounds(&self, interpolation: Interpolation, rect: Rect) -> Option<HeightBounds> {
        // Where a place has a height at all; cells begin one texel after the first of the array.
        let reach = (self.border - 1) as f64;
        let along = |size: usize| [-reach, size as f64 - 1.0 + reach];
        let inside = rect.clip(Rect { x: along(self.width), y: along(self.height) })?;
        let in_cells = inside.moved(reach, reach);
        let (least, most) = self.weights(in_cells);
        if most <= 0.0 {
            return None;
        }
        let (low_m, high_m) = cells::bounds(interpolation, self.grid(&self.data), &self.pyramids().heights, in_cells);
        let (low_m, high_m) = self.towards_poles((low_m, high_m), inside.y);
        let least = if inside == rect { least } else { 0.0 };
        Some(HeightBounds { low_m, high_m, least, most })
    }

    fn grid<'a, T>(&self, data: &'a [T]) -> Grid<'a, T> {
        let cells = |size: usize| size + 2 * (self.border - BORDER) + 1;
        Grid { data, stride: self.width + 2 * self.border, cells: [cells(self.width), cells(self.height)] }
    }

    /// How far places in a rectangle of columns and rows are from voids, and how much of them is the file's own.
    #[cfg_attr(not(feature = "gdal"), allow(dead_code))]
    pub fn validity(&self, rect: Rect) -> ValidityBounds {
        let reach = (self.border - 1) as f64;
        let rect = rect.moved(reach, reach);
        let (least, most) = self.depths_in_cells(rect);
        ValidityBounds { depth: [least, most], valid: self.valid_in_cells(rect) }
    }

    /// Least and greatest part of a place that is no fill, in a rectangle of columns and rows of cells.
    #[cfg_attr(not(feature = "gdal"), allow(dead_code))]
    fn valid_in_cells(&self, rect: Rect) -> [f64; 2] {
        let Some(marks) = self.marks.as_ref().filter(|_| self.has_fills) else { return [1.0; 2] };
        let grid = self.grid(marks);
        let [columns, rows] = grid.span(rect);
        if columns[1] - columns[0] > 1 || rows[1] - rows[0] > 1 {
            return [0.0, 1.0];
        }
        let (least, most) = over_corners(marks, &grid, rect, |mark| f64::from(u8::from(!mark.is_filled())));
        [(least - 1e-12).clamp(0.0, 1.0), (most + 1e-12).clamp(0.0, 1.0)]
    }

    /// Least and greatest weight in a rectangle of columns and rows of cells.
    fn weights(&self, rect: Rect) -> (f64, f64) {
        let (least, most) = self.depths_in_cells(rect);
        let (least, most) = (self.weight(least), self.weight(most));
        // Rounding may make a little more or less of it, but not something of nothing, nor less of all.
        (if least < 1.0 { least - 1e-12 } else { 1.0 }, most * (1.0 + 1e-12))
    }

    /// Least and greatest depth in a rectangle of columns and rows of cells.
    fn depths_in_cells(&self, rect: Rect) -> (f64, f64) {
        let (Some(marks), Some(pyramid)) = (&self.marks, &self.pyramids().marks) else {
            return (f64::INFINITY, f64::INFINITY);
        };
        let grid = self.grid(marks);
        let span = grid.span(rect);
        let [columns, rows] = span;
        if columns[1] - columns[0] > 1 || rows[1] - rows[0] > 1 {
            let [least, most] = pyramid.range(grid, span).map(Mark::depth);
            return (least, most);
        }
        let (least, most) = over_corners(marks, &grid, rect, Mark::depth);
        let has_none = corners_of_cells(&grid, rect).any(|(_, corners)| is_elsewhere(marks, corners));
        (if has_none { Mark::ELSEWHERE.depth() } else { least - 1e-12 }, most + 1e-12)
    }

    fn pyramids(&self) -> &Pyramids {
        self.pyramids.get_or_init(|| Pyramids {
            heights: Pyramid::build(self.grid(&self.data)),
            marks: self.marks.as_ref().map(|marks| Pyramid::build(self.grid(marks))),
        })
    }

    /// Heights that go over to those of the poles between rows, see [`Raster::towards_pole`].
    fn towards_poles(&self, (low_m, high_m): (f64, f64), [first, last]: [f64; 2]) -> (f64, f64) {
        let last_row = (self.height - 1) as f64;
        let beyond =
            [(first < 0.0).then(|| [first, last.min(0.0)]), (last > last_row).then(|| [first.max(last_row), last])];
        let mut all = None;
        for (rows, pole) in beyond.into_iter().zip(self.poles) {
            let (Some(rows), Some((_, pole_m))) = (rows, pole) else { continue };
            // The share of the height falls towards the pole; on the outermost row it is whole.
            let shares = rows.map(|row| self.towards_pole(pole_m + 1.0, row) - pole_m);
            let (least, most) = (shares[0].min(shares[1]), shares[0].max(shares[1]));
            let (low, high) = HeightBounds { low_m, high_m, least, most }.over((pole_m, pole_m));
            all = Some(all.map_or((low, high), |(a, b): (f64, f64)| (a.min(low), b.max(high))));
        }
        all.unwrap_or((low_m, high_m))
    }
}

/// Column and row of each cell of a rectangle, and where its corners are in the array: upper, then lower ones.
fn corners_of_cells(grid: &Grid<'_, Mark>, rect: Rect) -> impl Iterator<Item = ([usize; 2], [usize; 4])> {
    let ([columns, rows], stride) = (grid.span(rect), grid.stride);
    let cells = (rows[0]..=rows[1]).flat_map(move |row| (columns[0]..=columns[1]).map(move |column| [column, row]));
    cells.map(move |[column, row]| {
        let at = (row + 1) * stride + column + 1;
        ([column, row], [at, at + 1, at + stride, at + stride + 1])
    })
}

/// Whether other data answer in a cell, and these not at all.
fn is_elsewhere(marks: &[Mark], corners: [usize; 4]) -> bool {
    corners.iter().any(|at| marks[*at] == Mark::ELSEWHERE)
}

/// Least and greatest of a number of marks that is linear along both axes of each cell, in a rectangle: they are at corners of the cells'
/// parts of it. Cells in which other data answer do not count.
fn over_corners(marks: &[Mark], grid: &Grid<'_, Mark>, rect: Rect, number: impl Fn(Mark) -> f64) -> (f64, f64) {
    let mut range = (f64::INFINITY, f64::NEG_INFINITY);
    for ([column, row], corners) in corners_of_cells(grid, rect).filter(|(_, corners)| !is_elsewhere(marks, *corners)) {
        let [a, b, c, d] = corners.map(|at| number(marks[at]));
        let part = |x: f64, cell: usize| (x - cell as f64).clamp(0.0, 1.0);
        for x in rect.x.map(|x| part(x, column)) {
            let (top, bottom) = (a + (b - a) * x, c + (d - c) * x);
            for y in rect.y.map(|y| part(y, row)) {
                let value = top + (bottom - top) * y;
                range = (range.0.min(value), range.1.max(value));
            }
        }
    }
    range
}
