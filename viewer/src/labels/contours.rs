//! Where can contour lines be labelled? Where index contours cross the middles of cells of a quadtree on the cube.
//!
//! Cells are about as large as the room that a label takes, so they are fine near the eye and coarse far from it. What is found in
//! one depends on the ground alone, and is kept for as long as the lines are the same.

use std::collections::hash_map::Entry;

use glam::DVec3;
use rustc_hash::FxHashMap;
use terrain::cube::{FACES, face_normal};
use terrain::geodesy::Ellipsoid;
use terrain::height::Relief;

use super::anchor::LabelAnchor;
use super::label_view::LabelView;
use super::subject::Subject;

/// Contour lines between two index contours, the labelled and bolder ones; those of `contours` in
/// `shaders/viewer/ground_overlays.wgsl`.
pub(super) const INDEX: f64 = 5.0;
/// Cells larger than this on screen are cut, points.
const CELL_PT: f64 = 200.0;
/// Contours closer than this on screen are not labelled, points.
const CLOSEST_PT: f64 = 12.0;
/// Heights along each middle line of a cell.
const SAMPLES: usize = 9;
/// Heights that looking into a cell may take.
const HEIGHTS_A_CELL: usize = 2 * SAMPLES + 2 * (REFINEMENTS + 3);
/// Steps from the two samples around a crossing to its place.
const REFINEMENTS: usize = 4;
/// Most cells whose spots are kept.
const MOST_CELLS: usize = 4096;
/// Finest cells: 10 m.
const MOST_LEVELS: u32 = 20;

/// A cell of a cube face.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct ContourCell {
    face: u32,
    level: u32,
    i: u32,
    j: u32,
}

impl ContourCell {
    /// The unit normal at a part of the cell, each of `s` and `t` in [0, 1].
    fn normal(self, s: f64, t: f64) -> DVec3 {
        let side = 2.0 / f64::from(1u32 << self.level);
        face_normal(self.face, (f64::from(self.i) + s) * side - 1.0, (f64::from(self.j) + t) * side - 1.0)
    }

    /// Length of its sides, about, metres.
    fn side_m(self, ellipsoid: Ellipsoid) -> f64 {
        ellipsoid.semi_major_m() * std::f64::consts::FRAC_PI_2 / f64::from(1u32 << self.level)
    }

    fn children(self) -> [ContourCell; 4] {
        let ContourCell { face, level, i, j } = self;
        [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| ContourCell {
            face,
            level: level + 1,
            i: 2 * i + x,
            j: 2 * j + y,
        })
    }
}

/// What is known of cells, for one distance of contour lines.
#[derive(Debug, Default)]
pub(super) struct ContourAnchors {
    index_m: i32,
    exaggeration: f64,
    anchors: FxHashMap<ContourCell, Vec<LabelAnchor>>,
}

impl ContourAnchors {
    /// Spots in view, and whether there are cells that `most_heights` were not enough to look into.
    pub fn in_view(
        &mut self,
        eye: &LabelView<'_>,
        index_m: i32,
        ground_m: f64,
        most_heights: usize,
    ) -> (Vec<LabelAnchor>, bool) {
        let relief = eye.surface.relief();
        if self.index_m != index_m || self.exaggeration != relief.exaggeration() || self.anchors.len() > MOST_CELLS {
            *self = ContourAnchors { index_m, exaggeration: relief.exaggeration(), anchors: FxHashMap::default() };
        }
        let mut left = most_heights;
        let mut unknown = false;
        let mut found = Vec::new();
        for cell in cells_in_view(eye, f64::from(index_m) * relief.exaggeration(), ground_m) {
            let anchors = match self.anchors.entry(cell) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(_) if left < HEIGHTS_A_CELL => {
                    unknown = true;
                    continue;
                }
                Entry::Vacant(new) => {
                    left -= HEIGHTS_A_CELL;
                    new.insert(anchors_in(relief, cell, index_m))
                }
            };
            found.extend(anchors.iter().copied());
        }
        (found, unknown)
    }
}

