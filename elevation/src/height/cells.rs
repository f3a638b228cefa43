//! Between which heights does the interpolant of a grid stay, in a rectangle of it? Lowest and highest postings of ever larger
//! blocks; inside a cell, control points of its patch.
//!
//! [`monotone_bicubic`](super::monotone_bicubic) never leaves the range of the four postings round a place, so the least and
//! the greatest posting of all cells that a rectangle touches bound it. A rectangle within few cells is bounded by the
//! control points of its parts: see [`cell`].

use super::{
    kernel::{Interpolation, bilinear, slope},
    region::Rect,
};

/// Cells on a side of the smallest blocks.
const BLOCK: usize = 1 << BLOCK_BITS;
const BLOCK_BITS: usize = 3;
/// Blocks on a side that a question looks at, at most; fewer cells than this are looked at one by one.
const LOOK: usize = 4;

/// What has a least and a greatest.
pub(crate) trait Value: Copy + Send + Sync {
    /// The range of nothing.
    const NOTHING: [Self; 2];
    /// The range of both; what is not a number does not count.
    fn join(a: [Self; 2], b: [Self; 2]) -> [Self; 2];
}

impl Value for f32 {
    const NOTHING: [f32; 2] = [f32::INFINITY, f32::NEG_INFINITY];
    #[inline]
    fn join(a: [f32; 2], b: [f32; 2]) -> [f32; 2] {
        [a[0].min(b[0]), a[1].max(b[1])]
    }
}

/// A grid of values as an interpolant over 4 x 4 of them sees it: cell (i, j) lies between columns i + 1 and i + 2 and rows
/// j + 1 and j + 2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid<'a, T> {
    pub data: &'a [T],
    pub stride: usize,
    /// Columns and rows of cells.
    pub cells: [usize; 2],
}

/// First and last cell of a rectangle, along each axis.
pub(crate) type Span = [[usize; 2]; 2];

impl<T: Value> Grid<'_, T> {
    /// The cells that a rectangle touches, in columns and rows of cells.
    pub fn span(&self, rect: Rect) -> Span {
        let along = |[first, last]: [f64; 2], cells: usize| [first, last].map(|x| (x.max(0.0) as usize).min(cells - 1));
        [along(rect.x, self.cells[0]), along(rect.y, self.cells[1])]
    }

    /// Least and greatest value at the corners of cells.
    fn corners(&self, [columns, rows]: Span) -> [T; 2] {
        let mut range = T::NOTHING;
        for row in rows[0] + 1..=rows[1] + 2 {
            for value in &self.data[row * self.stride + columns[0] + 1..=row * self.stride + columns[1] + 2] {
                range = T::join(range, [*value; 2]);
            }
        }
        range
    }
}

/// Least and greatest values of all aligned blocks of 8 x 8, 16 x 16, 32 x 32 ... cells.
#[derive(Debug)]
pub(crate) struct Pyramid<T> {
    levels: Vec<Level<T>>,
}

#[derive(Debug)]
struct Level<T> {
    columns: usize,
    ranges: Vec<[T; 2]>,
}

impl<T: Value> Pyramid<T> {
    /// Of a grid, by this thread alone: others wait for it, and one of a pool that waited for the pool's help could be handed
    /// another ray that waits for the same.
    pub fn build(grid: Grid<'_, T>) -> Self {
        let [columns, rows] = grid.cells.map(|cells| cells.div_ceil(BLOCK));
        let block = |k: usize, cells: usize| [k * BLOCK, ((k + 1) * BLOCK).min(cells) - 1];
        let mut ranges = vec![T::NOTHING; columns * rows];
        for (j, line) in ranges.chunks_mut(columns).enumerate() {
            for (i, range) in line.iter_mut().enumerate() {
                *range = grid.corners([block(i, grid.cells[0]), block(j, grid.cells[1])]);
            }
        }
        let mut levels = vec![Level { columns, ranges }];
        let (mut columns, mut rows) = (columns, rows);
        while columns > 1 || rows > 1 {
            let (below_columns, below_rows) = (columns, rows);
            (columns, rows) = (columns.div_ceil(2), rows.div_ceil(2));
            let mut ranges = vec![T::NOTHING; columns * rows];
            if let Some(below) = levels.last() {
                for j in 0..below_rows {
                    for i in 0..below_columns {
                        let at = (j / 2) * columns + i / 2;
                        ranges[at] = T::join(ranges[at], below.ranges[j * below_columns + i]);
                    }
                }
            }
            levels.push(Level { columns, ranges });
        }
        Self { levels }
    }

