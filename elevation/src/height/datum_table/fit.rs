//! Which table does for two vertical datums in a box, and how well? The fewest parts of a degree that answer as PROJ does.

use std::sync::Arc;

use super::{ShiftFunction, Table, wrap_lon_deg};
use crate::geodesy::extents::evenly_spread;

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

/// A table, and how well it does in a box.
#[derive(Debug)]
pub(crate) struct Fit {
    pub table: Arc<Table>,
    /// Largest difference from PROJ that was found, in metres.
    pub worst_m: f64,
    /// Share of the extent without an answer.
    pub gaps: f64,
    /// No answer is outside.
    pub range_m: (f64, f64),
}

/// Why there is no table.
#[derive(Debug, PartialEq)]
pub(crate) struct NoShift;

/// The table for places in a box: west, south, east, north in degrees. One that is made for the same two datums is taken if it holds them
/// and does there; if it does not hold them its lattice is tried first. `None` if the datums are the same there.
///
/// # Errors
/// If there is no answer at any place.
pub(crate) fn fit(by: Arc<ShiftFunction>, bbox_deg: [f64; 4], made: &[Arc<Table>]) -> Result<Option<Fit>, NoShift> {
    let [west, south, east, north] = bbox_deg;
    let extent = [(east - west).clamp(0.0, 360.0), (north - south).clamp(0.0, 180.0)];
    let Range { range_m, gaps, answered } = range(&*by, bbox_deg, extent).ok_or(NoShift)?;
    if range_m.0 > -NONE_M && range_m.1 < NONE_M {
        return Ok(None);
    }
    let last = [west + extent[0], south + extent[1]];
    let places = |from: usize, to: usize| -> [Vec<f64>; 2] {
        let along = |axis: usize, k: usize| {
            let part = evenly_spread(k)[axis];
            let around = CLUSTER_DEG.min(extent[axis]);
            let first = (answered[k % CLUSTERS][axis] - 0.5 * around).min(last[axis] - around);
            first.max(last[axis] - extent[axis]) + around * part
        };
        let order = || (0..CLUSTERS).flat_map(|cluster| (from..to).filter(move |k| k % CLUSTERS == cluster));
        let lat = order().map(|k| along(1, k).clamp(-90.0, 90.0));
        [order().map(|k| wrap_lon_deg(along(0, k))).collect(), lat.collect()]
    };
    let probes = [places(0, PROBES[1]), places(PROBES[1], PROBES[0])];
    let at_probes = probes.each_ref().map(|[lon, lat]| by(lon, lat));
    // Largest error along an axis; of what is wrong at the first places, that there.
    let worst_m = |axis: usize, parts: u32| {
        let mut worst_m = 0.0;
        for (places, expected) in probes.iter().zip(&at_probes) {
            if worst_m < CLOSE_M {
                worst_m = f64::max(worst_m, error_along(&*by, axis, parts, places, expected));
            }
        }
        worst_m
    };
    let is_possible = |axis: usize, parts: u32| f64::from(parts) * extent[axis] <= MOST_NODES;
    let does = |table: &Arc<Table>| {
        let fits = |axis: usize, parts: u32| is_possible(axis, parts) && worst_m(axis, parts) < CLOSE_M;
        let [columns, rows] = table.per_degree;
        fits(0, columns) && fits(1, rows)
    };
    let parts = |axis: usize| {
        let possible = || PARTS.into_iter().filter(|parts| is_possible(axis, *parts));
        let mut best = (f64::INFINITY, possible().next_back().unwrap_or(PARTS[0]));
        for parts in possible() {
            let worst_m = worst_m(axis, parts);
            if worst_m < best.0 {
                best = (worst_m, parts);
            }
            if worst_m < CLOSE_M {
                break;
            }
        }
        best.1
    };
    let table = match made.iter().find(|table| does(table)) {
        Some(table) if table.holds(bbox_deg) => table.clone(),
        Some(table) => Arc::new(Table::of(by.clone(), table.per_degree, bbox_deg)),
        None => Arc::new(Table::of(by.clone(), [parts(0), parts(1)], bbox_deg)),
    };
    let [lon, lat] = places(PROBES[0], 2 * PROBES[0]);
    let expected = by(&lon, &lat);
    let errors_m = lon.iter().zip(&lat).zip(expected).map(|((lon, lat), expected)| table.error_m(*lon, *lat, expected));
    let worst_m = errors_m.fold(0.0, f64::max);
    Ok(Some(Fit { table, worst_m, gaps, range_m }))
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
fn range(by: &ShiftFunction, [west, south, ..]: [f64; 4], extent: [f64; 2]) -> Option<Range> {
    let counts = extent.map(|deg| ((60.0 * deg).ceil() as usize).clamp(15, 127) + 1);
    let part = |axis: usize, k: usize| k as f64 / (counts[axis] - 1) as f64;
    let mut nodes: Vec<[usize; 2]> =
        (0..counts[1]).flat_map(|row| (0..counts[0]).map(move |column| [column, row])).collect();
    // Squares of them, as parts of a grid are.
    nodes.sort_by_key(|[column, row]| [row / 8, column / 8]);
    let lon: Vec<f64> = nodes.iter().map(|[column, _]| wrap_lon_deg(west + extent[0] * part(0, *column))).collect();
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
    // Where answers end, they go on by up to a step beyond the last place.
    let margin_m = if gaps > 0 { 2.0 * margin_m } else { margin_m };
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
fn error_along(by: &ShiftFunction, axis: usize, parts: u32, places: &[Vec<f64>; 2], expected: &[f64]) -> f64 {
    let parts = f64::from(parts);
    let from = [-180.0, -90.0][axis];
    let steps: Vec<f64> = places[axis].iter().map(|deg| (deg - from) * parts).collect();
    let at_nodes = |beyond: f64| {
        let nodes: Vec<f64> = steps.iter().map(|step| from + (step.floor() + beyond) / parts).collect();
        if axis == 0 {
            by(&nodes.iter().map(|lon| wrap_lon_deg(*lon)).collect::<Vec<_>>(), &places[1])
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
