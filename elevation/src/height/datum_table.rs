//! By how many metres do two vertical datums differ at a place? A table on the lattice of PROJ's own grids, made where it is asked for.
//!
//! Between the nodes of its grids PROJ interpolates linearly in longitude and latitude. A table of what it answers at the same nodes, or
//! at more that include them, answers as PROJ does between them. Which nodes these are is found by trying: degrees are divided into as few
//! parts as make the line between two nodes that which PROJ has. A block of the table is filled when it has been asked for as often as
//! filling it costs; before, four nodes are asked of PROJ for each place. A place has the same bits either way.

mod fit;

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicU32, Ordering},
};

use smallvec::SmallVec;

pub(crate) use fit::{Fit, NoShift, fit};

use super::{kernel::bilinear_between, region::Region};

/// Nodes of a degree for views of the whole, at most.
const COARSER_PER_DEGREE: u32 = 4;
/// Cells along the side of a block.
const SIDE: i64 = 64;
/// Nodes along the side of one.
const NODES: usize = SIDE as usize + 1;
/// Places that are asked for in a block before it is filled.
const FEW: u32 = 256;
/// Blocks of which the least and greatest are looked up for bounds, at most.
const MOST_BLOCKS: usize = 4;
/// Metres at places, by longitude and latitude in degrees; what is no number where there is no answer. At any place it is the same,
/// whatever is asked with it.
pub(crate) type ShiftFunction = dyn Fn(&[f64], &[f64]) -> Vec<f64> + Send + Sync;

/// Metres between two datums.
pub(crate) struct Table {
    by: Arc<ShiftFunction>,
    /// Nodes of a degree, of longitude and latitude.
    per_degree: [u32; 2],
    /// Column and row of the first node, from 180 W and 90 N.
    first: [i64; 2],
    /// Blocks along a row.
    across: i64,
    blocks: Box<[Block]>,
    /// For views of the whole: with fewer nodes, close to this between them, if it has fewer.
    coarser: Option<Box<Self>>,
}

#[derive(Default)]
struct Block {
    /// How often it was asked for before it was filled.
    asked: AtomicU32,
    filled: OnceLock<FilledCell>,
}

struct FilledCell {
    /// Row by row.
    nodes_m: Box<[f32]>,
    range_m: (f64, f64),
    /// Largest difference between neighbours.
    steepest_m: f64,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Table").field("per_degree", &self.per_degree).finish_non_exhaustive()
    }
}

impl Table {
    /// Without any block, for places in a box.
    fn of(by: Arc<ShiftFunction>, per_degree: [u32; 2], bbox_deg: [f64; 4]) -> Self {
        let [west, south, east, north] = bbox_deg;
        let extent = [(east - west).clamp(0.0, 360.0), (north - south).clamp(0.0, 180.0)];
        let [columns, rows] = per_degree.map(f64::from);
        // A cell more all round, for rounding.
        let first = [(wrap_lon_deg(west) + 180.0) * columns, (90.0 - north) * rows].map(|node| node.floor() as i64 - 1);
        let first = [first[0], first[1].max(0)];
        let blocks_of = |cells: f64| (cells.ceil() as i64 + 3) / SIDE + 1;
        let (across, down) = (blocks_of(extent[0] * columns), blocks_of(extent[1] * rows));
        let blocks = (0..across * down).map(|_| Block::default()).collect();
        let fewer = per_degree.map(|own| own.min(COARSER_PER_DEGREE));
        let coarser = (fewer != per_degree).then(|| Box::new(Self::of(by.clone(), fewer, bbox_deg)));
        Self { by, per_degree, first, across, blocks, coarser }
    }

    /// Nodes of a degree, of longitude and latitude.
    pub fn per_degree(&self) -> [u32; 2] {
        self.per_degree
    }

    /// The one for views of the whole.
    pub fn coarser(&self) -> &Self {
        self.coarser.as_deref().unwrap_or(self)
    }

    /// Whether it has blocks for all places in a box.
    fn holds(&self, [west, south, east, north]: [f64; 4]) -> bool {
        let [columns, rows] = self.per_degree.map(f64::from);
        let (cells, turn) = (self.across * SIDE, 360 * i64::from(self.per_degree[0]));
        let left = (((west + 180.0) * columns).floor() as i64 - self.first[0]).rem_euclid(turn);
        let wide = ((east - west) * columns).ceil() as i64 + 1;
        let [top, bottom] =
            [north, south].map(|lat| ((90.0 - lat.clamp(-90.0, 90.0)) * rows).floor() as i64 - self.first[1]);
        (cells >= turn || left + wide <= cells) && top >= 0 && bottom < self.blocks.len() as i64 / self.across * SIDE
    }