/// The cells on which labels of contours `index_m` metres apart, as drawn, may stand; the nearest first.
fn cells_in_view(eye: &LabelView<'_>, index_m: f64, ground_m: f64) -> Vec<ContourCell> {
    let ellipsoid = eye.camera.ellipsoid;
    let points_per_radian = eye.points_per_radian();
    let from_eye = eye.camera.orientation.inverse();
    let half = (0.5 * eye.lens.fov_y_rad).tan();
    let (slope_x, slope_y) = (half * eye.viewport.aspect(), half);
    let mut open: Vec<ContourCell> = (0..FACES).map(|face| ContourCell { face, level: 0, i: 0, j: 0 }).collect();
    let mut seen = Vec::new();
    while let Some(cell) = open.pop() {
        let n = cell.normal(0.5, 0.5);
        let position_m = ellipsoid.ecef(n, ground_m);
        let side_m = cell.side_m(ellipsoid);
        let way = position_m - eye.camera.eye_m;
        let distance_m = way.length();
        let nearest_m = (distance_m - 0.75 * side_m).max(1.0);
        // A sphere round the cell beside the picture, or behind the eye.
        let at = from_eye * way;
        let beside = |across: f64, slope: f64| across.abs() - slope * -at.z > 0.9 * side_m * slope.hypot(1.0);
        if at.z > 0.9 * side_m || beside(at.x, slope_x) || beside(at.y, slope_y) {
            continue;
        }
        let facing = eye.facing(position_m, n);
        // On the other side of the Earth, the cell's own curvature left aside.
        if facing < -side_m / ellipsoid.semi_major_m() - 0.02 {
            continue;
        }
        let side_pt = side_m / nearest_m * points_per_radian;
        if side_pt > CELL_PT && cell.level < MOST_LEVELS {
            open.extend(cell.children());
            continue;
        }
        // So far away a contour has the next one too close above it, even on a wall; and level ground is seen too flat.
        let too_close = index_m * points_per_radian < CLOSEST_PT * distance_m;
        if !(too_close && side_pt * facing < 30.0) {
            seen.push((distance_m, cell));
        }
    }
    seen.sort_by(|a, b| a.0.total_cmp(&b.0));
    seen.into_iter().map(|(_, cell)| cell).collect()
}

/// At most one spot on each middle line of a cell: that of the roundest height, the nearest to the middle of those.
fn anchors_in(relief: &Relief, cell: ContourCell, index_m: i32) -> Vec<LabelAnchor> {
    let apart_m = cell.side_m(relief.ellipsoid()) / 64.0;
    let height_m = |n: DVec3| relief.sample_spaced(n, apart_m).height_m;
    let step_m = f64::from(index_m) * relief.exaggeration();
    let mut anchors: Vec<LabelAnchor> = Vec::new();
    for upright in [false, true] {
        let normal = |part: f64| if upright { cell.normal(0.5, part) } else { cell.normal(part, 0.5) };
        let part = |sample: usize| sample as f64 / (SAMPLES - 1) as f64;
        let heights: [f64; SAMPLES] = std::array::from_fn(|sample| height_m(normal(part(sample))));
        let crossings = heights.windows(2).enumerate().flat_map(|(sample, ends)| {
            let (low, high) = (ends[0].min(ends[1]) / step_m, ends[0].max(ends[1]) / step_m);
            // A few of them, if they are so close: the roundest will be among those of another cell.
            let first = low.floor() as i32 + 1;
            (first..=high.floor() as i32).take(8).map(move |number| (number, sample))
        });
        let best = crossings
            // The coast is no contour line.
            .filter(|(number, _)| *number != 0)
            .map(|(number, sample)| (Subject::Contour(number * index_m), number, sample))
            .filter(|(line, ..)| anchors.iter().all(|anchor| anchor.subject != *line))
            .max_by_key(|(line, _, sample)| (line.roundness(), SAMPLES - (2 * sample + 1).abs_diff(SAMPLES - 1)));
        if let Some((line, number, sample)) = best {
            let level_m = f64::from(number) * step_m;
            let (from, to) = (part(sample), part(sample + 1));
            let at = crossing(
                &|part| height_m(normal(part)) - level_m,
                [from, to],
                [heights[sample] - level_m, heights[sample + 1] - level_m],
            );
            anchors.extend(anchor(relief.ellipsoid(), &height_m, line, normal(at), level_m, step_m, apart_m));
        }
    }
    anchors
}

/// Where a function is zero between two places where it has different signs: false position, halving what it keeps (the
/// Illinois rule).
fn crossing(value: &dyn Fn(f64) -> f64, ends: [f64; 2], values: [f64; 2]) -> f64 {
    let ([mut a, mut b], [mut at_a, mut at_b]) = (ends, values);
    for _ in 0..REFINEMENTS {
        if at_a == at_b {
            break;
        }
        let c = b - at_b * (b - a) / (at_b - at_a);
        let at_c = value(c);
        if (at_c < 0.0) == (at_b < 0.0) {
            at_a *= 0.5;
        } else {
            (a, at_a) = (b, at_b);
        }
        (b, at_b) = (c, at_c);
    }
    b
}

