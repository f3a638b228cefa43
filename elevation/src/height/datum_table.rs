//! By how many metres do two vertical datums differ at a place? A table on the lattice of PROJ's own grids, made where it is asked for.
//!
//! Between the nodes of its grids PROJ interpolates linearly in longitude and latitude. A table of what it answers at the same nodes, or
//! at more that include them, answers as PROJ does between them. Which nodes these are is found by trying: degrees are divided into as few
//! parts as make the line between two nodes that which PROJ has. A block of the table is filled when it has been asked for as often as
//! filling it costs; before, four nodes are asked of PROJ for each place. A place has the same bits either way.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicU32, Ordering},
};

use smallvec::SmallVec;

use super::region::Region;

/// Cells along the side of a block.
const SIDE: i64 = 64;
/// Nodes along the side of one.
const NODES: usize = SIDE as usize + 1;
/// Places that are asked for in a block before it is filled.
const FEW: u32 = 256;
/// Blocks of which the least and greatest are looked up for bounds, at most.
const MOST_BLOCKS: usize = 4;
/// Parts of a degree of PROJ's grids, and of what is common to two of them.
const PARTS: [u32; 33] = [
    4, 5, 6, 10, 12, 15, 20, 24, 25, 30, 40, 48, 50, 60, 72, 75, 80, 90, 100, 120, 144, 150, 180, 200, 240, 300, 360,
    480, 600, 720, 1200, 1800, 3600,
];
/// Nodes along an extent, at most.
const MOST_NODES: f64 = 90_000.0;
/// Metres by which a table along an axis may differ from PROJ.
const CLOSE_M: f64 = 5e-5;
/// Places at which a table is compared with PROJ, and those that most wrong ones fail at.
const PROBES: [usize; 2] = [1024, 32];
/// They are in so many clusters of some degrees, as PROJ keeps few parts of a grid in memory.
const CLUSTERS: usize = 8;
const CLUSTER_DEG: f64 = 0.5;
/// Differences in metres that are none.
const NONE_M: f64 = 1e-4;

/// Metres at places, by longitude and latitude in degrees; what is no number where there is no answer. At any place it is the same,
/// whatever is asked with it.
pub(crate) type Answers = dyn Fn(&[f64], &[f64]) -> Vec<f64> + Send + Sync;

/// Metres between two datums.
pub(crate) struct Table {
    by: Arc<Answers>,
    /// Nodes of a degree, of longitude and latitude.
    per_degree: [u32; 2],
    /// Column and row of the first node, from 180 W and 90 N.
    first: [i64; 2],
    /// Blocks along a row.
    across: i64,
    blocks: Box<[Block]>,
    /// No answer is outside.
    range_m: (f64, f64),
}

#[derive(Default)]
struct Block {
    /// How often it was asked for before it was filled.
    asked: AtomicU32,
    filled: OnceLock<Filled>,
}

struct Filled {
    /// Row by row.
    nodes_m: Box<[f32]>,
    range_m: (f64, f64),
    /// Largest difference between neighbours.
    steepest_m: f64,
}

/// How well a table does.
#[derive(Debug, PartialEq)]
pub(crate) struct Fit {
    pub per_degree: [u32; 2],
    /// Largest difference from PROJ that was found, in metres.
    pub worst_m: f64,
    /// Share of the extent without an answer.
    pub gaps: f64,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Table")
            .field("per_degree", &self.per_degree)
            .field("range_m", &self.range_m)
            .finish_non_exhaustive()
    }
}

