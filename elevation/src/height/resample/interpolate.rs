//! The loops over texels and nodes: eight numbers at a time, side by side, so that they are one vector of a processor.

use multiversion::multiversion;

use super::{
    super::kernel::{hermite, monotone_cubic, slope},
    Rows, Window,
};

/// Numbers that are worked on together.
const LANES: usize = 8;
type Lanes = [f64; LANES];

/// Slopes along x at all texels but the outermost columns', column by column from the second on.
pub(super) fn slopes(window: &Window) -> Vec<f64> {
    let rows = window.extent.rows;
    let mut slopes = vec![0.0; (window.extent.columns - 2) * rows];
    for (out, at) in slopes.chunks_exact_mut(rows).zip(window.heights.windows(3 * rows).step_by(rows)) {
        slopes_between(&at[..rows], &at[rows..2 * rows], &at[2 * rows..], out);
    }
    slopes
}

/// Nodes whose columns of a patch each have one x; `y` are the rows of nodes, for a patch of so many columns.
pub(super) fn by_columns(
    window: &Window,
    slopes: &[f64],
    x: &[f64],
    (y, columns): (&Rows<'_>, usize),
    out: &mut [f64],
) {
    let mut table = Table::new(window.extent.rows);
    let mut nodes = vec![[0.0; LANES]; y.of_nodes.len() / columns];
    for (block, x) in x.chunks(LANES).enumerate() {
        table.fill(window, slopes, x);
        let part = block * LANES..block * LANES + x.len();
        for (node, y) in nodes.iter_mut().zip(y.of_nodes.chunks_exact(columns)) {
            node.fill(y[part.start]);
            node[..x.len()].copy_from_slice(&y[part.clone()]);
        }
        down(&table, (window.extent.row, window.extent.rows), y, &mut nodes);
        for (node, out) in nodes.iter().zip(out.chunks_exact_mut(columns)) {
            out[part.clone()].copy_from_slice(&node[..x.len()]);
        }
    }
}

/// The same for rows of a patch.
pub(super) fn by_rows(window: &Window, slopes: &[f64], x: &[f64], (y, columns): (&Rows<'_>, usize), out: &mut [f64]) {
    let mut table = Table::new(window.extent.rows);
    let mut nodes = vec![[0.0; LANES]; columns];
    let block = LANES * columns;
    for ((x, part), out) in x.chunks(LANES).zip(y.of_nodes.chunks(block)).zip(out.chunks_mut(block)) {
        table.fill(window, slopes, x);
        nodes.iter_mut().zip(part).for_each(|(node, y)| node.fill(*y));
        for (lane, y) in part.chunks_exact(columns).enumerate() {
            nodes.iter_mut().zip(y).for_each(|(node, y)| node[lane] = *y);
        }
        down(&table, (window.extent.row, window.extent.rows), y, &mut nodes);
        for (lane, out) in out.chunks_exact_mut(columns).enumerate() {
            nodes.iter().zip(out).for_each(|(node, out)| *out = node[lane]);
        }
    }
}

/// Heights and slopes along y at all rows of a window, at a few places along x: [`LANES`] numbers a row.
struct Table {
    heights: Vec<f64>,
    slopes: Vec<f64>,
    column: Vec<f64>,
}

impl Table {
    fn new(rows: usize) -> Self {
        Self { heights: vec![0.0; LANES * rows], slopes: vec![0.0; LANES * rows], column: vec![0.0; rows] }
    }

    /// Interpolates along x. Lanes beyond the last place keep what they have, which nobody looks at.
    fn fill(&mut self, window: &Window, slopes: &[f64], x: &[f64]) {
        let extent = window.extent;
        for (lane, &x) in x.iter().enumerate() {
            let (cell, t) = cell_of(x, extent.column, extent.columns);
            let at = cell as usize * extent.rows;
            let heights = |k: usize| &window.heights[at + k * extent.rows..][..extent.rows];
            let slopes = |k: usize| &slopes[at + k * extent.rows..][..extent.rows];
            along_column((heights(1), heights(2)), (slopes(0), slopes(1)), t, &mut self.column);
            self.heights.chunks_exact_mut(LANES).zip(&self.column).for_each(|(row, h)| row[lane] = *h);
        }
        slopes_along(&self.heights, &mut self.slopes);
    }
}

/// Cell of a window that a coordinate lies in, and where in it: as in `Raster::sample`.
#[inline(always)]
fn cell_of(x: f64, first: usize, count: usize) -> (u32, f64) {
    /// Numbers from here on have no fraction: added, it leaves a whole number in the low bits, in any vector.
    const WHOLE: f64 = (1u64 << 52) as f64;
    let (x, last) = (x + 1.0, (first + count - 4) as f64);
    let floor = x.floor();
    let cell = if floor < last { floor } else { last };
    ((cell - first as f64 + WHOLE).to_bits() as u32, (x - cell).clamp(0.0, 1.0))
}

/// Postings around nodes, slopes there and places between: what [`hermite`] asks for, once for each of many numbers.
struct Taps<const N: usize> {
    p: [[f64; N]; 2],
    m: [[f64; N]; 2],
    t: [f64; N],
}

impl<const N: usize> Taps<N> {
    const NONE: Self = Self { p: [[0.0; N]; 2], m: [[0.0; N]; 2], t: [0.0; N] };

    #[inline(always)]
    fn interpolate(&self, out: &mut [f64]) {
        let Self { p, m, t } = self;
        for (k, out) in out.iter_mut().enumerate().take(N) {
            *out = hermite(p[0][k], p[1][k], m[0][k], m[1][k], t[k]);
        }
    }
}

/// Interpolates along y in tables; `nodes` are numbers of rows, and become heights.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn down(table: &Table, (first, count): (usize, usize), y: &Rows<'_>, nodes: &mut [Lanes]) {
    /// Numbers that fit into the nearest cache with all that they need.
    const MANY: usize = 32 * LANES;
    let mut taps = Taps::<MANY>::NONE;
    let mut cells = [0; MANY];
    for nodes in nodes.chunks_mut(MANY / LANES) {
        let nodes = nodes.as_flattened_mut();
        for ((node, cell), t) in nodes.iter().zip(&mut cells).zip(&mut taps.t) {
            (*cell, *t) = cell_of(y.row(*node), first, count);
        }
        for (node, cells) in cells[..nodes.len()].as_chunks::<LANES>().0.iter().enumerate() {
            let at = node * LANES;
            // Neighbours mostly lie between the same rows of texels.
            if cells.iter().fold(0, |apart, cell| apart | (cell ^ cells[0])) == 0 {
                let row = (cells[0] as usize + 1) * LANES;
                for k in 0..2 {
                    let row = row + k * LANES..row + (k + 1) * LANES;
                    taps.p[k][at..at + LANES].copy_from_slice(&table.heights[row.clone()]);
                    taps.m[k][at..at + LANES].copy_from_slice(&table.slopes[row]);
                }
                continue;
            }
            for (lane, cell) in cells.iter().enumerate() {
                let row = (*cell as usize + 1) * LANES + lane;
                let (heights, slopes) = (&table.heights[row..=row + LANES], &table.slopes[row..=row + LANES]);
                (taps.p[0][at + lane], taps.p[1][at + lane]) = (heights[0], heights[LANES]);
                (taps.m[0][at + lane], taps.m[1][at + lane]) = (slopes[0], slopes[LANES]);
            }
        }
        taps.interpolate(nodes);
    }
}

/// Slopes at the middle ones of three columns.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn slopes_between(before: &[f32], here: &[f32], after: &[f32], out: &mut [f64]) {
    for (((out, &b), &h), &a) in out.iter_mut().zip(before).zip(here).zip(after) {
        let [b, h, a] = [b, h, a].map(f64::from);
        *out = slope(h - b, a - h);
    }
}

