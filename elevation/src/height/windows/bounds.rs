//! Between which heights is a raster that is read in windows? Of few windows, what they hold; of more, what is promised.

use super::Windows;
use crate::height::region::{HeightBounds, Overlap, Rect, Region, hull};

/// Windows on a side of a region that are read to bound it.
const FEW: usize = 2;

impl Windows {
    /// Bounds in a region; `None` if there is nothing.
    pub(super) fn bounds_in(&self, region: &Region) -> Option<HeightBounds> {
        let place = &self.described.place;
        let overlap = region.within(place.cap);
        if overlap == Overlap::None {
            return None;
        }
        let mut bounds = None;
        for rect in place.placement.rects(region).into_iter().flatten() {
            bounds = hull(bounds, self.bounds_of_rect(rect));
        }
        bounds.map(|bounds| if overlap == Overlap::All { bounds } else { HeightBounds { least: 0.0, ..bounds } })
    }

    fn bounds_of_rect(&self, rect: Rect) -> Option<HeightBounds> {
        let [columns, rows] = self.described.info.grid;
        let beyond = self.beyond();
        let along = |size: usize| [-beyond, size as f64 - 1.0 + beyond];
        let inside = rect.clip(Rect { x: along(columns), y: along(rows) })?;
        let side = self.side;
        let windows = |[first, last]: [f64; 2], size: usize| {
            [first, last].map(|x| (x.max(0.0) as usize / side).min((size - 1) / side))
        };
        let (across, down) = (windows(inside.x, columns), windows(inside.y, rows));
        if across[1] - across[0] >= FEW || down[1] - down[0] >= FEW {
            return Some(HeightBounds::promised(self.options.valid_range_m));
        }
        let mut bounds = None;
        let mut whole = inside == rect;
        for j in down[0]..=down[1] {
            for i in across[0]..=across[1] {
                // The part of the rectangle that this window answers for; the first and last ones go on to the end.
                let part = |k: usize, [first, last]: [usize; 2], [low, high]: [f64; 2]| {
                    let (from, to) = ((k * side) as f64, ((k + 1) * side) as f64);
                    [if k == first { low } else { from.max(low) }, if k == last { high } else { to.min(high) }]
                };
                let part = Rect { x: part(i, across, inside.x), y: part(j, down, inside.y) };
                let corner = |k: usize| (k * side) as f64;
                let found =
                    self.window(side, i, j).and_then(|raster| raster.bounds(part.moved(-corner(i), -corner(j))));
                whole &= found.is_some();
                bounds = hull(bounds, found);
            }
        }
        bounds.map(|bounds| if whole { bounds } else { HeightBounds { least: 0.0, ..bounds } })
    }
}
