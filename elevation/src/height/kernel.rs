//! How is a height interpolated between postings? By a cubic patch of four by four, monotone along columns and rows; or bilinear.
//!
//! Slopes at the postings are harmonic means of the neighbouring differences (Fritsch & Butland, "A method for
//! constructing local monotone piecewise cubic interpolants", SIAM J. Sci. Stat. Comput. 5, 1984), 0 at extrema. So no
//! value leaves the range of the two postings around it: where Catmull-Rom overshoots by hundreds of metres and floods low
//! coasts, this invents neither peaks nor sea.
//!
//! Inside of a cell slopes across a side go over from that of one posting to that of the other, as heights do. That keeps the surface smooth:
//! slopes from heights that are interpolated have a crease wherever two of these are equal. What leaves the range of the cell's four
//! postings, by centimetres in one place of ten thousand, is cut.

/// What the ground between the postings of a raster is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// A cubic patch, [`monotone_cubic`] along columns and rows: smooth, the ground that is drawn.
    #[default]
    Cubic,
    /// Straight along columns and along rows of each cell, as GDAL and most programs have it.
    Bilinear,
}

/// Monotone cubic between `p[1]` (at `t` = 0) and `p[2]` (at `t` = 1); `p[0]` and `p[3]` are the postings beyond.
///
/// ```
/// use elevation::height::monotone_cubic;
/// assert_eq!(monotone_cubic([0.0, 0.0, 100.0, 100.0], 0.0), 0.0);
/// assert!(monotone_cubic([900.0, 0.0, 1.0, 2000.0], 0.5) <= 1.0);
/// ```
#[inline]
pub fn monotone_cubic(p: [f64; 4], t: f64) -> f64 {
    let (before, here, after) = (p[1] - p[0], p[2] - p[1], p[3] - p[2]);
    hermite(p[1], p[2], slope(before, here), slope(here, after), t)
}

/// Slope at a posting: harmonic mean of the differences on both sides, 0 where they differ in sign.
#[inline]
pub(crate) fn slope(a: f64, b: f64) -> f64 {
    let product = a * b;
    let rising_or_falling = product > 0.0;
    let slope = 2.0 * product / if rising_or_falling { a + b } else { 1.0 };
    if rising_or_falling { slope } else { 0.0 }
}

