//! How are many heights interpolated that lie close together? By tables: a slope is computed once for a posting, and where
//! columns of places share a column of the raster's axis, so is everything along that axis.
//!
//! The results are those of [`monotone_bicubic`](super::kernel::monotone_bicubic), bit for bit: the same slopes, first along x,
//! then along y. Only the order of the work differs.

mod interpolate;

use std::borrow::Cow;

use multiversion::multiversion;

use super::{patch::Longitudes, region::Rect};

/// Where the nodes of a patch lie in a raster: columns and rows, `(0, 0)` at the centre of the first texel.
#[derive(Clone, Debug)]
pub(crate) struct SamplePositions<'a> {
    /// Columns: as many as there are longitudes that differ.
    pub x: Longitudes,
    /// Rows, one for each node.
    pub y: Rows<'a>,
    /// Lowest and highest column, lowest and highest row; `None` if one is not a number.
    bounds: Option<[(f64, f64); 2]>,
}

/// Rows of nodes: a number for each, times one factor, plus one offset. Not worked out before they are needed, as there are many.
#[derive(Clone, Debug)]
pub(crate) struct Rows<'a> {
    pub of_nodes: Cow<'a, [f64]>,
    pub offset: f64,
    pub factor: f64,
}

impl Rows<'_> {
    /// The row of a number.
    #[inline(always)]
    pub fn row(&self, of_node: f64) -> f64 {
        self.offset + self.factor * of_node
    }
}

impl From<Vec<f64>> for Rows<'_> {
    fn from(rows: Vec<f64>) -> Self {
        Self { of_nodes: rows.into(), offset: 0.0, factor: 1.0 }
    }
}

/// Texels around positions: columns and rows counted from two before the raster's first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TexelWindow {
    pub column: usize,
    pub row: usize,
    pub columns: usize,
    pub rows: usize,
}

impl TexelWindow {
    /// Columns and rows within which the positions lie that the window is of.
    pub fn rect(&self) -> Rect {
        let along = |first: usize, count: usize| [first as f64 - 1.0, (first + count) as f64 - 4.0];
        Rect { x: along(self.column, self.columns), y: along(self.row, self.rows) }
    }
}

/// Heights of an extent, column by column.
#[derive(Debug)]
pub(crate) struct Window {
    extent: TexelWindow,
    heights: Vec<f32>,
}

impl<'a> SamplePositions<'a> {
    /// Spots at columns and rows.
    pub fn new(x: Longitudes, y: Rows<'a>) -> Self {
        let (Longitudes::Columns(columns) | Longitudes::Rows(columns) | Longitudes::Nodes(columns)) = &x;
        // Rounding keeps order, so the outermost numbers are in the outermost rows.
        let rows = range(&y.of_nodes).map(|(low, high)| (y.row(low), y.row(high)));
        let rows = rows.map(|(a, b)| if a < b { (a, b) } else { (b, a) }).filter(|(a, b)| a <= b);
        let bounds = range(columns).zip(rows).map(|(x, y)| [x, y]);
        Self { x, y, bounds }
    }

    /// The same positions in a raster whose texels are means of so many columns and rows.
    #[cfg(feature = "gdal")]
    pub fn scaled(self, [across, down]: [f64; 2]) -> Self {
        let along = |x: f64| (x + 0.5) / across - 0.5;
        let all = |x: Vec<f64>| x.into_iter().map(along).collect();
        let x = match self.x {
            Longitudes::Columns(x) => Longitudes::Columns(all(x)),
            Longitudes::Rows(x) => Longitudes::Rows(all(x)),
            Longitudes::Nodes(x) => Longitudes::Nodes(all(x)),
        };
        let Rows { of_nodes, offset, factor } = self.y;
        Self::new(x, Rows { of_nodes, offset: (offset + 0.5) / down - 0.5, factor: factor / down })
    }

    /// Column and row of a node of a patch of so many columns.
    pub fn at(&self, node: usize, columns: usize) -> [f64; 2] {
        let x = match &self.x {
            Longitudes::Columns(x) => x[node % columns],
            Longitudes::Rows(x) => x[node / columns],
            Longitudes::Nodes(x) => x[node],
        };
        [x, self.y.row(self.y.of_nodes[node])]
    }

    /// Whether all positions are on one side of a raster of `size`, at least so many texels beyond its outermost ones.
    pub fn are_outside(&self, size: (usize, usize), reach: f64) -> bool {
        let beyond = |(low, high): (f64, f64), size: usize| high <= -reach || low >= size as f64 - 1.0 + reach;
        self.bounds.is_some_and(|[x, y]| beyond(x, size.0) || beyond(y, size.1))
    }

    /// Whether all positions are between the outermost texels of a raster of `size`, or on them.
    #[cfg_attr(not(feature = "gdal"), allow(dead_code))]
    pub fn are_inside(&self, size: (usize, usize)) -> bool {
        let on = |(low, high): (f64, f64), size: usize| low >= 0.0 && high <= size as f64 - 1.0;
        self.bounds.is_some_and(|[x, y]| on(x, size.0) && on(y, size.1))
    }

