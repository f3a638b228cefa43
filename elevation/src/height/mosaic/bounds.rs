//! Between which heights is a mosaic in a region? Of few files, what they hold; of more, what is promised.

use super::{
    Mosaic,
    seam::{BoundsOfLattice, blend_bounds},
    shares::{LEAST_VALID, cover, in_turn, near, over_the_next},
};
use crate::geodesy::Overlap;
use crate::height::{
    kernel::Interpolation,
    parts::PartitionedRaster,
    raster::ValidityBounds,
    region::{HeightBounds, Rect, Region, hull},
};

/// Files that are read to bound a region of any size.
const FEW: usize = 4;
/// Postings of the finest file over which a region is so small that all files are read that lie there, as for the height of a place: who follows
/// a line would not come to an end by what is promised.
const SMALL_POSTINGS: f64 = 64.0;

impl Mosaic {
    /// Bounds in a region; `None` if there is nothing.
    pub(super) fn bounds_in(&self, region: &Region) -> Option<HeightBounds> {
        let members = self.members_near(region);
        let is_small = region.radius_rad * self.ellipsoid().semi_major_m() <= SMALL_POSTINGS * self.finest_m;
        if members.len() > FEW && !is_small || !members.iter().all(|&k| self.has_few_parts(k, region)) {
            return Some(HeightBounds::promised(self.options.valid_range_on(self.ellipsoid())));
        }
        let mut found: Vec<(u32, OfMember)> =
            members.into_iter().filter_map(|k| Some((k, self.bounds_of_member(k, region)?))).collect();
        let mut lattices: Vec<(u32, BoundsOfLattice)> = Vec::new();
        while let Some(&(first, _)) = found.first() {
            let is_beside = |(other, _): &(u32, OfMember)| *other == first || self.are_adjacent(first, *other);
            let (one_lattice, others): (Vec<_>, Vec<_>) = found.into_iter().partition(is_beside);
            let one_lattice: Vec<OfMember> = one_lattice.into_iter().map(|(_, found)| found).collect();
            // The deepest of them tells how deep a place is.
            let depths = [0, 1].map(|k| one_lattice.iter().map(|m| m.depths[k]).fold(f64::NEG_INFINITY, f64::max));
            lattices.push((first, (bounds_of_one_lattice(&one_lattice)?, depths, self.lattice(first))));
            found = others;
        }
        lattices.sort_by(|(a, _), (b, _)| self.order(*a, *b));
        blend_bounds(&lattices.into_iter().map(|(_, bounds)| bounds).collect::<Vec<_>>())
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
            found.extend(self.index.touching_box(corners[0], corners[1]));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// How a member is read in parts, if it is.
    fn in_parts(&self, k: u32) -> Option<PartitionedRaster> {
        let header = &self.members[k as usize].header;
        let beyond = f64::from(header.feather) + 1.0;
        self.is_large(k).then_some(PartitionedRaster { grid: header.info.grid, side: self.side, beyond })
    }

    /// Whether no more of a member has to be read for its bounds in a region than they are worth.
    fn has_few_parts(&self, k: u32, region: &Region) -> bool {
        if region.within(self.members[k as usize].header.cap) == Overlap::None {
            return true;
        }
        let (Some(parts), Some(place)) = (self.in_parts(k), self.place(k)) else { return true };
        place.placement.rects(region).into_iter().flatten().all(|rect| parts.are_few(rect))
    }

    /// What a member has in a region.
    fn bounds_of_member(&self, k: u32, region: &Region) -> Option<OfMember> {
        let header = &self.members[k as usize].header;
        let overlap = region.within(header.cap);
        if overlap == Overlap::None {
            return None;
        }
        let [columns, rows] = header.info.grid.map(|n| n as f64);
        let (mut bounds, mut covers, mut depths) = (None, [f64::INFINITY, 0.0f64], [f64::INFINITY, f64::NEG_INFINITY]);
        let (mut inside, mut valid) = ([f64::INFINITY, f64::NEG_INFINITY], [1.0f64, LEAST_VALID]);
        for rect in self.place(k)?.placement.rects(region).into_iter().flatten() {
            let Some((found, validity)) = self.bounds_of_rect(k, rect, region.interpolation) else { continue };
            let ([shallowest, deepest], of_file) = (validity.depth, validity.valid.map(|valid| valid.max(LEAST_VALID)));
            bounds = hull(bounds, Some(found));
            // The distance to the nearest side is least in a corner, and at most that of the middle of the way along each axis.
            let greatest = |[first, last]: [f64; 2], size: f64| {
                let x = (0.5 * (size - 1.0)).clamp(first, last);
                (x + 1.0).min(size - x)
            };
            let most = greatest(rect.x, columns).min(greatest(rect.y, rows));
            let least = (rect.x[0] + 1.0).min(columns - rect.x[1]).min(rect.y[0] + 1.0).min(rows - rect.y[1]);
            let of_rect = [cover(least, shallowest) * of_file[0], cover(most, deepest) * of_file[1]];
            covers = [covers[0].min(of_rect[0]), covers[1].max(of_rect[1])];
            depths = [depths[0].min(shallowest), depths[1].max(deepest)];
            inside = [inside[0].min(least), inside[1].max(most)];
            valid = [valid[0].min(of_file[0]), valid[1].max(of_file[1])];
        }
        let bounds: HeightBounds = bounds?;
        Some(match overlap {
            Overlap::All => OfMember { bounds, covers, depths, inside, valid },
            _ => OfMember {
                bounds: HeightBounds { least: 0.0, ..bounds },
                covers: [0.0, covers[1]],
                depths: [f64::NEG_INFINITY, depths[1]],
                inside: [f64::NEG_INFINITY, inside[1]],
                valid: [LEAST_VALID, valid[1]],
            },
        })
    }

    /// Bounds of a member in a rectangle of its texels, and how far they may be trusted.
    fn bounds_of_rect(
        &self,
        k: u32,
        rect: Rect,
        interpolation: Interpolation,
    ) -> Option<(HeightBounds, ValidityBounds)> {
        if let Some(parts) = self.in_parts(k) {
            return parts.bounds(interpolation, rect, |part| self.part(k, self.side, part));
        }
        let raster = self.full(k)?;
        Some((raster.bounds(interpolation, rect)?, raster.validity(rect)))
    }
}

/// Bounds of what members on one lattice, in the order of their numbers, have in a region; `None` of none.
fn bounds_of_one_lattice(found: &[OfMember]) -> Option<HeightBounds> {
    let all = found.iter().map(|member| member.bounds).reduce(HeightBounds::hull)?;
    let covers: Vec<[f64; 2]> = found.iter().map(|member| member.covers).collect();
    let mean = |covers: &[[f64; 2]]| mean_of(found, &in_turn(over_the_next(covers)));
    let bounds = if covers.iter().any(|cover| cover[0] > 0.0) {
        mean(&covers)
    } else if covers.iter().all(|cover| cover[1] == 0.0) {
        mean(&near_of(found))
    } else {
        hull(mean(&covers), mean(&near_of(found)))
    };
    Some(bounds.unwrap_or(all))
}

/// What a member has in a region: bounds, and the least and greatest of what it covers, of its depth, of how far inside of it places are,
/// and of how much is the file's own.
struct OfMember {
    bounds: HeightBounds,
    covers: [f64; 2],
    depths: [f64; 2],
    inside: [f64; 2],
    valid: [f64; 2],
}

/// Least and greatest of what each member covers outside of all of them.
fn near_of(found: &[OfMember]) -> Vec<[f64; 2]> {
    // One that may not reach there is not the nearest for certain, and has no share for certain.
    let certain = |member: &OfMember| member.bounds.least > 0.0;
    let farthest = found.iter().filter(|member| certain(member)).map(|member| member.depths[0]);
    let closest = found.iter().map(|member| member.depths[1]);
    let nearest = [farthest.fold(f64::NEG_INFINITY, f64::max), closest.fold(f64::NEG_INFINITY, f64::max)];
    let cover = |member: &OfMember| {
        let OfMember { depths, inside, valid, .. } = member;
        let least = if certain(member) { near(nearest[1], depths[0], inside[0]) * valid[0] } else { 0.0 };
        [least, near(nearest[0], depths[1], inside[1]) * valid[1]]
    };
    found.iter().map(cover).collect()
}

/// Bounds of the mean of members with shares between two numbers each; `None` if none need have any.
fn mean_of(found: &[OfMember], shares: &[[f64; 2]]) -> Option<HeightBounds> {
    let mean = |value: fn(&HeightBounds) -> f64| {
        let values = found.iter().zip(shares).map(|(member, shares)| (value(&member.bounds), *shares));
        greatest_mean(&values.collect::<Vec<_>>())
    };
    let bounds = HeightBounds {
        low_m: -mean(|bounds| -bounds.low_m),
        high_m: mean(|bounds| bounds.high_m),
        least: -mean(|bounds| -bounds.least),
        most: mean(|bounds| bounds.most),
    };
    (bounds.low_m <= bounds.high_m && bounds.least <= bounds.most).then_some(bounds)
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
    values.iter().map(|(value, _)| mean(*value)).fold(f64::NEG_INFINITY, f64::max)
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