impl Table {
    /// For places in a box: west, south, east, north in degrees. `None` if the datums are the same there.
    ///
    /// # Errors
    /// If there is no answer at any place.
    pub fn fit(by: Arc<Answers>, bbox_deg: [f64; 4]) -> Result<Option<(Self, Fit)>, NoAnswer> {
        let [west, south, east, north] = bbox_deg;
        let extent = [(east - west).clamp(0.0, 360.0), (north - south).clamp(0.0, 180.0)];
        let Range { range_m, gaps, answered } = range(&*by, bbox_deg, extent).ok_or(NoAnswer)?;
        if range_m.0 > -NONE_M && range_m.1 < NONE_M {
            return Ok(None);
        }
        let last = [west + extent[0], south + extent[1]];
        let places = |from: usize, to: usize| -> [Vec<f64>; 2] {
            let along = |axis: usize, k: usize| {
                // The golden ratio of the plane: evenly spread, on no lattice.
                let part = (0.5 + k as f64 * [0.754_877_666_246_692_7, 0.569_840_290_998_053_2][axis]).fract();
                let around = CLUSTER_DEG.min(extent[axis]);
                let first = (answered[k % CLUSTERS][axis] - 0.5 * around).min(last[axis] - around);
                first.max(last[axis] - extent[axis]) + around * part
            };
            let order = || (0..CLUSTERS).flat_map(|cluster| (from..to).filter(move |k| k % CLUSTERS == cluster));
            let lat = order().map(|k| along(1, k).clamp(-90.0, 90.0));
            [order().map(|k| turned(along(0, k))).collect(), lat.collect()]
        };
        let probes = [places(0, PROBES[1]), places(PROBES[1], PROBES[0])];
        let at_probes = probes.each_ref().map(|[lon, lat]| by(lon, lat));
        let parts = |axis: usize| {
            let possible = || PARTS.into_iter().filter(|parts| f64::from(*parts) * extent[axis] <= MOST_NODES);
            let mut best = (f64::INFINITY, possible().next_back().unwrap_or(PARTS[0]));
            for parts in possible() {
                let mut worst_m = 0.0;
                for (places, expected) in probes.iter().zip(&at_probes) {
                    if worst_m < CLOSE_M {
                        worst_m = f64::max(worst_m, error_along(&*by, axis, parts, places, expected));
                    }
                }
                if worst_m < best.0 {
                    best = (worst_m, parts);
                }
                if worst_m < CLOSE_M {
                    break;
                }
            }
            best.1
        };
        let per_degree = [parts(0), parts(1)];
        let table = Self::of(by, per_degree, bbox_deg, range_m);
        let [lon, lat] = places(PROBES[0], 2 * PROBES[0]);
        let expected = (table.by)(&lon, &lat);
        let error_m = |((lon, lat), expected): ((&f64, &f64), f64)| {
            let (cell, part) = table.cell(*lon, *lat);
            let at_corners = table.answers(corners(cell).into_iter());
            // Beside a place without an answer the table goes over to 0.
            let is_within = at_corners.iter().all(|m| !m.is_nan()) && !expected.is_nan();
            if is_within { (between([0, 1, 2, 3].map(|k| at_corners[k] as f32), part) - expected).abs() } else { 0.0 }
        };
        let worst_m = lon.iter().zip(&lat).zip(expected).map(error_m).fold(0.0, f64::max);
        Ok(Some((table, Fit { per_degree, worst_m, gaps })))
    }

    /// Without any block, for places in a box.
    fn of(by: Arc<Answers>, per_degree: [u32; 2], [west, south, east, north]: [f64; 4], range_m: (f64, f64)) -> Self {
        let extent = [(east - west).clamp(0.0, 360.0), (north - south).clamp(0.0, 180.0)];
        let [columns, rows] = per_degree.map(f64::from);
        // A cell more all round, for rounding.
        let first = [(turned(west) + 180.0) * columns, (90.0 - north) * rows].map(|node| node.floor() as i64 - 1);
        let first = [first[0], first[1].max(0)];
        let blocks_of = |cells: f64| (cells.ceil() as i64 + 3) / SIDE + 1;
        let (across, down) = (blocks_of(extent[0] * columns), blocks_of(extent[1] * rows));
        let blocks = (0..across * down).map(|_| Block::default()).collect();
        Self { by, per_degree, first, across, blocks, range_m }
    }

    /// The same with no more nodes than `per_degree`, close to this between them; `None` if it has no more.
    pub fn coarser(&self, per_degree: u32, bbox_deg: [f64; 4]) -> Option<Self> {
        let fewer = self.per_degree.map(|own| own.min(per_degree));
        (fewer != self.per_degree).then(|| Self::of(self.by.clone(), fewer, bbox_deg, self.range_m))
    }

