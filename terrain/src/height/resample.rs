//! How are many heights interpolated that lie close together? By tables: a slope is computed once for a posting, and where
//! columns of places share a column of the raster's axis, so is everything along that axis.
//!
//! The results are those of [`monotone_bicubic`](super::kernel::monotone_bicubic), bit for bit: the same slopes, first along x,
//! then along y. Only the order of the work differs.

use multiversion::multiversion;

use super::{
    kernel::{hermite, monotone_cubic, slope},
    patch::Longitudes,
};

/// Where the nodes of a patch lie in a raster: columns and rows, `(0, 0)` at the centre of the first texel.
#[derive(Clone, Debug)]
pub(crate) struct Spots {
    /// Columns: as many as there are longitudes that differ.
    pub x: Longitudes,
    /// Rows, one for each node.
    pub y: Vec<f64>,
    /// Lowest and highest column, lowest and highest row; `None` if one is not a number.
    bounds: Option<[(f64, f64); 2]>,
}

/// Texels around spots: columns and rows counted from two before the raster's first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    pub column: usize,
    pub row: usize,
    pub columns: usize,
    pub rows: usize,
}

/// Heights of an extent, column by column.
#[derive(Debug)]
pub(crate) struct Window {
    extent: Extent,
    heights: Vec<f32>,
}

impl Spots {
    /// Spots at columns and rows.
    pub fn new(x: Longitudes, y: Vec<f64>) -> Self {
        let (Longitudes::Columns(columns) | Longitudes::Rows(columns) | Longitudes::Nodes(columns)) = &x;
        let bounds = range(columns).zip(range(&y)).map(|(x, y)| [x, y]);
        Self { x, y, bounds }
    }

    /// Whether all spots are on one side of a raster of `size`, beyond its reach.
    pub fn miss(&self, size: (usize, usize)) -> bool {
        let beyond = |(low, high): (f64, f64), size: usize| high <= -1.0 || low >= size as f64;
        self.bounds.is_some_and(|[x, y]| beyond(x, size.0) || beyond(y, size.1))
    }

    /// The texels that interpolation looks at, 4 x 4 for each spot; `None` if a spot is not at least a texel inside of a raster of
    /// `width * height` texels, or a table of all of them would not pay.
    pub fn extent(&self, width: usize, height: usize) -> Option<Extent> {
        let [x, y] = self.bounds?;
        let inside = |(low, high): (f64, f64), size: usize| low > -1.0 && high < size as f64;
        if !inside(x, width) || !inside(y, height) {
            return None;
        }
        // As in `Raster::sample`: counted from one before the first texel, the stencil begins one before that.
        let first = |low: f64| (low + 1.0) as usize;
        let count = |(low, high): (f64, f64), size: usize| first(high).min(size) + 4 - first(low);
        let extent = Extent { column: first(x.0), row: first(y.0), columns: count(x, width), rows: count(y, height) };
        // A window with far more texels than there are nodes is not worth being read.
        const MOST: usize = 4;
        (extent.columns * extent.rows <= MOST * self.y.len() + 4096).then_some(extent)
    }
}

/// Lowest and highest value; `None` if one is not a number.
#[multiversion(targets("x86_64+avx2"))]
fn range(values: &[f64]) -> Option<(f64, f64)> {
    let (mut low, mut high, mut sound) = (f64::INFINITY, f64::NEG_INFINITY, true);
    for &v in values {
        low = if v < low { v } else { low };
        high = if v > high { v } else { high };
        sound &= !v.is_nan();
    }
    (sound && low <= high).then_some((low, high))
}

impl Window {
    /// A window to be filled.
    pub fn new(extent: Extent) -> Self {
        Self { extent, heights: vec![0.0; extent.columns * extent.rows] }
    }

    /// Takes over a rectangle of rows of `stride` texels, the first texel of which comes to the window's column and row `at`.
    pub fn put(&mut self, texels: &[f32], stride: usize, at: (usize, usize), size: (usize, usize)) {
        // Blocks, so that neither side is walked across all its pages again and again.
        const BLOCK: usize = 16;
        for y0 in (0..size.1).step_by(BLOCK) {
            for x0 in (0..size.0).step_by(BLOCK) {
                let (y1, x1) = ((y0 + BLOCK).min(size.1), (x0 + BLOCK).min(size.0));
                for x in x0..x1 {
                    let to = (at.0 + x) * self.extent.rows + at.1;
                    for (y, out) in (y0..y1).zip(&mut self.heights[to + y0..to + y1]) {
                        *out = texels[y * stride + x];
                    }
                }
            }
        }
    }

    /// Heights at spots inside of the window's extent, for a patch of so many columns.
    pub fn resample(&self, spots: &Spots, columns: usize, out: &mut [f64]) {
        let slopes = self.slopes();
        match &spots.x {
            Longitudes::Columns(x) => self.by_columns(&slopes, x, &spots.y, columns, out),
            Longitudes::Rows(x) => self.by_rows(&slopes, x, &spots.y, columns, out),
            Longitudes::Nodes(x) => by_nodes(self, &slopes, x, &spots.y, out),
        }
    }

