//! The loops over texels and nodes: eight numbers at a time, side by side, so that they are one vector of a processor.

use multiversion::multiversion;

use super::{
    super::kernel::{between_sides, hermite, range_of, range_of_both, slope, slope_across},
    Rows, Window,
};

/// Numbers that are worked on together.
const LANES: usize = 8;
type Lanes = [f64; LANES];

/// Slopes at the texels of a window, column by column.
pub(super) struct Slopes {
    /// Along x, but for the outermost columns: from the second on.
    along_x: Vec<f64>,
    /// Along y; those of the outermost rows are not used.
    along_y: Vec<f64>,
}

impl Slopes {
    pub(super) fn of(window: &Window) -> Self {
        let (rows, columns) = (window.extent.rows, window.extent.columns);
        let (mut along_x, mut along_y) = (vec![0.0; (columns - 2) * rows], vec![0.0; columns * rows]);
        for (out, at) in along_x.chunks_exact_mut(rows).zip(window.heights.windows(3 * rows).step_by(rows)) {
            slopes_between(&at[..rows], &at[rows..2 * rows], &at[2 * rows..], out);
        }
        for (out, at) in along_y.chunks_exact_mut(rows).zip(window.heights.chunks_exact(rows)) {
            slopes_between(&at[..rows - 2], &at[1..rows - 1], &at[2..], &mut out[1..rows - 1]);
        }
        Self { along_x, along_y }
    }
}

