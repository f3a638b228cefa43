//! What is the height at a fractional column and row of one raster, and how far may it be trusted?
//!
//! Values live in one array with a border of two: wrapped around 180 degrees, reflected through the poles, or continued
//! from the nearest valid texels. Voids are continued the same way, two texels deep, so the interpolation kernel always
//! finds sixteen numbers and stays continuous; *trust* is separate: a weight that is 0 on voids and outside, and grows to 1
//! over the feather distance. Where the weight is 0 the raster has no height and the layer below answers.

mod border;
mod bounds;
mod voids;

use std::sync::OnceLock;

use rayon::prelude::*;

use super::{
    kernel::monotone_bicubic,
    resample::{Extent, Spots, Window},
};
use border::padded;
use bounds::Pyramids;
use voids::{continue_voids, padded_trust, void_distance};

/// Border texels on each side of the stored array: the kernel reaches two beyond a cell.
pub(crate) const BORDER: usize = 2;

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

impl Side {
    /// Axis along the side: 0 for columns, 1 for rows.
    #[cfg_attr(not(feature = "gdal"), allow(dead_code))]
    pub fn axis(self) -> usize {
        usize::from(matches!(self, Self::Left | Self::Right))
    }
}

/// Whether other data go on beyond a side, at a column or row along it.
pub(crate) type GoesOn<'a> = dyn Fn(Side, usize) -> bool + 'a;

/// Heights in metres at whole columns and rows; `(0, 0)` is the centre of the first texel.
#[derive(Debug)]
pub(crate) struct Raster {
    width: usize,
    height: usize,
    /// `(height + 4) * (width + 4)` values.
    data: Vec<f32>,
    /// Distance to the nearest void in texels up to the feather, same layout; `None`: valid everywhere.
    trust: Option<Vec<u8>>,
    /// Distance at which the weight is 1.
    full_trust: f64,
    /// Row and height of a pole that lies between the border and the first row, and after the last one.
    poles: [Option<(f64, f64)>; 2],
    /// Made when the first ray comes near.
    pyramids: OnceLock<Pyramids>,
}

impl Raster {
    /// From `width * height` values, row by row, NaN where void. `feather` (texels, 1..=255) is the distance to a void at
    /// which the raster is fully trusted; it shrinks to what a small raster has.
    pub fn new(width: usize, height: usize, values: Vec<f32>, wrap: Option<Wrap>, feather: u32) -> Self {
        Self::joined(width, height, values, wrap, feather, &|_, _| false)
    }

    /// The same for a raster that is a part of more: it is trusted up to the sides at which other data go on.
    pub fn joined(
        width: usize,
        height: usize,
        mut values: Vec<f32>,
        wrap: Option<Wrap>,
        feather: u32,
        goes_on: &GoesOn<'_>,
    ) -> Self {
        debug_assert_eq!(values.len(), width * height);
        let poles = wrap.map_or([None; 2], |w| merge_pole_rows(&mut values, width, height, w));
        let seamless = wrap.is_some_and(|w| w.first_pole.is_some() && w.last_pole.is_some());
        let has_voids = values.par_iter().with_min_len(1 << 16).any(|v| v.is_nan());
        let mut data = padded(&values, width, height, wrap);
        let (mut trust, mut full_trust) = (None, 1.0);
        if !has_voids && !seamless && wrap.is_none() && all_go_on(width, height, goes_on) {
            // The middle of something larger: trusted everywhere.
            drop(values);
            extrapolate(&mut data, width, height, goes_on);
            for _ in 0..BORDER {
                continue_voids(&mut data, width + 2 * BORDER, Some(BORDER));
            }
        } else if has_voids || !seamless {
            let distance = void_distance(&values, width, height, wrap, feather.clamp(1, 255) as u8, goes_on);
            full_trust = f64::from(distance.iter().copied().max().unwrap_or(0).max(1));
            trust = Some(padded_trust(&distance, width, height, wrap, goes_on));
            drop(values);
            extrapolate(&mut data, width, height, goes_on);
            for _ in 0..BORDER {
                continue_voids(&mut data, width + 2 * BORDER, None);
            }
        }
        Self { width, height, data, trust, full_trust, poles, pyramids: OnceLock::new() }
    }

