//! Between which heights is a mosaic in a region? Of few files, what they hold and how they share; of more, what is promised.

use rstar::AABB;

use super::Mosaic;
use crate::height::region::{Bounds, Overlap, Rect, Region, hull};

/// Files that are read to bound a region.
const FEW: usize = 4;

impl Mosaic {
    /// Bounds in a region; `None` if there is nothing.
    pub fn bounds(&self, region: &Region) -> Option<Bounds> {
        let members = self.members_near(region);
        if members.len() > FEW {
            return Some(Bounds::promised(self.options.valid_range_m));
        }
        let found: Vec<(Bounds, [f64; 2])> =
            members.into_iter().filter_map(|k| self.bounds_of_member(k, region)).collect();
        if found.is_empty() {
            return None;
        }
        // One that may have no height may leave all to the others.
        let shares = |value: fn(&Bounds) -> f64| {
            let of = |(bounds, [least, most]): &(Bounds, [f64; 2])| {
                (value(bounds), [if bounds.least > 0.0 { *least } else { 0.0 }, *most])
            };
            found.iter().map(of).collect::<Vec<_>>()
        };
        let somewhere = found.iter().any(|(bounds, _)| bounds.least > 0.0);
        Some(Bounds {
            low_m: -greatest_mean(&shares(|bounds| -bounds.low_m)),
            high_m: greatest_mean(&shares(|bounds| bounds.high_m)),
            least: if somewhere { -greatest_mean(&shares(|bounds| -bounds.least)) } else { 0.0 },
            most: greatest_mean(&shares(|bounds| bounds.most)),
        })
    }

    /// Members whose footprints touch a region.
    fn members_near(&self, region: &Region) -> Vec<u32> {
        let (lon, reach) = (region.lon_deg, region.lon_reach_deg);
        // Footprints are there for every turn, from -180 to 180; what reaches beyond is looked up a turn away.
        let boxes = [Some(0.0), (lon + reach > 180.0).then_some(-360.0), (lon - reach < -180.0).then_some(360.0)];
        let mut found: Vec<u32> = Vec::new();
        for turn in boxes.into_iter().flatten() {
            let corners = [-1.0, 1.0].map(|side| {
                [lon + turn + side * (reach + 1e-9), region.lat_deg + side * (region.lat_reach_deg + 1e-9)]
            });
            let envelope = AABB::from_corners(corners[0], corners[1]);
            found.extend(self.index.locate_in_envelope_intersecting(&envelope).map(|footprint| footprint.data));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Bounds of a member, and the least and greatest of its share.
    fn bounds_of_member(&self, k: u32, region: &Region) -> Option<(Bounds, [f64; 2])> {
        let header = &self.members[k as usize].header;
        let cap = header.cap;
        let overlap = cap.map_or(Overlap::All, |(middle, cos_radius)| region.within(middle, cos_radius.acos()));
        if overlap == Overlap::None {
            return None;
        }
        let (mut bounds, mut shares) = (None, [f64::INFINITY, 0.0]);
        let [columns, rows] = header.info.grid.map(|n| n as f64);
        for rect in self.place(k)?.placement.rects(region).into_iter().flatten() {
            let Some(inside) = rect.clip(Rect { x: [-1.0, columns], y: [-1.0, rows] }) else { continue };
            let Some(found) = self.part(k)?.bounds(rect) else { continue };
            bounds = hull(bounds, Some(found));
            // The distance to the nearest side is least in a corner, and at most that of the middle of the way along each axis.
            let greatest = |[first, last]: [f64; 2], size: f64| {
                let x = (0.5 * (size - 1.0)).clamp(first, last);
                (x + 1.0).min(size - x)
            };
            let most = greatest(inside.x, columns).min(greatest(inside.y, rows));
            let least = (inside.x[0] + 1.0).min(columns - inside.x[1]).min(inside.y[0] + 1.0).min(rows - inside.y[1]);
            let share = |inside: f64| inside.clamp(0.0, f64::from(self.options.feather_texels)).powi(4);
            shares = [shares[0].min(share(least)), f64::max(shares[1], share(most))];
        }
        let bounds = bounds?;
        Some((if overlap == Overlap::All { bounds } else { Bounds { least: 0.0, ..bounds } }, shares))
    }
}

/// The greatest mean of values whose shares lie between two numbers each: the greatest values have all they can, the others as
/// little as they can.
fn greatest_mean(values: &[(f64, [f64; 2])]) -> f64 {
    let mean = |threshold: f64| {
        let (mut sum, mut shares) = (0.0, 0.0);
        for (value, [least, most]) in values {
            let share = if *value >= threshold { *most } else { *least };
            sum += share * value;
            shares += share;
        }
        if shares > 0.0 { sum / shares } else { f64::NEG_INFINITY }
    };
    let best = values.iter().map(|(value, _)| mean(*value)).fold(f64::NEG_INFINITY, f64::max);
    // Where no share is more than nothing, rounding decides.
    if best > f64::NEG_INFINITY { best } else { values.iter().map(|(value, _)| *value).fold(best, f64::max) }
}

#[cfg(test)]
mod tests {
    use super::greatest_mean;
    use rand::Rng;

    /// Law: no choice of shares gives a greater mean.
    #[test]
    fn no_shares_give_more() {
        let mut rng = crate::random::rng();
        for _ in 0..2_000 {
            let values: Vec<(f64, [f64; 2])> = (0..rng.random_range(1..5))
                .map(|_| (rng.random_range(-9.0..9.0), [rng.random_range(0.0..1.0), rng.random_range(1.0..4.0)]))
                .collect();
            let greatest = greatest_mean(&values);
            for _ in 0..50 {
                let shares: Vec<f64> =
                    values.iter().map(|(_, [least, most])| rng.random_range(*least..*most)).collect();
                let sum: f64 = values.iter().zip(&shares).map(|((value, _), share)| value * share).sum();
                assert!(sum / shares.iter().sum::<f64>() <= greatest + 1e-12);
            }
        }
    }
}