    /// Least and greatest value at the corners of all cells of a span, or of a few more round it.
    pub fn range(&self, grid: Grid<'_, T>, span: Span) -> [T; 2] {
        if span.iter().all(|[first, last]| last - first < LOOK) {
            return grid.corners(span);
        }
        let few = |level: usize| {
            let bits = BLOCK_BITS + level;
            span.iter().all(|[first, last]| (last >> bits) - (first >> bits) < LOOK)
        };
        // One block is few.
        let level = (0..self.levels.len()).find(|level| few(*level)).unwrap_or(self.levels.len() - 1);
        let bits = BLOCK_BITS + level;
        let Level { columns, ranges } = &self.levels[level];
        let [x, y] = span.map(|along| along.map(|cell| cell >> bits));
        let mut range = T::NOTHING;
        for j in y[0]..=y[1] {
            for of_block in &ranges[j * columns + x[0]..=j * columns + x[1]] {
                range = T::join(range, *of_block);
            }
        }
        range
    }
}

/// Strips of a smaller part of a cell's height are looked at cell by cell, however long they are.
const THIN: f64 = 1.0 / 16.0;

/// Lowest and highest value of [`monotone_bicubic`](super::monotone_bicubic) in a rectangle of a grid, in columns and rows of
/// cells.
pub(crate) fn bounds(
    interpolation: Interpolation,
    grid: Grid<'_, f32>,
    pyramid: &Pyramid<f32>,
    rect: Rect,
) -> (f64, f64) {
    let span = grid.span(rect);
    let [columns, rows] = span;
    let few = columns[1] - columns[0] <= 1 && rows[1] - rows[0] <= 1;
    // A cap round a pole is a thin strip of all columns, in which whole cells say little.
    let thin = rows[1] - rows[0] <= 1 && rect.y[1] - rect.y[0] < THIN;
    if !few && !thin {
        let [low, high] = pyramid.range(grid, span).map(f64::from);
        return (low, high);
    }
    let mut all = (f64::INFINITY, f64::NEG_INFINITY);
    for j in rows[0]..=rows[1] {
        for i in columns[0]..=columns[1] {
            let part = |[first, last]: [f64; 2], k: usize| [first, last].map(|x| (x - k as f64).clamp(0.0, 1.0));
            let of_cell = match interpolation {
                Interpolation::Cubic => cell,
                Interpolation::Bilinear => bilinear_cell,
            };
            let (low, high) = of_cell(grid.data, j * grid.stride + i, grid.stride, part(rect.x, i), part(rect.y, j));
            all = (all.0.min(low), all.1.max(high));
        }
    }
    all
}

/// Lowest and highest value in a part of one cell: those of its control points as a patch of Bernstein polynomials, which surround it
/// (Farin, "Curves and Surfaces for CAGD", chapter 4). They close in on it with the square of the part's size.
pub(crate) fn cell(data: &[f32], start: usize, stride: usize, tx: [f64; 2], ty: [f64; 2]) -> (f64, f64) {
    let posting = |row: usize, column: usize| f64::from(data[start + row * stride + column]);
    // Control points of a cubic between two values with slopes, and of what goes over from one slope to another.
    let side = |row: usize| {
        let p: [f64; 4] = std::array::from_fn(|column| posting(row, column));
        let along = |k: usize| slope(p[k] - p[k - 1], p[k + 1] - p[k]);
        let across = |k: usize| slope(p[k] - posting(row - 1, k), posting(row + 1, k) - p[k]);
        let heights = [p[1], p[1] + along(1) / 3.0, p[2] - along(2) / 3.0, p[2]];
        (heights, [across(1), across(1), across(2), across(2)])
    };
    let ((first, first_slopes), (last, last_slopes)) = (side(1), side(2));
    let inner = |k: usize| [first[k], first[k] + first_slopes[k] / 3.0, last[k] - last_slopes[k] / 3.0, last[k]];
    // Along y at each control point along x, then along x at each along y.
    let columns: [[f64; 4]; 4] = std::array::from_fn(|k| part_of(inner(k), ty));
    let rows = (0..4).flat_map(|k| part_of(columns.map(|column| column[k]), tx));
    let range = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| (low.min(h), high.max(h)))
    };
    let (lowest, highest) = range(&mut rows.into_iter());
    // The interpolant is cut to its postings. What is not a number, next to voids, loses against these.
    let (low, high) = range(&mut [first[0], first[3], last[0], last[3]].into_iter());
    (lowest.max(low), highest.min(high))
}

