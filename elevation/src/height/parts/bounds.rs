//! Between which heights is a raster that is read in parts? Of few parts, what they hold.

use std::sync::Arc;

use super::{corner_of, part_of};
use crate::height::{
    kernel::Interpolation,
    raster::{Raster, ValidityBounds},
    region::{HeightBounds, Rect, hull},
};

/// Parts on a side of a rectangle that are read to bound it.
const FEW: usize = 2;

/// A raster of `grid` columns and rows that is read in parts of `side`, and has heights up to `beyond` its outermost texels.
pub(crate) struct PartitionedRaster {
    pub grid: [usize; 2],
    pub side: usize,
    pub beyond: f64,
}

impl PartitionedRaster {
    /// What of a rectangle may have a height, and the columns and rows of the parts that answer there, from the first to the last.
    fn within(&self, rect: Rect) -> Option<(Rect, [[usize; 2]; 2])> {
        let along = |size: usize| [-self.beyond, size as f64 - 1.0 + self.beyond];
        let inside = rect.clip(Rect { x: along(self.grid[0]), y: along(self.grid[1]) })?;
        let part = |corner: usize| part_of([inside.x[corner], inside.y[corner]], self.side, self.grid);
        let (first, last) = (part(0), part(1));
        Some((inside, [[first[0], last[0]], [first[1], last[1]]]))
    }

    /// Whether the parts that answer in a rectangle are few enough to be read for its bounds.
    pub fn are_few(&self, rect: Rect) -> bool {
        self.within(rect).is_none_or(|(_, parts)| parts.iter().all(|[first, last]| last - first < FEW))
    }

    /// Bounds of heights and weights in a rectangle, and how far they may be trusted there; `None` if there is no height.
    /// `part` gives a part by its column and row, or nothing where it cannot be read.
    pub fn bounds(
        &self,
        interpolation: Interpolation,
        rect: Rect,
        part: impl Fn([usize; 2]) -> Option<Arc<Raster>>,
    ) -> Option<(HeightBounds, ValidityBounds)> {
        let (inside, [across, down]) = self.within(rect)?;
        let side = self.side;
        let nothing = [f64::INFINITY, f64::NEG_INFINITY];
        let (mut bounds, mut validity) = (None, ValidityBounds { depth: nothing, valid: nothing });
        let mut whole = inside == rect;
        for j in down[0]..=down[1] {
            for i in across[0]..=across[1] {
                // The part of the rectangle that this one answers for; the first and last ones go on to the end.
                let range = |k: usize, [first, last]: [usize; 2], [low, high]: [f64; 2]| {
                    let (from, to) = ((k * side) as f64, ((k + 1) * side) as f64);
                    [if k == first { low } else { from.max(low) }, if k == last { high } else { to.min(high) }]
                };
                let own = Rect { x: range(i, across, inside.x), y: range(j, down, inside.y) };
                let [left, top] = corner_of(side, [i, j]);
                let own = own.moved(-left, -top);
                let found =
                    part([i, j]).and_then(|raster| Some((raster.bounds(interpolation, own)?, raster.validity(own))));
                let Some((found, own)) = found else {
                    whole = false;
                    continue;
                };
                bounds = hull(bounds, Some(found));
                let join = |a: [f64; 2], b: [f64; 2]| [a[0].min(b[0]), a[1].max(b[1])];
                validity =
                    ValidityBounds { depth: join(validity.depth, own.depth), valid: join(validity.valid, own.valid) };
            }
        }
        let bounds: HeightBounds = bounds?;
        Some(if whole {
            (bounds, validity)
        } else {
            (
                HeightBounds { least: 0.0, ..bounds },
                ValidityBounds { depth: [f64::NEG_INFINITY, validity.depth[1]], ..validity },
            )
        })
    }
}