    /// Height and weight (0 exclusive to 1) at column `x`, row `y`; `None` outside and in voids.
    #[inline]
    pub fn sample(&self, x: f64, y: f64) -> Option<(f64, f64)> {
        // Written so that NaN fails.
        if !(x > -1.0 && x < self.width as f64 && y > -1.0 && y < self.height as f64) {
            return None;
        }
        let stride = self.width + 2 * BORDER;
        // x + 1 is positive, so the cast is the floor; rounding may step over a column by an ulp, hence the clamps.
        let (column, row) = (((x + 1.0) as i32).min(self.width as i32), ((y + 1.0) as i32).min(self.height as i32));
        let tx = (x + 1.0 - f64::from(column)).clamp(0.0, 1.0);
        let ty = (y + 1.0 - f64::from(row)).clamp(0.0, 1.0);
        let start = row as usize * stride + column as usize;
        let mut weight = 1.0;
        if let Some(trust) = &self.trust {
            let at = start + stride + 1;
            let [a, b, c, d] = [trust[at], trust[at + 1], trust[at + stride], trust[at + stride + 1]].map(f64::from);
            let (top, bottom) = (a + (b - a) * tx, c + (d - c) * tx);
            weight = ((top + (bottom - top) * ty) / self.full_trust).min(1.0);
            if weight <= 0.0 {
                return None;
            }
        }
        let h = monotone_bicubic(&self.data, start, stride, tx, ty);
        Some((self.towards_pole(h, y), weight))
    }