    /// How far it is from what PROJ answers at a place; 0 beside a place without an answer, where it goes over to 0.
    fn error_m(&self, lon_deg: f64, lat_deg: f64, expected_m: f64) -> f64 {
        let (cell, part) = self.cell(lon_deg, lat_deg);
        let at_corners = self.answers(corners(cell).into_iter());
        let is_within = at_corners.iter().all(|m| !m.is_nan()) && !expected_m.is_nan();
        let nodes_m = [0, 1, 2, 3].map(|k| at_corners[k] as f32);
        if is_within { (bilinear_between(nodes_m, part) - expected_m).abs() } else { 0.0 }
    }

    /// Metres at a place. Where PROJ has no answer they are 0, and go over to that from the last node that has one.
    #[inline]
    pub fn at(&self, lon_deg: f64, lat_deg: f64) -> f64 {
        let (cell, part) = self.cell(lon_deg, lat_deg);
        let Some((block, [column, row])) = self.block(cell) else { return self.by_nodes(cell, part) };
        match self.blocks[block].filled.get() {
            Some(filled) => filled.between(column, row, part),
            None => self.at_first(block, cell, [column, row], part),
        }
    }

    #[cold]
    fn at_first(&self, block: usize, cell: [i64; 2], [column, row]: [usize; 2], part: [f64; 2]) -> f64 {
        if self.blocks[block].asked.fetch_add(1, Ordering::Relaxed) < FEW {
            return self.by_nodes(cell, part);
        }
        self.filled(block, cell, [column, row]).between(column, row, part)
    }

    /// Column and row of the node north-west of a place, from 180 W and 90 N, and how far from it to the next the place is.
    #[inline]
    fn cell(&self, lon_deg: f64, lat_deg: f64) -> ([i64; 2], [f64; 2]) {
        let [columns, rows] = self.per_degree.map(f64::from);
        let (x, y) = ((lon_deg + 180.0) * columns, (90.0 - lat_deg) * rows);
        let (column, row) = (x.floor(), y.floor().clamp(0.0, 180.0 * rows - 1.0));
        ([column as i64, row as i64], [x - column, y - row])
    }

    /// The number of a cell's block, and the cell's column and row in it.
    #[inline]
    fn block(&self, [column, row]: [i64; 2]) -> Option<(usize, [usize; 2])> {
        let turn = 360 * i64::from(self.per_degree[0]);
        let (across, down) = ((column - self.first[0]).rem_euclid(turn), row - self.first[1]);
        if down < 0 || across >= self.across * SIDE {
            return None;
        }
        let block = (down / SIDE * self.across + across / SIDE) as usize;
        (block < self.blocks.len()).then_some((block, [(across % SIDE) as usize, (down % SIDE) as usize]))
    }

    fn place(&self, [column, row]: [i64; 2]) -> (f64, f64) {
        let [columns, rows] = self.per_degree.map(i64::from);
        let lon_deg = -180.0 + column.rem_euclid(360 * columns) as f64 / columns as f64;
        (lon_deg, 90.0 - row.min(180 * rows) as f64 / rows as f64)
    }

    /// What PROJ has at nodes.
    fn answers(&self, nodes: impl Iterator<Item = [i64; 2]>) -> Vec<f64> {
        let (lon, lat): (Vec<f64>, Vec<f64>) = nodes.map(|node| self.place(node)).unzip();
        (self.by)(&lon, &lat)
    }

    fn nodes(&self, nodes: impl Iterator<Item = [i64; 2]>) -> Box<[f32]> {
        let metres = |answer: f64| if answer.is_nan() { 0.0 } else { answer as f32 };
        self.answers(nodes).into_iter().map(metres).collect()
    }

    fn by_nodes(&self, cell: [i64; 2], part: [f64; 2]) -> f64 {
        match *self.nodes(corners(cell).into_iter()) {
            [a, b, c, d] => bilinear_between([a, b, c, d], part),
            _ => 0.0,
        }
    }

