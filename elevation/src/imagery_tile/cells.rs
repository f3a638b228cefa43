//! Where in a layer are the texels of a tile? Between the corners of small cells they are interpolated, where that is
//! exact.
//!
//! Tiles that lie beside each other have the same cells where both have some, so their rims agree.

use glam::{DVec2, Vec4};

use super::{
    IMAGERY_TEXELS,
    window::{Bounds, Window, within_half},
};
use crate::{
    height::{ImageryLayer, Patch},
    shading_tile::RIM,
    tile::{TileId, posting_m},
    tile_build::patch_of,
};

/// Texels along the side of a cell.
const CELL: usize = 8;
/// Cells along the side of a tile; the last ones reach beyond it.
const CELLS: usize = (IMAGERY_TEXELS as usize).div_ceil(CELL);
/// Texels of the layer, or of the tile if these are larger, by which the middle of a cell may be off.
const MOST_OFF: f64 = 0.02;
/// Means under a texel from which on one sample is not enough, and samples along its side at most.
const ONE_SAMPLE: f64 = 1.75;
const MOST_SAMPLES: f64 = 4.0;

/// The cells of a tile that have something of a layer.
pub(super) struct Cells {
    cells: Vec<([usize; 2], Places)>,
    bounds: Bounds,
}

/// Columns and rows of a cell's texels.
enum Places {
    /// Between those of its corners.
    Corners([DVec2; 4]),
    /// One by one.
    Each(Box<[DVec2; CELL * CELL]>),
}

/// Columns and rows at the nodes of a patch. Where a layer goes around the Earth its columns go on beyond its sides,
/// for half a turn to each side of a middle; without one, of that of the patch.
pub(super) fn places(layer: &ImageryLayer, patch: &Patch, middle: Option<f64>) -> Vec<DVec2> {
    let (known, columns) = (patch.places(), patch.columns());
    let place = |node: usize| DVec2::from(layer.texel_at(patch.normal(node), known.at(node, columns)));
    let mut places: Vec<DVec2> = (0..patch.len()).map(place).collect();
    if let Some(turn) = layer.turn() {
        let middle = middle.unwrap_or(places[places.len() / 2].x);
        places.iter_mut().for_each(|p| p.x = middle + within_half(p.x - middle, turn as f64));
    }
    places
}

impl Cells {
    /// Those that have some of a layer, if any has.
    pub fn of(layer: &ImageryLayer, id: TileId) -> Option<Self> {
        // Middles of texels are half a quad from where quads begin.
        let texel = |k: f64| k - f64::from(RIM) + 0.5;
        let at = |part: f64| move |k: usize| texel((k as f64 + part) * CELL as f64);
        let corners = patch_of(id, (0..=CELLS).map(at(0.0)), (0..=CELLS).map(at(0.0)));
        let middles = patch_of(id, (0..CELLS).map(at(0.5)), (0..CELLS).map(at(0.5)));
        let at_corners = places(layer, &corners, None);
        let reference = Some(at_corners[at_corners.len() / 2].x);
        let at_middles = places(layer, &middles, reference);
        let reach_rad = CELL as f64 * posting_m(layer.ellipsoid(), id.level) / layer.ellipsoid().semi_major_m();
        let is_near = |cell: usize| {
            layer.cap().is_none_or(|(of_picture, cos_radius)| {
                of_picture.distance(middles.normal(cell)) < cos_radius.acos() + 1e-7 + reach_rad
            })
        };
        let most_off = MOST_OFF * (posting_m(layer.ellipsoid(), id.level) / layer.posting_m()).max(1.0);
        let mut found = Self { cells: Vec::new(), bounds: Bounds { low: DVec2::MAX, high: DVec2::MIN } };
        for (cell, at_middle) in at_middles.into_iter().enumerate() {
            let [i, j] = [cell % CELLS, cell / CELLS];
            let first = j * (CELLS + 1) + i;
            let four = [first, first + 1, first + CELLS + 1, first + CELLS + 2].map(|k| at_corners[k]);
            let off = 0.25 * (four[0] + four[1] + four[2] + four[3]) - at_middle;
            // What is not a number is not near.
            if off.length() < most_off {
                found.add_cell(layer, [i, j], &four, || Places::Corners(four));
            } else if is_near(cell) {
                let along = |k: usize| (0..CELL).map(move |t| texel((k * CELL + t) as f64));
                let each = places(layer, &patch_of(id, along(i), along(j)), reference);
                found.add_cell(layer, [i, j], &each, || Places::Each(Box::new(std::array::from_fn(|k| each[k]))));
            }
        }
        (!found.cells.is_empty()).then_some(found)
    }