    /// The texels that interpolation looks at, 4 x 4 for each of several patches' positions; `None` if a spot is not at
    /// least a texel inside of a raster of `width * height` texels, or a table of all of them would not pay.
    pub fn extent(all: &[Self], width: usize, height: usize) -> Option<TexelWindow> {
        let bounds = all.iter().map(|positions| positions.bounds).reduce(|a, b| {
            let join = |(low, high): (f64, f64), other: (f64, f64)| (low.min(other.0), high.max(other.1));
            a.zip(b).map(|([ax, ay], [bx, by])| [join(ax, bx), join(ay, by)])
        });
        let [x, y] = bounds??;
        let inside = |(low, high): (f64, f64), size: usize| low > -1.0 && high < size as f64;
        if !inside(x, width) || !inside(y, height) {
            return None;
        }
        // As in `Raster::sample`: counted from one before the first texel, the stencil begins one before that.
        let first = |low: f64| (low + 1.0) as usize;
        let count = |(low, high): (f64, f64), size: usize| first(high).min(size) + 4 - first(low);
        let extent =
            TexelWindow { column: first(x.0), row: first(y.0), columns: count(x, width), rows: count(y, height) };
        // A window with far more texels than there are nodes is not worth being read.
        const MOST: usize = 4;
        let nodes = all.iter().map(|positions| positions.y.of_nodes.len()).max().unwrap_or(0);
        (extent.columns * extent.rows <= MOST * nodes + 4096).then_some(extent)
    }
}

/// Lowest and highest value; `None` if one is not a number.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn range(values: &[f64]) -> Option<(f64, f64)> {
    // Several at a time: one chain of comparisons would wait for each.
    const LANES: usize = 16;
    let (mut low, mut high, mut unsound) = ([f64::INFINITY; LANES], [f64::NEG_INFINITY; LANES], [0u64; LANES]);
    let (chunks, rest) = values.as_chunks::<LANES>();
    let mut look = |lane: usize, v: f64| {
        low[lane] = if v < low[lane] { v } else { low[lane] };
        high[lane] = if v > high[lane] { v } else { high[lane] };
        unsound[lane] |= u64::from(v.is_nan());
    };
    chunks.iter().for_each(|chunk| chunk.iter().enumerate().for_each(|(lane, v)| look(lane, *v)));
    rest.iter().enumerate().for_each(|(lane, v)| look(lane, *v));
    let (low, high) =
        (low.into_iter().fold(f64::INFINITY, f64::min), high.into_iter().fold(f64::NEG_INFINITY, f64::max));
    (unsound == [0; LANES] && low <= high).then_some((low, high))
}

impl Window {
    /// A window to be filled.
    pub fn new(extent: TexelWindow) -> Self {
        Self { extent, heights: vec![0.0; extent.columns * extent.rows] }
    }

    /// Takes over a rectangle of rows of `stride` texels, the first texel of which comes to the window's column and row `at`.
    pub fn copy_rows(&mut self, texels: &[f32], stride: usize, at: (usize, usize), size: (usize, usize)) {
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

    /// Heights at positions inside of the window's extent, for patches of so many columns.
    pub fn resample(&self, patches: &[(&SamplePositions<'_>, usize)]) -> Vec<Vec<f64>> {
        let slopes = interpolate::Slopes::of(self);
        let heights = |(positions, columns): &(&SamplePositions<'_>, usize)| {
            let mut out = vec![0.0; positions.y.of_nodes.len()];
            match &positions.x {
                Longitudes::Columns(x) => interpolate::by_columns(self, &slopes, x, (&positions.y, *columns), &mut out),
                Longitudes::Rows(x) => interpolate::by_rows(self, &slopes, x, (&positions.y, *columns), &mut out),
                Longitudes::Nodes(x) => interpolate::by_nodes(self, &slopes, x, &positions.y, &mut out),
            }
            out
        };
        patches.iter().map(heights).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::height::kernel::monotone_bicubic;
    use rand::{Rng, SeedableRng, rngs::StdRng};
    use std::slice::from_ref;

    const SIZE: (usize, usize) = (40, 30);

    /// Law: interpolated together, heights have the bits that they have one by one, whatever the positions share.
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
            let positions = SamplePositions::new(x, y.into());
            let extent = SamplePositions::extent(from_ref(&positions), SIZE.0, SIZE.1).expect("inside");
            let mut window = Window::new(extent);
            let start = extent.row * stride + extent.column;
            // In two parts, as from two files.
            let part = extent.rows / 2;
            window.copy_rows(&data[start..], stride, (0, 0), (extent.columns, part));
            window.copy_rows(&data[start + part * stride..], stride, (0, part), (extent.columns, extent.rows - part));
            let out = window.resample(&[(&positions, columns)]).remove(0);
            let (Longitudes::Columns(x) | Longitudes::Rows(x) | Longitudes::Nodes(x)) = &positions.x;
            for (k, got) in out.iter().enumerate() {
                assert_eq!(*got, one(x[of(k, columns)], positions.y.of_nodes[k]), "round {round}, node {k}");
            }
        }
    }

    #[test]
    fn spots_outside_have_no_extent() {
        let positions = |x: Vec<f64>, y: Vec<f64>| {
            SamplePositions::extent(&[SamplePositions::new(Longitudes::Nodes(x), y.into())], 10, 10)
        };
        assert_eq!(
            positions(vec![-0.5, 9.5], vec![0.0, 3.0]),
            Some(TexelWindow { column: 0, row: 1, columns: 14, rows: 7 })
        );
        for (x, y) in [(-1.0, 3.0), (10.0, 3.0), (3.0, -1.5), (f64::NAN, 3.0), (3.0, f64::NAN), (f64::INFINITY, 1.0)] {
            assert_eq!(positions(vec![x, 4.0], vec![y, 4.0]), None, "{x} {y}");
        }
        // Texels by the million for two positions.
        let far = SamplePositions::new(Longitudes::Nodes(vec![0.0, 9999.0]), vec![0.0, 9999.0].into());
        assert_eq!(SamplePositions::extent(&[far], 10_000, 10_000), None);
    }
}