    /// The block of a cell, which has a column and row in it, filled.
    fn filled(&self, block: usize, cell: [i64; 2], [column, row]: [usize; 2]) -> &FilledCell {
        self.blocks[block].filled.get_or_init(|| {
            let [left, top] = [cell[0] - column as i64, cell[1] - row as i64];
            let nodes_m =
                self.nodes((top..=top + SIDE).flat_map(|row| (left..=left + SIDE).map(move |column| [column, row])));
            let metres = || nodes_m.iter().map(|m| f64::from(*m));
            let range_m = (metres().fold(f64::INFINITY, f64::min), metres().fold(f64::NEG_INFINITY, f64::max));
            let along = nodes_m.chunks_exact(NODES).flat_map(|row| row.windows(2).map(|two| two[1] - two[0]));
            let down = nodes_m.iter().zip(&nodes_m[NODES..]).map(|(a, b)| b - a);
            let steepest_m = f64::from(along.chain(down).map(f32::abs).fold(0.0, f32::max));
            FilledCell { nodes_m, range_m, steepest_m }
        })
    }

    /// Least and greatest of the metres in a region, proven by the nodes there; `None` of a large one.
    pub fn bounds(&self, region: &Region) -> Option<(f64, f64)> {
        let [columns, rows] = self.per_degree.map(f64::from);
        let reach = [region.lon_reach_deg * columns, region.lat_reach_deg * rows];
        let ([column, row], part) = self.cell(region.lon_deg, region.lat_deg);
        let last_row = 180 * i64::from(self.per_degree[1]) - 1;
        let ends = |first: i64, part: f64, reach: f64| {
            let end = |away: f64| first.saturating_add((part + away).floor() as i64);
            [end(-reach), end(reach)]
        };
        let [left, right] = ends(column, part[0], reach[0]);
        let [top, bottom] = ends(row, part[1], reach[1]).map(|row| row.clamp(0, last_row));
        let (wide, high) = (right.saturating_sub(left), bottom - top);
        if wide.max(high) > SIDE * MOST_BLOCKS as i64 {
            return None;
        }
        let steps = |from: i64, length: i64| (0..=length / SIDE + 1).map(move |k| from + (k * SIDE).min(length));
        let mut seen: SmallVec<[usize; MOST_BLOCKS]> = SmallVec::new();
        let (mut low, mut most, mut steepest_m) = (f64::INFINITY, f64::NEG_INFINITY, 0f64);
        for cell in steps(top, high).flat_map(|row| steps(left, wide).map(move |column| [column, row])) {
            let (block, at) = self.block(cell)?;
            if seen.contains(&block) {
                continue;
            }
            if seen.len() == MOST_BLOCKS {
                return None;
            }
            seen.push(block);
            let filled = self.filled(block, cell, at);
            (low, most) = (low.min(filled.range_m.0), most.max(filled.range_m.1));
            steepest_m = steepest_m.max(filled.steepest_m);
        }
        let (middle_m, reach_m) = (self.at(region.lon_deg, region.lat_deg), steepest_m * (reach[0] + reach[1]));
        Some(((middle_m - reach_m).max(low), (middle_m + reach_m).min(most)))
    }
}

impl FilledCell {
    #[inline]
    fn between(&self, column: usize, row: usize, part: [f64; 2]) -> f64 {
        let at = |column: usize, row: usize| self.nodes_m[row * NODES + column];
        let corners = [at(column, row), at(column + 1, row), at(column, row + 1), at(column + 1, row + 1)];
        bilinear_between(corners, part)
    }
}

/// The nodes of a cell: north-west, north-east, south-west, south-east.
fn corners([column, row]: [i64; 2]) -> [[i64; 2]; 4] {
    [[column, row], [column + 1, row], [column, row + 1], [column + 1, row + 1]]
}