    /// Slopes along x at all texels but the outermost columns', column by column from the second on.
    fn slopes(&self) -> Vec<f64> {
        let rows = self.extent.rows;
        let mut slopes = vec![0.0; (self.extent.columns - 2) * rows];
        for (out, at) in slopes.chunks_exact_mut(rows).zip(self.heights.windows(3 * rows).step_by(rows)) {
            slopes_between(&at[..rows], &at[rows..2 * rows], &at[2 * rows..], out);
        }
        slopes
    }

    /// Interpolates along x at a column: heights at all rows of the window.
    fn column_at(&self, slopes: &[f64], x: f64, out: &mut [f64]) {
        let rows = self.extent.rows;
        let (cell, t) = cell_of(x, self.extent.column, self.extent.columns);
        let column = |k: usize| &self.heights[(cell + k) * rows..][..rows];
        let slope = |k: usize| &slopes[(cell + k) * rows..][..rows];
        along_column(column(1), column(2), slope(0), slope(1), t, out);
    }

    fn by_columns(&self, slopes: &[f64], x: &[f64], y: &[f64], columns: usize, out: &mut [f64]) {
        /// Columns that are kept at a time, so that nodes are walked along their rows.
        const KEPT: usize = 8;
        let rows = self.extent.rows;
        let mut heights = vec![0.0; KEPT * rows];
        let mut down = vec![0.0; KEPT * rows];
        for (block, x) in x.chunks(KEPT).enumerate() {
            let tables = heights.chunks_exact_mut(rows).zip(down.chunks_exact_mut(rows));
            for (&x, (heights, down)) in x.iter().zip(tables) {
                self.column_at(slopes, x, heights);
                slopes_along(heights, down);
            }
            let nodes = out.chunks_exact_mut(columns).zip(y.chunks_exact(columns));
            for (out, y) in nodes {
                let (out, y) = (&mut out[block * KEPT..], &y[block * KEPT..]);
                let tables = heights.chunks_exact(rows).zip(down.chunks_exact(rows));
                for (((out, &y), _), (heights, down)) in out.iter_mut().zip(y).zip(x).zip(tables) {
                    *out = self.down(heights, down, y);
                }
            }
        }
    }

    fn by_rows(&self, slopes: &[f64], x: &[f64], y: &[f64], columns: usize, out: &mut [f64]) {
        let rows = self.extent.rows;
        let (mut heights, mut down) = (vec![0.0; rows], vec![0.0; rows]);
        for ((out, y), &x) in out.chunks_exact_mut(columns).zip(y.chunks_exact(columns)).zip(x) {
            self.column_at(slopes, x, &mut heights);
            slopes_along(&heights, &mut down);
            out.iter_mut().zip(y).for_each(|(out, &y)| *out = self.down(&heights, &down, y));
        }
    }

    /// Interpolates along y in a column of heights and their slopes.
    #[inline]
    fn down(&self, heights: &[f64], slopes: &[f64], y: f64) -> f64 {
        let (cell, t) = cell_of(y, self.extent.row, self.extent.rows);
        hermite(heights[cell + 1], heights[cell + 2], slopes[cell + 1], slopes[cell + 2], t)
    }
}

/// Cell of a window that a coordinate lies in, and where in it: as in `Raster::sample`.
#[inline]
fn cell_of(x: f64, first: usize, count: usize) -> (usize, f64) {
    // Within the window, so the cast is the floor.
    let cell = ((x + 1.0) as i32 as usize).min(first + count - 4);
    let t = (x + 1.0 - cell as i32 as f64).clamp(0.0, 1.0);
    (cell - first, t)
}

/// Slopes at the middle ones of three columns.
#[multiversion(targets("x86_64+avx2"))]
fn slopes_between(before: &[f32], here: &[f32], after: &[f32], out: &mut [f64]) {
    for (((out, &b), &h), &a) in out.iter_mut().zip(before).zip(here).zip(after) {
        let [b, h, a] = [b, h, a].map(f64::from);
        *out = slope(h - b, a - h);
    }
}

/// Slopes along a column; the outermost are not used.
#[multiversion(targets("x86_64+avx2"))]
fn slopes_along(heights: &[f64], out: &mut [f64]) {
    for (out, h) in out[1..].iter_mut().zip(heights.windows(3)) {
        *out = slope(h[1] - h[0], h[2] - h[1]);
    }
}

/// Interpolates between two columns.
#[multiversion(targets("x86_64+avx2"))]
fn along_column(p1: &[f32], p2: &[f32], m1: &[f64], m2: &[f64], t: f64, out: &mut [f64]) {
    let taps = p1.iter().zip(p2).zip(m1.iter().zip(m2));
    for (out, ((&p1, &p2), (&m1, &m2))) in out.iter_mut().zip(taps) {
        *out = hermite(f64::from(p1), f64::from(p2), m1, m2, t);
    }
}