    /// Columns and rows.
    pub fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// Heights around spots, if the raster answers at all of them with weight 1, and far from poles.
    pub fn window(&self, spots: &[Spots<'_>]) -> Option<Window> {
        let extent = Spots::extent(spots, self.width, self.height)?;
        let polar = self.poles[0].is_some() && extent.row < BORDER
            || self.poles[1].is_some() && extent.row + extent.rows > self.height + BORDER;
        let mut window = Window::new(extent);
        (!polar && self.put(&mut window, (0, 0), extent)).then_some(window)
    }

    /// Puts the texels of an extent at a column and row of a window; false if not all of them are fully trusted.
    pub fn put(&self, window: &mut Window, at: (usize, usize), extent: Extent) -> bool {
        let Extent { column, row, columns, rows } = extent;
        let stride = self.width + 2 * BORDER;
        // Weights are told by the texels of the cells, not by those beyond that the kernel looks at.
        let inner = |first: usize, count: usize, all: usize| first.max(1)..(first + count).min(all - 1);
        // A whole number up to 255.
        let full = self.full_trust as u8;
        let solid = self.trust.as_ref().is_none_or(|trust| {
            inner(row, rows, self.height + 2 * BORDER).all(|row| {
                let line = &trust[row * stride..(row + 1) * stride];
                // All of them, so that many are compared at a time.
                line[inner(column, columns, stride)].iter().fold(true, |all, t| all & (*t >= full))
            })
        });
        if solid {
            window.put(&self.data[row * stride + column..], stride, at, (columns, rows));
        }
        solid
    }

    /// Texels that are stored.
    #[cfg_attr(not(feature = "gdal"), allow(dead_code))]
    pub fn texels(&self) -> usize {
        self.data.len()
    }

    /// Whether every place between the poles has a height, with weight 1.
    pub fn is_complete(&self) -> bool {
        self.trust.is_none()
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
        self.data[(row + BORDER) * (self.width + 2 * BORDER) + column + BORDER]
    }
}

/// Whether other data go on all around.
fn all_go_on(width: usize, height: usize, goes_on: &GoesOn<'_>) -> bool {
    (0..width).all(|column| goes_on(Side::Top, column) && goes_on(Side::Bottom, column))
        && (0..height).all(|row| goes_on(Side::Left, row) && goes_on(Side::Right, row))
}

/// Continues the outermost two texels in a straight line over the sides at which other data go on, so that what two
/// rasters have between them agrees to second order.
fn extrapolate(data: &mut [f32], width: usize, height: usize, goes_on: &GoesOn<'_>) {
    let stride = width + 2 * BORDER;
    let at = |column: usize, row: usize| (row + BORDER) * stride + column + BORDER;
    let mut continue_from = |edge: usize, inner: usize| {
        let step = data[edge] - data[inner];
        let outward = edge as isize - inner as isize;
        for k in 1..=BORDER {
            data[(edge as isize + k as isize * outward) as usize] = data[edge] + k as f32 * step;
        }
    };
    if height > 1 {
        for column in 0..width {
            if goes_on(Side::Top, column) {
                continue_from(at(column, 0), at(column, 1));
            }
            if goes_on(Side::Bottom, column) {
                continue_from(at(column, height - 1), at(column, height - 2));
            }
        }
    }
    if width > 1 {
        for row in 0..height {
            if goes_on(Side::Left, row) {
                continue_from(at(0, row), at(1, row));
            }
            if goes_on(Side::Right, row) {
                continue_from(at(width - 1, row), at(width - 2, row));
            }
        }
    }
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
mod tests {
    use super::*;

    #[test]
    fn voids_fade_out_and_do_not_bleed() {
        // 20 x 20 at 100 m with a hole at (10, 10).
        let mut values = vec![100.0; 400];
        values[10 * 20 + 10] = f32::NAN;
        let raster = Raster::new(20, 20, values, None, 4);
        assert_eq!(raster.sample(10.0, 10.0), None);
        assert_eq!(raster.sample(10.5, 10.0), Some((100.0, 0.125)));
        assert_eq!(raster.sample(11.0, 10.0), Some((100.0, 0.25)));
        assert_eq!(raster.sample(14.0, 10.0), Some((100.0, 1.0)));
        assert_eq!(raster.sample(0.0, 10.0), Some((100.0, 0.25)));
        assert!(raster.sample(-0.5, 10.0).is_some_and(|(h, w)| h == 100.0 && w == 0.125));
        for (x, y) in [(-1.0, 3.0), (20.0, 3.0), (3.0, 20.5), (f64::NAN, 1.0), (1.0, f64::INFINITY)] {
            assert_eq!(raster.sample(x, y), None);
        }
    }

    #[test]
    fn weight_is_continuous() {
        let values = (0..400).map(|i| if i % 23 == 7 { f32::NAN } else { i as f32 }).collect();
        let raster = Raster::new(20, 20, values, None, 3);
        let weight = |x: f64, y: f64| raster.sample(x, y).map_or(0.0, |(_, w)| w);
        for i in 0..22_000 {
            let (x, y) = (-1.2 + 0.001 * f64::from(i), 0.31 + 0.0007 * f64::from(i));
            assert!((weight(x, y) - weight(x + 0.001, y + 0.0007)).abs() < 0.003, "{x} {y}");
        }
    }

    #[test]
    fn a_single_texel_is_used() {
        let raster = Raster::new(1, 1, vec![7.0], None, 8);
        assert_eq!(raster.sample(0.0, 0.0), Some((7.0, 1.0)));
        assert_eq!(raster.texel(0, 0), 7.0);
    }

    #[test]
    fn rows_on_a_pole_have_one_value_and_reflection_turns_half_around() {
        // 8 columns, 3 rows, node-registered: rows on both poles.
        let values = (0..24).map(|i| i as f32).collect();
        let wrap = Wrap { period: 8.0, first_pole: Some(0.0), last_pole: Some(2.0) };
        let raster = Raster::new(8, 3, values, Some(wrap), 8);
        for x in 0..8 {
            assert_eq!(raster.sample(f64::from(x), 0.0), Some((3.5, 1.0)));
            assert_eq!(raster.sample(f64::from(x), 2.0), Some((19.5, 1.0)));
        }
        // The row before the pole is the row after it, four columns on.
        assert_eq!(raster.data[12 + BORDER], 12.0);
        assert_eq!(raster.sample(-0.5, 1.0), raster.sample(7.5, 1.0));
    }
}