/// From 0 (at `t` = 0) to 1 (at `t` = 1), level at both ends; at most half again as steep as a straight line.
#[inline]
pub(crate) fn smoothstep(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Where [`smoothstep`] is `height`.
#[inline]
pub(crate) fn inverse_smoothstep(height: f64) -> f64 {
    0.5 - ((1.0 - 2.0 * height.clamp(0.0, 1.0)).asin() / 3.0).sin()
}

/// The cubic from `p1` (at `t` = 0) to `p2` (at `t` = 1) with the slopes `m1` and `m2` there, if those keep it monotone.
#[inline]
pub(crate) fn hermite(p1: f64, p2: f64, m1: f64, m2: f64, t: f64) -> f64 {
    // The cubic is monotone; this only removes its rounding.
    within(cubic([p1, p2], [m1, m2], t), range_of(p1, p2))
}

/// The cubic from `p[0]` to `p[1]` with the slopes `m` there.
#[inline]
fn cubic([p1, p2]: [f64; 2], [m1, m2]: [f64; 2], t: f64) -> f64 {
    let here = p2 - p1;
    let cubic = m1 + m2 - 2.0 * here;
    let square = 3.0 * here - 2.0 * m1 - m2;
    p1 + t * (m1 + t * (square + t * cubic))
}

/// A number cut to a range.
#[inline]
fn within(h: f64, [low, high]: [f64; 2]) -> f64 {
    let h = if h > low { h } else { low };
    if h < high { h } else { high }
}

/// Between sides of a cell: heights and slopes across them at a place of each, and the range of its four postings.
#[inline]
pub(crate) fn between_sides(heights: [f64; 2], slopes: [f64; 2], t: f64, range: [f64; 2]) -> f64 {
    within(cubic(heights, slopes, t), range)
}

/// The slope across a side of a cell, from that at its one end (at `t` = 0) to that at the other.
#[inline]
pub(crate) fn slope_across(m: [f64; 2], t: f64) -> f64 {
    m[0] + (m[1] - m[0]) * (t * t * (3.0 - 2.0 * t))
}

/// The range of two numbers.
#[inline]
pub(crate) fn range_of(a: f64, b: f64) -> [f64; 2] {
    if a < b { [a, b] } else { [b, a] }
}

/// The range of two ranges.
#[inline]
pub(crate) fn range_of_both(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [if a[0] < b[0] { a[0] } else { b[0] }, if a[1] > b[1] { a[1] } else { b[1] }]
}

/// The cubic patch of a 4 x 4 block, rows first: `data[start + row * stride + column]`, at `(tx, ty)` in [0, 1]^2 of the
/// middle cell.
#[inline]
pub(crate) fn monotone_bicubic(data: &[f32], start: usize, stride: usize, tx: f64, ty: f64) -> f64 {
    let posting = |row: usize, column: usize| f64::from(data[start + row * stride + column]);
    let side = |row: usize| {
        let p: [f64; 4] = std::array::from_fn(|column| posting(row, column));
        let along = |column: usize| slope(p[column] - posting(row - 1, column), posting(row + 1, column) - p[column]);
        (monotone_cubic(p, tx), slope_across([along(1), along(2)], tx), range_of(p[1], p[2]))
    };
    let ((h1, m1, range1), (h2, m2, range2)) = (side(1), side(2));
    between_sides([h1, h2], [m1, m2], ty, range_of_both(range1, range2))
}

/// Bilinear between the middle four of such a block.
#[inline]
pub(crate) fn bilinear(data: &[f32], start: usize, stride: usize, tx: f64, ty: f64) -> f64 {
    let (top, bottom) = (start + stride + 1, start + 2 * stride + 1);
    bilinear_between([data[top], data[top + 1], data[bottom], data[bottom + 1]], [tx, ty])
}

/// Bilinear between the corners of a cell: the left and right one of its first row, then of its second.
#[inline]
pub(crate) fn bilinear_between(corners: [impl Into<f64>; 4], [tx, ty]: [f64; 2]) -> f64 {
    let [a, b, c, d] = corners.map(Into::into);
    let (first, second) = (a + (b - a) * tx, c + (d - c) * tx);
    first + (second - first) * ty
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The law: between two postings the interpolant stays between them, and is monotone.
        #[test]
        fn no_overshoot_and_monotone(p in prop::array::uniform4(-11_000.0..9_000.0f64), t in 0.0..1.0f64, u in 0.0..1.0f64) {
            let (low, high) = (p[1].min(p[2]), p[1].max(p[2]));
            let at = |t| monotone_cubic(p, t);
            prop_assert!(at(t) >= low && at(t) <= high);
            let (a, b) = (at(t.min(u)), at(t.max(u)));
            let rising = if p[2] >= p[1] { b - a } else { a - b };
            prop_assert!(rising >= -1e-9);
        }

        /// Postings are reproduced exactly, and a plane stays a plane.
        #[test]
        fn interpolates(p in prop::array::uniform4(-11_000.0..9_000.0f64), slope in -500.0..500.0f64, t in 0.0..1.0f64) {
            prop_assert_eq!(monotone_cubic(p, 0.0), p[1]);
            prop_assert!((monotone_cubic(p, 1.0) - p[2]).abs() < 1e-9);
            let line = [-slope, 0.0, slope, 2.0 * slope];
            prop_assert!((monotone_cubic(line, t) - slope * t).abs() < 1e-9);
        }

        /// In two dimensions the value stays within the four postings of its cell.
        #[test]
        fn bicubic_stays_in_its_cell(data in prop::collection::vec(-11_000.0..9_000.0f32, 16), tx in 0.0..1.0f64, ty in 0.0..1.0f64) {
            let corners = [5, 6, 9, 10].map(|i| f64::from(data[i]));
            let h = monotone_bicubic(&data, 0, 4, tx, ty);
            prop_assert!(h >= corners.iter().copied().fold(f64::INFINITY, f64::min));
            prop_assert!(h <= corners.iter().copied().fold(f64::NEG_INFINITY, f64::max));
        }

        /// What is along columns is along rows: the transposed block has the transposed surface.
        #[test]
        fn columns_and_rows_are_alike(data in prop::collection::vec(-1_000.0..1_000.0f32, 16), tx in 0.0..1.0f64, ty in 0.0..1.0f64) {
            let transposed: Vec<f32> = (0..16).map(|i| data[i % 4 * 4 + i / 4]).collect();
            let (a, b) = (monotone_bicubic(&data, 0, 4, tx, ty), monotone_bicubic(&transposed, 0, 4, ty, tx));
            prop_assert!((a - b).abs() < 1e-9, "{} {}", a, b);
        }

        /// No crease inside of a cell, but where its range is cut: slopes change from place to place by no more than a cubic patch's can.
        #[test]
        fn slopes_are_continuous_inside_cells(data in prop::collection::vec(-1_000.0..1_000.0f32, 16), y in 0.0..1.0f64) {
            const STEP: f64 = 1e-3;
            let corners = [5, 6, 9, 10].map(|i| f64::from(data[i]));
            let height = |x: f64| monotone_bicubic(&data, 0, 4, x, y);
            for k in 1..999 {
                let x = STEP * f64::from(k);
                let three = [x - STEP, x, x + STEP].map(height);
                if three.iter().any(|h| corners.contains(h)) {
                    continue;
                }
                // Second differences of hermite cubics whose slopes are at most twice their differences, of at most 2 000 m, across and along.
                let bend = (three[0] - 2.0 * three[1] + three[2]) / (STEP * STEP);
                prop_assert!(bend.abs() < 60_000.0, "{} at {}", bend, x);
            }
        }
    }
}
