//! Between which heights is a raster that is read in parts? Of few parts, what they hold.

use std::sync::Arc;

use crate::height::{
    raster::Raster,
    region::{HeightBounds, Rect, hull},
};

/// Parts on a side of a rectangle that are read to bound it.
const FEW: usize = 2;

/// What a raster has in a rectangle.
pub(crate) enum Found {
    /// No height.
    Nothing,
    /// More parts than are worth reading.
    TooMany,
    /// Bounds, and the least and greatest depth.
    Between {
        /// Of heights and weights.
        bounds: HeightBounds,
        /// In texels.
        depths: [f64; 2],
    },
}

/// Of a raster of `grid` columns and rows, which has heights up to `beyond` its outermost texels. `part` gives a part by its column and row, or
/// nothing where it cannot be read.
pub(crate) fn bounds(
    grid: [usize; 2],
    side: usize,
    beyond: f64,
    rect: Rect,
    part: impl Fn([usize; 2]) -> Option<Arc<Raster>>,
) -> Found {
    let [columns, rows] = grid;
    let along = |size: usize| [-beyond, size as f64 - 1.0 + beyond];
    let Some(inside) = rect.clip(Rect { x: along(columns), y: along(rows) }) else { return Found::Nothing };
    let parts = |[first, last]: [f64; 2], size: usize| {
        [first, last].map(|x| (x.max(0.0) as usize / side).min((size - 1) / side))
    };
    let (across, down) = (parts(inside.x, columns), parts(inside.y, rows));
    if across[1] - across[0] >= FEW || down[1] - down[0] >= FEW {
        return Found::TooMany;
    }
    let (mut bounds, mut depths) = (None, [f64::INFINITY, f64::NEG_INFINITY]);
    let mut whole = inside == rect;
    for j in down[0]..=down[1] {
        for i in across[0]..=across[1] {
            // The part of the rectangle that this one answers for; the first and last ones go on to the end.
            let range = |k: usize, [first, last]: [usize; 2], [low, high]: [f64; 2]| {
                let (from, to) = ((k * side) as f64, ((k + 1) * side) as f64);
                [if k == first { low } else { from.max(low) }, if k == last { high } else { to.min(high) }]
            };
            let own = Rect { x: range(i, across, inside.x), y: range(j, down, inside.y) };
            let own = own.moved(-((i * side) as f64), -((j * side) as f64));
            let raster = part([i, j]);
            let found = raster.as_ref().and_then(|raster| raster.bounds(own));
            if let (Some(raster), Some(_)) = (&raster, &found) {
                let (least, most) = raster.depths(own);
                depths = [depths[0].min(least), depths[1].max(most)];
            }
            whole &= found.is_some();
            bounds = hull(bounds, found);
        }
    }
    match bounds {
        None => Found::Nothing,
        Some(bounds) if whole => Found::Between { bounds, depths },
        Some(bounds) => {
            Found::Between { bounds: HeightBounds { least: 0.0, ..bounds }, depths: [f64::NEG_INFINITY, depths[1]] }
        }
    }
}