/// Interpolates at spots that share nothing.
#[multiversion(targets("x86_64+avx2"))]
fn by_nodes(window: &Window, slopes: &[f64], x: &[f64], y: &[f64], out: &mut [f64]) {
    /// Spots that are interpolated along y together.
    const LANES: usize = 8;
    let rows = window.extent.rows;
    let mut across = [[0.0; LANES]; 4];
    let mut ty = [0.0; LANES];
    for ((out, x), y) in out.chunks_mut(LANES).zip(x.chunks(LANES)).zip(y.chunks(LANES)) {
        for (lane, (&x, &y)) in x.iter().zip(y).enumerate() {
            let (column, tx) = cell_of(x, window.extent.column, window.extent.columns);
            let (row, t) = cell_of(y, window.extent.row, window.extent.rows);
            let heights = |k: usize| &window.heights[(column + k) * rows + row..][..4];
            let slopes = |k: usize| &slopes[(column + k) * rows + row..][..4];
            let (p1, p2, m1, m2) = (heights(1), heights(2), slopes(0), slopes(1));
            for k in 0..4 {
                across[k][lane] = hermite(f64::from(p1[k]), f64::from(p2[k]), m1[k], m2[k], tx);
            }
            ty[lane] = t;
        }
        let mut heights = [0.0; LANES];
        for lane in 0..LANES {
            let p = [across[0][lane], across[1][lane], across[2][lane], across[3][lane]];
            heights[lane] = monotone_cubic(p, ty[lane]);
        }
        out.copy_from_slice(&heights[..out.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::height::kernel::monotone_bicubic;
    use rand::{Rng, SeedableRng, rngs::StdRng};

    const SIZE: (usize, usize) = (40, 30);

    /// Law: interpolated together, heights have the bits that they have one by one, whatever the spots share.
    #[test]
    fn together_as_one_by_one() {
        let mut rng = StdRng::seed_from_u64(4);
        // With the border of a raster: two texels on each side.
        let stride = SIZE.0 + 4;
        let data: Vec<f32> = (0..stride * (SIZE.1 + 4)).map(|_| rng.random_range(-9000.0..9000.0)).collect();
        let one = |x: f64, y: f64| {
            let (column, row) = (((x + 1.0) as usize).min(SIZE.0), ((y + 1.0) as usize).min(SIZE.1));
            monotone_bicubic(&data, row * stride + column, stride, x + 1.0 - column as f64, y + 1.0 - row as f64)
        };
        for round in 0..60 {
            let (columns, rows) = (rng.random_range(1..30), rng.random_range(1..30));
            let mut many = |count: usize, size: usize| -> Vec<f64> {
                let low = rng.random_range(-0.99..0.4 * size as f64);
                let high = rng.random_range(low + 0.1..size as f64);
                (0..count).map(|_| rng.random_range(low..high)).collect()
            };
            let y = many(columns * rows, SIZE.1);
            let (x, of): (_, fn(usize, usize) -> usize) = match round % 3 {
                0 => (Longitudes::Columns(many(columns, SIZE.0)), |k, columns| k % columns),
                1 => (Longitudes::Rows(many(rows, SIZE.0)), |k, columns| k / columns),
                _ => (Longitudes::Nodes(many(columns * rows, SIZE.0)), |k, _| k),
            };
            let spots = Spots::new(x, y);
            let extent = spots.extent(SIZE.0, SIZE.1).expect("inside");
            let mut window = Window::new(extent);
            let start = extent.row * stride + extent.column;
            // In two parts, as from two files.
            let part = extent.rows / 2;
            window.put(&data[start..], stride, (0, 0), (extent.columns, part));
            window.put(&data[start + part * stride..], stride, (0, part), (extent.columns, extent.rows - part));
            let mut out = vec![0.0; columns * rows];
            window.resample(&spots, columns, &mut out);
            let (Longitudes::Columns(x) | Longitudes::Rows(x) | Longitudes::Nodes(x)) = &spots.x;
            for (k, got) in out.iter().enumerate() {
                assert_eq!(*got, one(x[of(k, columns)], spots.y[k]), "round {round}, node {k}");
            }
        }
    }

    #[test]
    fn spots_outside_have_no_extent() {
        let spots = |x: Vec<f64>, y: Vec<f64>| Spots::new(Longitudes::Nodes(x), y).extent(10, 10);
        assert_eq!(spots(vec![-0.5, 9.5], vec![0.0, 3.0]), Some(Extent { column: 0, row: 1, columns: 14, rows: 7 }));
        for (x, y) in [(-1.0, 3.0), (10.0, 3.0), (3.0, -1.5), (f64::NAN, 3.0), (3.0, f64::NAN), (f64::INFINITY, 1.0)] {
            assert_eq!(spots(vec![x, 4.0], vec![y, 4.0]), None, "{x} {y}");
        }
        // Texels by the million for two spots.
        let far = Spots::new(Longitudes::Nodes(vec![0.0, 9999.0]), vec![0.0, 9999.0]);
        assert_eq!(far.extent(10_000, 10_000), None);
    }
}