    /// No answer is below the first or above the second.
    pub fn range_m(&self) -> (f64, f64) {
        self.range_m
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
            [a, b, c, d] => between([a, b, c, d], part),
            _ => 0.0,
        }
    }

    /// The block of a cell, which has a column and row in it, filled.
    fn filled(&self, block: usize, cell: [i64; 2], [column, row]: [usize; 2]) -> &Filled {
        self.blocks[block].filled.get_or_init(|| {
            let [left, top] = [cell[0] - column as i64, cell[1] - row as i64];
            let nodes_m =
                self.nodes((top..=top + SIDE).flat_map(|row| (left..=left + SIDE).map(move |column| [column, row])));
            let metres = || nodes_m.iter().map(|m| f64::from(*m));
            let range_m = (metres().fold(f64::INFINITY, f64::min), metres().fold(f64::NEG_INFINITY, f64::max));
            let along = nodes_m.chunks_exact(NODES).flat_map(|row| row.windows(2).map(|two| two[1] - two[0]));
            let down = nodes_m.iter().zip(&nodes_m[NODES..]).map(|(a, b)| b - a);
            let steepest_m = f64::from(along.chain(down).map(f32::abs).fold(0.0, f32::max));
            Filled { nodes_m, range_m, steepest_m }
        })
    }

    /// Least and greatest of the metres in a region: proven by the nodes there in a small one, else those of the whole table.
    pub fn bounds(&self, region: &Region) -> (f64, f64) {
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
            return self.range_m;
        }
        let steps = |from: i64, length: i64| (0..=length / SIDE + 1).map(move |k| from + (k * SIDE).min(length));
        let mut seen: SmallVec<[usize; MOST_BLOCKS]> = SmallVec::new();
        let (mut low, mut most, mut steepest_m) = (f64::INFINITY, f64::NEG_INFINITY, 0f64);
        for cell in steps(top, high).flat_map(|row| steps(left, wide).map(move |column| [column, row])) {
            let Some((block, at)) = self.block(cell) else { return self.range_m };
            if seen.contains(&block) {
                continue;
            }
            if seen.len() == MOST_BLOCKS {
                return self.range_m;
            }
            seen.push(block);
            let filled = self.filled(block, cell, at);
            (low, most) = (low.min(filled.range_m.0), most.max(filled.range_m.1));
            steepest_m = steepest_m.max(filled.steepest_m);
        }
        let (middle_m, reach_m) = (self.at(region.lon_deg, region.lat_deg), steepest_m * (reach[0] + reach[1]));
        ((middle_m - reach_m).max(low), (middle_m + reach_m).min(most))
    }
}

/// Why there is no table.
#[derive(Debug, PartialEq)]
pub(crate) struct NoAnswer;

impl Filled {
    #[inline]
    fn between(&self, column: usize, row: usize, part: [f64; 2]) -> f64 {
        let at = |column: usize, row: usize| self.nodes_m[row * NODES + column];
        between([at(column, row), at(column + 1, row), at(column, row + 1), at(column + 1, row + 1)], part)
    }
}

/// The nodes of a cell: north-west, north-east, south-west, south-east.
fn corners([column, row]: [i64; 2]) -> [[i64; 2]; 4] {
    [[column, row], [column + 1, row], [column, row + 1], [column + 1, row + 1]]
}

/// Linear between the nodes of a cell: north-west, north-east, south-west, south-east.
#[inline]
fn between([a, b, c, d]: [f32; 4], [tx, ty]: [f64; 2]) -> f64 {
    let along = |a: f32, b: f32| f64::from(a) + (f64::from(b) - f64::from(a)) * tx;
    let (north, south) = (along(a, b), along(c, d));
    north + (south - north) * ty
}

/// A longitude from -180 to 180 degrees.
pub(super) fn turned(lon_deg: f64) -> f64 {
    (lon_deg + 180.0).rem_euclid(360.0) - 180.0
}

/// Metres in a box.
struct Range {
    /// Least and greatest.
    range_m: (f64, f64),
    /// Share that has no answer.
    gaps: f64,
    /// Some longitudes and latitudes that have one.
    answered: [[f64; 2]; CLUSTERS],
}