/// A longitude from -180 to 180 degrees.
pub(super) fn wrap_lon_deg(lon_deg: f64) -> f64 {
    (lon_deg + 180.0).rem_euclid(360.0) - 180.0
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::*;
    use crate::{geodesy::n_vector, random::rng};

    /// A grid as PROJ has them: nodes some parts of a degree apart, with metres that vary by decimetres from one to the next, and linear
    /// between; no answer outside of a box.
    fn grid(parts: [f64; 2], [west, south, east, north]: [f64; 4]) -> Arc<ShiftFunction> {
        let node = move |column: f64, row: f64| {
            let column = column.rem_euclid(360.0 * parts[0]);
            let smooth = 30.0 * (column / parts[0]).to_radians().sin() + 40.0 * (0.03 * row / parts[1]).cos();
            smooth + 0.2 * (column * 12.9898 + row * 78.233).sin()
        };
        let one = move |lon: f64, lat: f64| {
            if !(west..=east).contains(&lon) || !(south..=north).contains(&lat) {
                return f64::NAN;
            }
            let (x, y) = (lon * parts[0], lat * parts[1]);
            // Nodes are where they are, whatever the rounding.
            let [x, y] = [x, y].map(|x| if (x - x.round()).abs() < 1e-9 { x.round() } else { x });
            let (column, row) = (x.floor(), y.floor());
            let along = |row: f64| node(column, row) + (node(column + 1.0, row) - node(column, row)) * (x - column);
            along(row) + (along(row + 1.0) - along(row)) * (y - row)
        };
        Arc::new(move |lon: &[f64], lat: &[f64]| lon.iter().zip(lat).map(|(lon, lat)| one(*lon, *lat)).collect())
    }

    const EARTH: [f64; 4] = [-180.0, -90.0, 180.0, 90.0];

    fn fitted(by: Arc<ShiftFunction>, bbox_deg: [f64; 4]) -> Fit {
        fit(by, bbox_deg, &[]).expect("answers").expect("a difference")
    }

    /// Law: what lies within a table shares it, with the same bits as the table has; what lies beside it has the same lattice, if that does
    /// there.
    #[test]
    fn tables_are_shared() {
        let by = grid([60.0, 60.0], EARTH);
        let wide = fitted(by.clone(), [-20.0, 30.0, 30.0, 60.0]).table;
        let beside =
            |extent| fit(by.clone(), extent, std::slice::from_ref(&wide)).expect("answers").expect("a difference");
        for within in [[6.0, 45.0, 7.0, 46.0], [-20.0, 30.0, 30.0, 60.0], [340.0, 59.0, 342.0, 60.0]] {
            let Fit { table, range_m, worst_m, .. } = beside(within);
            assert!(Arc::ptr_eq(&table, &wide) && worst_m < 1e-4, "{within:?}");
            assert!(range_m.1 - range_m.0 < 20.0 || within[2] - within[0] > 2.0, "{range_m:?} in {within:?}");
        }
        for (outside, per_degree) in
            [([29.0, 45.0, 31.0, 46.0], 60), ([6.0, 59.0, 7.0, 61.0], 60), ([6.3, 70.0, 6.31, 70.01], 60)]
        {
            let table = beside(outside).table;
            assert!(!Arc::ptr_eq(&table, &wide) && table.per_degree == [per_degree; 2], "{outside:?} {table:?}");
        }
        let earth = fitted(grid([4.0, 4.0], EARTH), EARTH).table;
        let over_the_antimeridian =
            fit(grid([4.0, 4.0], EARTH), [170.0, -20.0, 190.0, 20.0], std::slice::from_ref(&earth));
        assert!(over_the_antimeridian.is_ok_and(|fit| fit.is_some_and(|fit| Arc::ptr_eq(&fit.table, &earth))));
        // Of a finer grid the lattice does not do.
        let finer = fit(grid([90.0, 90.0], EARTH), [6.0, 45.0, 7.0, 46.0], std::slice::from_ref(&wide));
        assert_eq!(finer.expect("answers").expect("a difference").table.per_degree, [90, 90]);
    }

    /// Law: whatever the lattice of a grid, a table is within a tenth of a millimetre of it, by as few nodes as the grid has.
    #[test]
    fn tables_answer_as_grids_do() {
        let mut rng = rng();
        for (parts, extent, most) in [
            ([4.0, 4.0], EARTH, [4, 4]),
            ([24.0, 24.0], [-180.0, -60.0, 180.0, 84.0], [24, 24]),
            ([60.0, 60.0], [-130.0, 24.0, -60.0, 58.0], [60, 60]),
            ([30.0, 40.0], [6.0, 45.0, 7.0, 46.0], [30, 40]),
            // Across the antimeridian, by a box that goes on beyond it.
            ([15.0, 20.0], [177.5, -20.0, 182.5, -15.0], [15, 20]),
            // In the middle of one cell.
            ([4.0, 4.0], [6.30, 46.30, 6.31, 46.31], [4, 4]),
        ] {
            let by = grid(parts, EARTH);
            let Fit { table, worst_m, gaps, range_m } = fitted(by.clone(), extent);
            assert_eq!((table.per_degree, gaps), (most, 0.0), "{parts:?}");
            let [west, south, east, north] = extent;
            for _ in 0..20_000 {
                let (lon, lat) = (wrap_lon_deg(rng.random_range(west..east)), rng.random_range(south..north));
                let expected = by(&[lon], &[lat])[0];
                assert!(
                    (table.at(lon, lat) - expected).abs() < 1e-4,
                    "{parts:?} at {lon} {lat}: {} {expected}",
                    table.at(lon, lat)
                );
                assert!((range_m.0..=range_m.1).contains(&expected), "{expected} {range_m:?}");
            }
            assert!(worst_m < 1e-4, "{worst_m}");
        }
    }

    /// Law: a grid whose nodes lie on no lattice of ours is answered within half a millimetre.
    #[test]
    fn odd_grids_are_close() {
        let extent = [6.0, 45.0, 7.0, 46.0];
        let by = grid([37.3, 41.7], EARTH);
        let Fit { table, worst_m, .. } = fitted(by.clone(), extent);
        assert!(worst_m < 5e-3, "{worst_m}");
        assert!((table.at(6.5, 45.5) - by(&[6.5], &[45.5])[0]).abs() < 5e-3);
    }

    /// Law: a place has the same bits before its block is filled, after, and beyond all blocks.
    #[test]
    fn bits_do_not_depend_on_what_was_asked_before() {
        let mut rng = rng();
        let extent = [6.0, 45.0, 7.0, 46.0];
        let table = |extent| fitted(grid([60.0, 60.0], EARTH), extent).table;
        let (first, other) = (table(extent), table([-20.0, -20.0, -19.0, -19.0]));
        let places: Vec<(f64, f64)> =
            (0..2_000).map(|_| (rng.random_range(6.0..7.0), rng.random_range(45.0..46.0))).collect();
        let once: Vec<f64> = places.iter().map(|(lon, lat)| first.at(*lon, *lat)).collect();
        assert!(first.blocks.iter().any(|block| block.filled.get().is_some()), "none was filled");
        for ((lon, lat), once) in places.iter().zip(once) {
            assert_eq!(first.at(*lon, *lat).to_bits(), once.to_bits());
            assert_eq!(other.at(*lon, *lat).to_bits(), once.to_bits());
        }
    }

    /// Law: no metres in a region are outside of its bounds, and those of a small region are close to its middle.
    #[test]
    fn bounds_hold() {
        let mut rng = rng();
        for (box_deg, extent) in [(EARTH, EARTH), ([-10.0, 40.0, 10.0, 50.0], EARTH)] {
            let Fit { table, range_m, .. } = fitted(grid([20.0, 30.0], box_deg), extent);
            for _ in 0..3_000 {
                let (lon, lat) = (rng.random_range(-12.0..12.0f64), rng.random_range(38.0..52.0f64));
                let radius_rad = 10f64.powf(rng.random_range(-8.0..0.3));
                let n = n_vector(lat.to_radians(), lon.to_radians());
                let region = Region::cap(n, radius_rad);
                let (low, high) = table.bounds(&region).unwrap_or(range_m);
                for _ in 0..8 {
                    let aside = n.any_orthonormal_vector() * rng.random_range(-1.0..1.0) * radius_rad.min(1.0);
                    let place = (n + aside).normalize();
                    if place.dot(n).clamp(-1.0, 1.0).acos() > radius_rad {
                        continue;
                    }
                    let (lon, lat) = crate::height::lon_lat_deg(place);
                    let metres = table.at(lon, lat);
                    assert!(
                        (low - 1e-9..=high + 1e-9).contains(&metres),
                        "{metres}: {low} {high}, {radius_rad} round {lon} {lat}"
                    );
                }
                if radius_rad < 1e-7 {
                    assert!(high - low < 3e5 * radius_rad, "{low} {high} at {radius_rad}");
                }
            }
        }
    }

    /// Law: where there is no answer nothing is added, without a step to where there is; equal datums need no table.
    #[test]
    fn gaps_and_equal_datums() {
        let Fit { table, gaps, worst_m, .. } = fitted(grid([20.0, 20.0], [-10.0, 40.0, 10.0, 50.0]), EARTH);
        assert!((gaps - 0.98).abs() < 0.02 && table.per_degree == [20, 20] && worst_m < 1e-4, "{gaps} {worst_m}");
        assert_eq!([table.at(-30.0, 45.0), table.at(0.0, 51.0), table.at(170.0, -45.0)], [0.0; 3]);
        let steps: Vec<f64> = (0..=2_000).map(|k| table.at(9.9 + 1e-4 * f64::from(k), 45.0)).collect();
        assert!(steps.windows(2).all(|two| (two[1] - two[0]).abs() < 0.3), "a cliff");
        let nothing = |metres: f64| {
            let by = Arc::new(move |lon: &[f64], _: &[f64]| vec![metres; lon.len()]);
            fit(by, EARTH, &[]).map(|found| found.is_none())
        };
        assert_eq!(
            [nothing(0.0), nothing(1e-6), nothing(0.5), nothing(f64::NAN)],
            [Ok(true), Ok(true), Ok(false), Err(NoShift)]
        );
    }
}