/// The spot on a contour through a place; none on ground that is level there.
fn anchor(
    ellipsoid: Ellipsoid,
    height_m: &dyn Fn(DVec3) -> f64,
    line: Subject,
    n: DVec3,
    level_m: f64,
    step_m: f64,
    reach_m: f64,
) -> Option<LabelAnchor> {
    let (east, north, _) = terrain::geodesy::east_north_up(n);
    let beside = |way: DVec3| height_m((n + way * (reach_m / ellipsoid.semi_major_m())).normalize());
    let rise = |way: DVec3| (beside(way) - beside(-way)) / (2.0 * reach_m);
    let gradient = rise(east) * east + rise(north) * north;
    let steepness = gradient.length();
    let uphill = gradient.try_normalize()?;
    let to_next_m = uphill * (step_m / steepness) + n * step_m;
    to_next_m.is_finite().then_some(LabelAnchor {
        subject: line,
        position_m: ellipsoid.ecef(n, level_m),
        up: n,
        along: uphill.cross(n),
        to_next_m,
        digits: 0,
    })
}

#[cfg(test)]
mod tests {
    use terrain::height::{GlobalGrid, Registration};

    use super::*;

    fn cone() -> Relief {
        // 4 000 m at 0 N 10 E, down to the sea 20 degrees away.
        let height = |lon: f64, lat: f64| 4_000.0 - 200.0 * (lon - 10.0).hypot(lat).min(20.0);
        Relief::from_grid(GlobalGrid::from_fn(1440, 721, Registration::Node, height)).expect("a grid")
    }

    /// Law: a spot is on ground of its height, lies along it, and its next contour is where it says.
    #[test]
    fn spots_lie_on_their_contour() {
        let relief = cone();
        let height_m = |n: DVec3| relief.sample(n).height_m;
        let mut found = 0;
        for level in 3..8 {
            for (i, j) in (0..1u32 << level).flat_map(|i| (0..1u32 << level).map(move |j| (i, j))).step_by(7) {
                let cell = ContourCell { face: 0, level, i, j };
                for anchor in anchors_in(&relief, cell, 500) {
                    let Subject::Contour(said_m) = anchor.subject else { panic!("{anchor:?}") };
                    let tolerance_m = 1.0 + 2e-4 * cell.side_m(Ellipsoid::WGS84) * 200.0 / 111_000.0;
                    let got_m = height_m(anchor.up);
                    assert!((got_m - f64::from(said_m)).abs() < tolerance_m, "{said_m} {got_m} {cell:?}");
                    assert!(said_m % 500 == 0 && said_m != 0);
                    assert!(anchor.along.dot(anchor.up).abs() < 1e-9 && (anchor.along.length() - 1.0).abs() < 1e-9);
                    // Along the line heights stay, across they change.
                    let step = 20_000.0;
                    let beside = |way: DVec3| {
                        height_m((anchor.up + way * (step / Ellipsoid::WGS84.semi_major_m())).normalize()) - got_m
                    };
                    let across = anchor.along.cross(anchor.up);
                    assert!(beside(anchor.along).abs() < 0.35 * beside(across).abs(), "{cell:?} {anchor:?}");
                    found += 1;
                }
            }
        }
        assert!(found > 50, "{found}");
    }

    /// Law: rounder heights come first.
    #[test]
    fn a_thousand_is_labelled_before_five_hundred() {
        let anchors: Vec<LabelAnchor> = (0..16)
            .flat_map(|i| (0..16).map(move |j| ContourCell { face: 0, level: 4, i, j }))
            .flat_map(|cell| anchors_in(&cone(), cell, 500))
            .collect();
        let thousands =
            anchors.iter().filter(|anchor| matches!(anchor.subject, Subject::Contour(m) if m % 1000 == 0)).count();
        assert!(2 * thousands > anchors.len(), "{thousands} of {}", anchors.len());
    }

    #[test]
    fn zeros_are_found() {
        let value = |x: f64| x * x + x - 0.7;
        let zero = crossing(&value, [0.0, 1.0], [value(0.0), value(1.0)]);
        assert!(value(zero).abs() < 0.02, "{zero}");
        assert_eq!(crossing(&|_| 0.0, [0.2, 0.4], [0.0, 0.0]), 0.4);
    }
}