/// Metres in a box, by places in it, and half as much more as neighbours differ. `None` if there is none at all.
fn range(by: &Answers, [west, south, ..]: [f64; 4], extent: [f64; 2]) -> Option<Range> {
    let counts = extent.map(|deg| ((60.0 * deg).ceil() as usize).clamp(15, 127) + 1);
    let part = |axis: usize, k: usize| k as f64 / (counts[axis] - 1) as f64;
    let mut nodes: Vec<[usize; 2]> =
        (0..counts[1]).flat_map(|row| (0..counts[0]).map(move |column| [column, row])).collect();
    // Squares of them, as parts of a grid are.
    nodes.sort_by_key(|[column, row]| [row / 8, column / 8]);
    let lon: Vec<f64> = nodes.iter().map(|[column, _]| turned(west + extent[0] * part(0, *column))).collect();
    let lat: Vec<f64> = nodes.iter().map(|[_, row]| (south + extent[1] * part(1, *row)).clamp(-90.0, 90.0)).collect();
    let mut found = vec![f64::NAN; nodes.len()];
    for ([column, row], metres) in nodes.iter().zip(by(&lon, &lat)) {
        found[row * counts[0] + column] = metres;
    }
    let (mut low, mut high, mut gaps) = (f64::INFINITY, f64::NEG_INFINITY, 0);
    let mut answered = Vec::new();
    for node in nodes {
        let metres = found[node[1] * counts[0] + node[0]];
        if metres.is_nan() {
            gaps += 1;
            continue;
        }
        (low, high) = (low.min(metres), high.max(metres));
        answered.push(node);
    }
    if gaps == found.len() {
        return None;
    }
    let across = found.chunks_exact(counts[0]).flat_map(|row| row.windows(2).map(|two| two[1] - two[0]));
    let down = found.iter().zip(found.iter().skip(counts[0])).map(|(a, b)| b - a);
    // A difference with what is no number is no number, and passed over.
    let margin_m = 0.5 * across.chain(down).map(f64::abs).fold(0.0, f64::max);
    let is_none = low > -NONE_M && high < NONE_M;
    let more_m = if is_none { 0.0 } else { margin_m + NONE_M };
    let range_m = (low - more_m, high + more_m);
    let range_m = if gaps > 0 { (range_m.0.min(0.0), range_m.1.max(0.0)) } else { range_m };
    let answered = std::array::from_fn(|k| {
        let [column, row] = answered[k * (answered.len() - 1) / (CLUSTERS - 1)];
        [west + extent[0] * part(0, column), south + extent[1] * part(1, row)]
    });
    Some(Range { range_m, gaps: gaps as f64 / found.len() as f64, answered })
}