/// Control points of a part of a cubic, by those of the whole (de Casteljau).
fn part_of(points: [f64; 4], [from, to]: [f64; 2]) -> [f64; 4] {
    // The polar form of the cubic: symmetric, and affine in each argument.
    let polar = |at: [f64; 3]| {
        let mut b = points;
        for (level, t) in at.into_iter().enumerate() {
            for k in 0..3 - level {
                b[k] += (b[k + 1] - b[k]) * t;
            }
        }
        b[0]
    };
    [polar([from; 3]), polar([from, from, to]), polar([from, to, to]), polar([to; 3])]
}

/// The same of [`bilinear`]: it is straight along both axes, so the extremes are at corners of the part.
fn bilinear_cell(data: &[f32], start: usize, stride: usize, tx: [f64; 2], ty: [f64; 2]) -> (f64, f64) {
    let corners = tx.into_iter().flat_map(|x| ty.map(|y| bilinear(data, start, stride, x, y)));
    corners.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| (low.min(h), high.max(h)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::height::kernel::monotone_bicubic;
    use rand::Rng;

    /// Law: the interpolant stays within the bounds of every rectangle, whatever its size, and the bounds of a small one
    /// are as close as the steepest slope allows.
    #[test]
    fn the_interpolant_stays_within() {
        let mut rng = crate::random::rng();
        for round in 0..40 {
            let cells = [rng.random_range(1..70), rng.random_range(1..70)];
            let stride = cells[0] + 3;
            let rough = [1.0, 30.0, 3000.0][round % 3];
            let data: Vec<f32> = (0..stride * (cells[1] + 3)).map(|_| rng.random_range(-rough..rough)).collect();
            let grid = Grid { data: &data, stride, cells };
            let pyramid = Pyramid::build(grid);
            let interpolation = [Interpolation::Cubic, Interpolation::Bilinear][round / 3 % 2];
            let value = |x: f64, y: f64| {
                let (i, j) = ((x as usize).min(cells[0] - 1), (y as usize).min(cells[1] - 1));
                let kernel = if interpolation == Interpolation::Cubic { monotone_bicubic } else { bilinear };
                kernel(&data, j * stride + i, stride, x - i as f64, y - j as f64)
            };
            for _ in 0..200 {
                let size = 10f64.powf(rng.random_range(-4.0..2.0));
                let middle = (rng.random_range(0.0..cells[0] as f64), rng.random_range(0.0..cells[1] as f64));
                let whole = Rect { x: [0.0, cells[0] as f64], y: [0.0, cells[1] as f64] };
                let rect = Rect::around(middle, (size, rng.random_range(0.0..size))).clip(whole).unwrap();
                let (low, high) = bounds(interpolation, grid, &pyramid, rect);
                for _ in 0..30 {
                    let at = |[a, b]: [f64; 2], t: f64| a + (b - a) * t;
                    let h = value(at(rect.x, rng.random()), at(rect.y, rng.random()));
                    assert!(h >= low - 1e-9 && h <= high + 1e-9, "{h} is not in {low} ..= {high}, {rect:?}");
                }
                assert!(high - low <= f64::from(rough) * 60.0 * size.max(1e-4), "{rect:?}: {low} ..= {high}");
            }
        }
    }
}