/// Slopes along y in a table; the outermost are not used.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn slopes_along(heights: &[f64], out: &mut [f64]) {
    let (here, after) = (&heights[LANES..], &heights[2 * LANES..]);
    for (((out, &b), &h), &a) in out[LANES..].iter_mut().zip(heights).zip(here).zip(after) {
        *out = slope(h - b, a - h);
    }
}

/// Interpolates between two columns.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn along_column(p: (&[f32], &[f32]), m: (&[f64], &[f64]), t: f64, out: &mut [f64]) {
    let taps = p.0.iter().zip(p.1).zip(m.0.iter().zip(m.1));
    for (out, ((&p1, &p2), (&m1, &m2))) in out.iter_mut().zip(taps) {
        *out = hermite(f64::from(p1), f64::from(p2), m1, m2, t);
    }
}

/// Nodes that share nothing.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn by_nodes(window: &Window, slopes: &[f64], x: &[f64], y: &Rows<'_>, out: &mut [f64]) {
    /// Nodes whose columns fit into the nearest cache with all that they need: four rows each.
    const MANY: usize = 64;
    let extent = window.extent;
    let mut taps = Taps::<{ 4 * MANY }>::NONE;
    let mut across = [0.0; 4 * MANY];
    let (mut places, mut tx, mut ty) = ([0; MANY], [0.0; MANY], [0.0; MANY]);
    for ((out, x), of_nodes) in out.chunks_mut(MANY).zip(x.chunks(MANY)).zip(y.of_nodes.chunks(MANY)) {
        for ((x, place), t) in x.iter().zip(&mut places).zip(&mut tx) {
            let (column, at) = cell_of(*x, extent.column, extent.columns);
            (*place, *t) = (column * extent.rows as u32, at);
        }
        for ((node, place), t) in of_nodes.iter().zip(&mut places).zip(&mut ty) {
            let (row, at) = cell_of(y.row(*node), extent.row, extent.rows);
            (*place, *t) = (*place + row, at);
        }
        for (node, place) in places[..out.len()].iter().enumerate() {
            let rows = |k: usize| *place as usize + k * extent.rows..*place as usize + k * extent.rows + 4;
            let to = 4 * node..4 * node + 4;
            for k in 0..2 {
                let heights = &window.heights[rows(k + 1)];
                taps.p[k][to.clone()].iter_mut().zip(heights).for_each(|(p, h)| *p = f64::from(*h));
                taps.m[k][to.clone()].copy_from_slice(&slopes[rows(k)]);
            }
            taps.t[to].fill(tx[node]);
        }
        taps.interpolate(&mut across);
        for ((out, across), t) in out.iter_mut().zip(across.as_chunks::<4>().0).zip(&ty) {
            *out = monotone_cubic(*across, *t);
        }
    }
}