/// Largest difference between PROJ's metres at places and the line between the nodes beside them along an axis.
fn error_along(by: &Answers, axis: usize, parts: u32, places: &[Vec<f64>; 2], expected: &[f64]) -> f64 {
    let parts = f64::from(parts);
    let from = [-180.0, -90.0][axis];
    let steps: Vec<f64> = places[axis].iter().map(|deg| (deg - from) * parts).collect();
    let at_nodes = |beyond: f64| {
        let nodes: Vec<f64> = steps.iter().map(|step| from + (step.floor() + beyond) / parts).collect();
        if axis == 0 {
            by(&nodes.iter().map(|lon| turned(*lon)).collect::<Vec<_>>(), &places[1])
        } else {
            by(&places[0], &nodes.iter().map(|lat| lat.min(90.0)).collect::<Vec<_>>())
        }
    };
    let (before, after) = (at_nodes(0.0), at_nodes(1.0));
    let error = |k: usize| {
        let part = steps[k] - steps[k].floor();
        (before[k] + (after[k] - before[k]) * part - expected[k]).abs()
    };
    let errors: Vec<f64> = (0..expected.len()).map(error).filter(|error| !error.is_nan()).collect();
    // Nodes beyond the end of a grid are none of it; a few places may lie beside an end.
    let answered = expected.iter().filter(|m| !m.is_nan()).count();
    if errors.len() * 10 < answered * 9 { f64::INFINITY } else { errors.into_iter().fold(0.0, f64::max) }
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::*;
    use crate::{geodesy::n_vector, random::rng};

    /// A grid as PROJ has them: nodes some parts of a degree apart, with metres that vary by decimetres from one to the next, and linear
    /// between; no answer outside of a box.
    fn grid(parts: [f64; 2], [west, south, east, north]: [f64; 4]) -> Arc<Answers> {
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
            let (table, fit) = Table::fit(by.clone(), extent).expect("answers").expect("a difference");
            assert_eq!((fit.per_degree, fit.gaps), (most, 0.0), "{parts:?}");
            let [west, south, east, north] = extent;
            for _ in 0..20_000 {
                let (lon, lat) = (turned(rng.random_range(west..east)), rng.random_range(south..north));
                let expected = by(&[lon], &[lat])[0];
                assert!(
                    (table.at(lon, lat) - expected).abs() < 1e-4,
                    "{parts:?} at {lon} {lat}: {} {expected}",
                    table.at(lon, lat)
                );
                assert!((table.range_m.0..=table.range_m.1).contains(&expected), "{expected} {:?}", table.range_m);
            }
            assert!(fit.worst_m < 1e-4, "{fit:?}");
        }
    }

    /// Law: a grid whose nodes lie on no lattice of ours is answered within half a millimetre.
    #[test]
    fn odd_grids_are_close() {
        let extent = [6.0, 45.0, 7.0, 46.0];
        let by = grid([37.3, 41.7], EARTH);
        let (table, fit) = Table::fit(by.clone(), extent).expect("answers").expect("a difference");
        assert!(fit.worst_m < 5e-3, "{fit:?}");
        assert!((table.at(6.5, 45.5) - by(&[6.5], &[45.5])[0]).abs() < 5e-3);
    }

    /// Law: a place has the same bits before its block is filled, after, and beyond all blocks.
    #[test]
    fn bits_do_not_depend_on_what_was_asked_before() {
        let mut rng = rng();
        let extent = [6.0, 45.0, 7.0, 46.0];
        let fit = |extent| Table::fit(grid([60.0, 60.0], EARTH), extent).expect("answers").expect("a difference").0;
        let (first, other) = (fit(extent), fit([-20.0, -20.0, -19.0, -19.0]));
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
            let (table, _) = Table::fit(grid([20.0, 30.0], box_deg), extent).expect("answers").expect("a difference");
            for _ in 0..3_000 {
                let (lon, lat) = (rng.random_range(-12.0..12.0f64), rng.random_range(38.0..52.0f64));
                let radius_rad = 10f64.powf(rng.random_range(-8.0..0.3));
                let n = n_vector(lat.to_radians(), lon.to_radians());
                let region = Region::cap(n, radius_rad);
                let (low, high) = table.bounds(&region);
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
        let (table, fit) =
            Table::fit(grid([20.0, 20.0], [-10.0, 40.0, 10.0, 50.0]), EARTH).expect("answers").expect("a difference");
        assert!((fit.gaps - 0.98).abs() < 0.02 && fit.per_degree == [20, 20] && fit.worst_m < 1e-4, "{fit:?}");
        assert_eq!([table.at(-30.0, 45.0), table.at(0.0, 51.0), table.at(170.0, -45.0)], [0.0; 3]);
        let steps: Vec<f64> = (0..=2_000).map(|k| table.at(9.9 + 1e-4 * f64::from(k), 45.0)).collect();
        assert!(steps.windows(2).all(|two| (two[1] - two[0]).abs() < 0.3), "a cliff");
        let nothing = |metres: f64| {
            Table::fit(Arc::new(move |lon: &[f64], _: &[f64]| vec![metres; lon.len()]), EARTH)
                .map(|found| found.is_none())
        };
        assert_eq!(
            [nothing(0.0), nothing(1e-6), nothing(0.5), nothing(f64::NAN)],
            [Ok(true), Ok(true), Ok(false), Err(NoAnswer)]
        );
    }
}