/// Nodes whose columns of a patch each have one x; `y` are the rows of nodes, for a patch of so many columns.
pub(super) fn by_columns(
    window: &Window,
    slopes: &Slopes,
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
pub(super) fn by_rows(window: &Window, slopes: &Slopes, x: &[f64], (y, columns): (&Rows<'_>, usize), out: &mut [f64]) {
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

/// Heights, slopes along y and ranges of the texels on both sides, at all rows of a window, at a few places along x: [`LANES`] numbers a row.
struct Table {
    heights: Vec<f64>,
    slopes: Vec<f64>,
    ranges: [Vec<f64>; 2],
    column: Column,
}

/// The same at one place along x.
struct Column {
    heights: Vec<f64>,
    slopes: Vec<f64>,
    ranges: [Vec<f64>; 2],
}

impl Table {
    fn new(rows: usize) -> Self {
        let room = |numbers: usize| vec![0.0; numbers];
        let column = Column { heights: room(rows), slopes: room(rows), ranges: [room(rows), room(rows)] };
        let all = LANES * rows;
        Self { heights: room(all), slopes: room(all), ranges: [room(all), room(all)], column }
    }

    /// Interpolates along x. Lanes beyond the last place keep what they have, which nobody looks at.
    fn fill(&mut self, window: &Window, slopes: &Slopes, x: &[f64]) {
        let extent = window.extent;
        for (lane, &x) in x.iter().enumerate() {
            let (cell, t) = cell_of(x, extent.column, extent.columns);
            let column = |all: usize| (cell as usize + all) * extent.rows..(cell as usize + all + 1) * extent.rows;
            let sides = Sides {
                p: [1, 2].map(|k| &window.heights[column(k)]),
                m: [0, 1].map(|k| &slopes.along_x[column(k)]),
                across: [1, 2].map(|k| &slopes.along_y[column(k)]),
            };
            along_column(&sides, t, &mut self.column);
            let Column { heights, slopes, ranges: [lows, highs] } = &self.column;
            let [low, high] = &mut self.ranges;
            for (to, from) in [(&mut self.heights, heights), (&mut self.slopes, slopes), (low, lows), (high, highs)] {
                to.chunks_exact_mut(LANES).zip(from).for_each(|(row, h)| row[lane] = *h);
            }
        }
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

/// Heights at the sides of cells, slopes across these, ranges of postings and places between: what [`between_sides`] asks for, once for each
/// of many numbers.
struct Taps<const N: usize> {
    p: [[f64; N]; 2],
    m: [[f64; N]; 2],
    ranges: [[[f64; N]; 2]; 2],
    t: [f64; N],
}

impl<const N: usize> Taps<N> {
    const NONE: Self = Self { p: [[0.0; N]; 2], m: [[0.0; N]; 2], ranges: [[[0.0; N]; 2]; 2], t: [0.0; N] };

    #[inline(always)]
    fn interpolate(&self, out: &mut [f64]) {
        let Self { p, m, ranges: [first, second], t } = self;
        for (k, out) in out.iter_mut().enumerate().take(N) {
            let range = range_of_both([first[0][k], first[1][k]], [second[0][k], second[1][k]]);
            *out = between_sides([p[0][k], p[1][k]], [m[0][k], m[1][k]], t[k], range);
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
                    taps.m[k][at..at + LANES].copy_from_slice(&table.slopes[row.clone()]);
                    for end in 0..2 {
                        taps.ranges[k][end][at..at + LANES].copy_from_slice(&table.ranges[end][row.clone()]);
                    }
                }
                continue;
            }
            for (lane, cell) in cells.iter().enumerate() {
                for k in 0..2 {
                    let row = (*cell as usize + 1 + k) * LANES + lane;
                    (taps.p[k][at + lane], taps.m[k][at + lane]) = (table.heights[row], table.slopes[row]);
                    for end in 0..2 {
                        taps.ranges[k][end][at + lane] = table.ranges[end][row];
                    }
                }
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

/// Two columns of texels: heights, and slopes along x and y.
struct Sides<'a> {
    p: [&'a [f32]; 2],
    m: [&'a [f64]; 2],
    across: [&'a [f64]; 2],
}

/// Interpolates between two columns.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn along_column(Sides { p, m, across }: &Sides<'_>, t: f64, out: &mut Column) {
    let taps = p[0].iter().zip(p[1]).zip(m[0].iter().zip(m[1]));
    let [lows, highs] = &mut out.ranges;
    for (((out, low), high), ((&p1, &p2), (&m1, &m2))) in out.heights.iter_mut().zip(lows).zip(highs).zip(taps) {
        let [p1, p2] = [p1, p2].map(f64::from);
        *out = hermite(p1, p2, m1, m2, t);
        [*low, *high] = range_of(p1, p2);
    }
    for (out, (&m1, &m2)) in out.slopes.iter_mut().zip(across[0].iter().zip(across[1])) {
        *out = slope_across([m1, m2], t);
    }
}

/// Nodes that share nothing.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn by_nodes(window: &Window, slopes: &Slopes, x: &[f64], y: &Rows<'_>, out: &mut [f64]) {
    /// Nodes that fit into the nearest cache with all that they need.
    const MANY: usize = 128;
    let extent = window.extent;
    let mut taps = Taps::<MANY>::NONE;
    let (mut places, mut tx) = ([0; MANY], [0.0; MANY]);
    for ((out, x), of_nodes) in out.chunks_mut(MANY).zip(x.chunks(MANY)).zip(y.of_nodes.chunks(MANY)) {
        for ((x, place), t) in x.iter().zip(&mut places).zip(&mut tx) {
            let (column, at) = cell_of(*x, extent.column, extent.columns);
            (*place, *t) = (column * extent.rows as u32, at);
        }
        for ((node, place), t) in of_nodes.iter().zip(&mut places).zip(&mut taps.t) {
            let (row, at) = cell_of(y.row(*node), extent.row, extent.rows);
            (*place, *t) = (*place + row, at);
        }
        for (node, (place, tx)) in places[..out.len()].iter().zip(&tx).enumerate() {
            for k in 0..2 {
                let at = |column: usize| *place as usize + column * extent.rows + k + 1;
                let [p1, p2] = [1, 2].map(|column| f64::from(window.heights[at(column)]));
                let [m1, m2] = [0, 1].map(|column| slopes.along_x[at(column)]);
                taps.p[k][node] = hermite(p1, p2, m1, m2, *tx);
                taps.m[k][node] = slope_across([1, 2].map(|column| slopes.along_y[at(column)]), *tx);
                [taps.ranges[k][0][node], taps.ranges[k][1][node]] = range_of(p1, p2);
            }
        }
        taps.interpolate(out);
    }
}