    /// Adds a cell if some of it may be in the layer.
    fn add_cell(&mut self, layer: &ImageryLayer, cell: [usize; 2], places: &[DVec2], all: impl FnOnce() -> Places) {
        let finite = places.iter().filter(|p| p.is_finite());
        let (low, high) = finite.fold((DVec2::MAX, DVec2::MIN), |(low, high), p| (low.min(*p), high.max(*p)));
        let Bounds { low: from, high: to } = inside(layer);
        let (low, high) = (low.max(from), high.min(to));
        if low.cmple(high).all() {
            self.cells.push((cell, all()));
            self.bounds = Bounds { low: self.bounds.low.min(low), high: self.bounds.high.max(high) };
        }
    }

    /// Where its places are that are in the layer.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// The colour of each texel that has one.
    pub fn for_each(&self, window: &Window, mut colour: impl FnMut(usize, Vec4)) {
        let side = IMAGERY_TEXELS as usize;
        for ([i, j], places) in &self.cells {
            let rows = j * CELL..((j + 1) * CELL).min(side);
            let columns = i * CELL..((i + 1) * CELL).min(side);
            match places {
                Places::Corners(corners) => {
                    let [a, b, c, d] = corners.map(|p| window.place(p));
                    // Along the top of the cell, along its left, and how the first changes downwards.
                    let part = 1.0 / CELL as f64;
                    let (across, down, twist) = ((b - a) * part, (c - a) * part, (d - c - b + a) * (part * part));
                    for (t, y) in rows.enumerate() {
                        let (start, step) = (a + down * t as f64, across + twist * t as f64);
                        for (s, x) in columns.clone().enumerate() {
                            let (to_right, to_below) = (step, down + twist * s as f64);
                            let found = mean(window, start + step * s as f64, [to_right, to_below]);
                            if found.w > 0.0 {
                                colour(y * side + x, found);
                            }
                        }
                    }
                }
                Places::Each(each) => {
                    for (t, y) in rows.enumerate() {
                        for (s, x) in columns.clone().enumerate() {
                            let at = t * CELL + s;
                            let (right, below) = (if s + 1 < CELL { 1 } else { -1 }, if t + 1 < CELL { 1 } else { -1 });
                            let next =
                                |step: isize| (each[at.wrapping_add_signed(step)] - each[at]) * step.signum() as f64;
                            let steps = [next(right), next(below * CELL as isize)].map(|step| window.step(step));
                            let found = mean(window, window.place(each[at]), steps);
                            if found.w > 0.0 {
                                colour(y * side + x, found);
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Places that are in a layer: half a texel beyond the middles of the outermost ones.
fn inside(layer: &ImageryLayer) -> Bounds {
    let (columns, rows) = layer.size();
    let (mut low, mut high) = (DVec2::splat(-0.5), DVec2::new(columns as f64, rows as f64) - 0.5);
    if layer.turn().is_some() {
        (low.x, high.x) = (f64::MIN, f64::MAX);
    }
    Bounds { low, high }
}

/// The mean colour of a texel, in the middle of which is a place of the window, for steps from texel to texel.
fn mean(window: &Window, place: DVec2, [across, down]: [DVec2; 2]) -> Vec4 {
    let covered = across.length_squared().max(down.length_squared());
    if covered < ONE_SAMPLE * ONE_SAMPLE || !covered.is_finite() {
        return window.sample(place);
    }
    let count = covered.sqrt().ceil().min(MOST_SAMPLES);
    let part = |k: f64| (k + 0.5) / count - 0.5;
    let samples = count as usize;
    let mut sum = Vec4::ZERO;
    for k in 0..samples * samples {
        let (s, t) = (part((k % samples) as f64), part((k / samples) as f64));
        sum += window.sample(place + across * s + down * t);
    }
    sum / (samples * samples) as f32
}
