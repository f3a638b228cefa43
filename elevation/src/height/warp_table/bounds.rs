//! In which rectangle of a raster may the places of a region be, by way of the table?
//!
//! Between its nodes the table is a cubic along each axis, of which the slope and the overshoot are bounded by the nodes
//! that it goes through: see [`SLOPE`].

use super::{Chart, WarpTable};
use crate::height::region::{Rect, Region};

/// Cells on a side of a region up to which its own nodes are looked at.
const FEW: usize = 8;
/// Texels by which a rectangle is widened for rounding.
const ROUNDING: f64 = 1e-7;
/// The cubic through nodes 0, 1, 2, 3 has a slope of at most 10/3 of their largest difference, and so for t a little outside of
/// [0, 3]: as a combination of the three differences its weights are (11, -7, 2) / 6 at t = 0, and less between.
const SLOPE: f64 = 3.4;
/// The sum of the sizes of its four weights is at most 1.64, at the ends of [0, 3].
const WEIGHTS: f64 = 1.64;

impl WarpTable {
    /// A rectangle of columns and rows that holds all places of a region which the table has.
    pub fn rect(&self, region: &Region) -> Option<Rect> {
        let span = (self.nodes - 1) as f64;
        let whole = Rect { x: [0.0, span], y: [0.0, span] };
        let in_table = self.in_table(region)?.clip(whole)?;
        let along = |[first, last]: [f64; 2]| [first, last].map(|f| (f as usize).min(self.nodes - 2));
        let (columns, rows) = (along(in_table.x), along(in_table.y));
        let everything = Rect { x: [f64::NEG_INFINITY, f64::INFINITY], y: [f64::NEG_INFINITY, f64::INFINITY] };
        if columns[1] - columns[0] > FEW || rows[1] - rows[0] > FEW {
            return Some(everything);
        }
        // Nodes of all stencils of the cells, and whether one of the stencils is whole.
        let first = |cell: usize| cell.saturating_sub(1).min(self.nodes - 4);
        let nothing = [f64::INFINITY, f64::NEG_INFINITY];
        // Of columns and rows: their range, and that of their steps from node to node, along both axes.
        let (mut some, mut range, mut steps) = (false, [nothing; 2], [[nothing; 2]; 2]);
        let join = |range: &mut [f64; 2], x: f64| *range = [range[0].min(x), range[1].max(x)];
        for j in first(rows[0])..=first(rows[1]) {
            for i in first(columns[0])..=first(columns[1]) {
                let node = |di: usize, dj: usize| self.texels[(j + dj) * self.nodes + i + di];
                let all = || (0..4).flat_map(|dj| (0..4).map(move |di| (di, dj)));
                if all().any(|(di, dj)| node(di, dj).iter().any(|texel| texel.is_nan())) {
                    continue;
                }
                some = true;
                for (di, dj) in all() {
                    for k in 0..2 {
                        let texel = node(di, dj)[k];
                        join(&mut range[k], texel);
                        if di > 0 {
                            join(&mut steps[k][0], texel - node(di - 1, dj)[k]);
                        }
                        if dj > 0 {
                            join(&mut steps[k][1], texel - node(di, dj - 1)[k]);
                        }
                    }
                }
            }
        }
        if !some {
            return None;
        }
        // From the nodes, and from the middle by the slope: whichever is closer. The cubics reproduce what is linear, so it is taken out
        // of the table: what is left of the steps is small, as all but the whole world is nearly flat within a cell.
        let middle = self.at(0.5 * (in_table.x[0] + in_table.x[1]), 0.5 * (in_table.y[0] + in_table.y[1]));
        let half = [0.5 * (in_table.x[1] - in_table.x[0]), 0.5 * (in_table.y[1] - in_table.y[0])];
        let bounds = |k: usize, middle: f64| {
            let over = 0.5 * (WEIGHTS * WEIGHTS - 1.0) * (range[k][1] - range[k][0]);
            let slope = |[least, most]: [f64; 2]| 0.5 * (least + most).abs() + SLOPE * WEIGHTS * 0.5 * (most - least);
            let reach = slope(steps[k][0]) * half[0] + slope(steps[k][1]) * half[1] + ROUNDING;
            // A middle that is not a number says nothing.
            [(range[k][0] - over).max(middle - reach), (range[k][1] + over).min(middle + reach)]
        };
        Some(Rect { x: bounds(0, middle.0), y: bounds(1, middle.1) })
    }

    /// A rectangle of the table, in nodes; `None` where the chart ends.
    fn in_table(&self, region: &Region) -> Option<Rect> {
        let (u, v) = self.chart.flat(region.n, region.lon_deg, region.lat_deg);
        let (du, dv, everywhere) = match self.chart {
            Chart::Stereographic { middle, .. } => {
                // The map stretches by 1 / (1 + cos) of the angle to the middle, most at the far rim.
                let away_rad = 2.0 * (0.5 * region.n.distance(middle)).min(1.0).asin() + region.radius_rad;
                let reach = region.radius_rad / (1.0 + away_rad.min(std::f64::consts::PI).cos());
                (reach, reach, !reach.is_finite())
            }
            Chart::LonLat { .. } => {
                let over = u.abs() + region.lon_reach_deg > 180.0;
                (region.lon_reach_deg, region.lat_reach_deg, over)
            }
        };
        let at = |x: f64, axis: usize| (x - self.origin[axis]) * self.density[axis];
        let reach = (du * self.density[0] + ROUNDING, dv * self.density[1] + ROUNDING);
        let rect = Rect::around((at(u, 0), at(v, 1)), reach);
        // Across the seam of the chart it is on both sides.
        let x = if everywhere { [f64::NEG_INFINITY, f64::INFINITY] } else { rect.x };
        let y = if du.is_finite() { rect.y } else { [f64::NEG_INFINITY, f64::INFINITY] };
        Some(Rect { x, y })
    }
}
