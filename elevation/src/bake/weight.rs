//! How much work is a tile? Told from where data lie and how fine they are, without reading any, so that every machine says the same.
//! Shares of a pack are cut by it.
//!
//! Sampling, squeezing and the errors of a tile take the same time wherever one source covers it. Where a source ends, places are asked
//! one by one. Of data that are not all in memory the vertices of a coarse tile, which are exact too, need about all that lie in it.

use std::{ops::Range, rc::Rc};

use super::{saturate::EXACT_LEVEL, wanted::Extent};
use crate::{
    geodesy::Ellipsoid,
    height::{Area, Overlap, Relief},
    pack::Shard,
    tile::{TILE_QUADS, TileId, posting_m},
};

/// Weights are in tenths of a millisecond of the machine that they were measured on: of any tile.
const TILE: u64 = 43;
/// More for those of levels 0 and 1, on which heights of the bottom layer lie closer than their vertices.
const COARSE: [u64; 2] = [65, 20];
/// More where the curvature under each edge is computed.
const EXACT: u64 = 22;
/// On an edge of data.
const EDGE: u64 = 30;
/// Of one of the finest tiles, for which voids are looked for in data that are read for it.
const END: u64 = 30;
/// Of each posting that is read.
const POSTING: f64 = 5e-5;
/// Of a vertex so many postings from the next one, around which a few are read.
const PLACE: f64 = 1.5;
const FAR_POSTINGS: f64 = 64.0;

/// Where data lie, topmost first.
pub(super) struct Weights {
    ellipsoid: Ellipsoid,
    areas: Vec<(Area, Reads)>,
}

/// Postings of data, if they are not all in memory.
type Reads = Option<f64>;

impl Weights {
    /// Of the layers of a relief.
    pub fn of(relief: &Relief) -> Self {
        let ellipsoid = relief.ellipsoid();
        let whole = f64::from(TILE_QUADS).powi(2) * 6.0;
        let postings = |area: &Area| {
            let [west, south, east, north] = area.bbox_deg;
            let share = (east - west) / 360.0 * 0.5 * (north.to_radians().sin() - south.to_radians().sin());
            share * whole * (posting_m(ellipsoid, 0) / area.posting_m).powi(2)
        };
        let areas = relief.areas_in_parts().map(|(area, in_parts)| {
            let reads = in_parts.then(|| postings(&area));
            (area, reads)
        });
        Self { ellipsoid, areas: areas.collect() }
    }

    /// The tiles that belong to a shard, of all `tiles` in order with whether each is the finest one somewhere: those whose work has its
    /// middle in an equal share of all.
    pub fn range<T: Iterator<Item = (TileId, bool)>>(&self, shard: Shard, tiles: impl Fn() -> T) -> Range<u64> {
        let mut weigher = Weigher::new(self);
        let all: u64 = tiles().map(|tile| weigher.weigh(tile)).sum();
        let mut weigher = Weigher::new(self);
        cut(shard, all, tiles().map(|tile| weigher.weigh(tile)))
    }
}

/// The numbers of those of some `weights` in order, which sum up to `all`, whose middle lies in a share.
fn cut(shard: Shard, all: u64, weights: impl Iterator<Item = u64>) -> Range<u64> {
    let (mut range, mut before) = (0..0, 0u64);
    for weight in weights {
        let middle = u128::from(before) + u128::from(weight / 2);
        let share = middle * u128::from(shard.count) / u128::from(all.max(1)) + 1;
        if share > u128::from(shard.index) {
            break;
        }
        range.start += u64::from(share < u128::from(shard.index));
        range.end += 1;
        before += weight;
    }
    range
}

/// The work to read what a tile, whose vertices are `level_m` apart, needs of data, `postings` altogether, that are `posting_m` apart.
fn reading(level_m: f64, posting_m: f64, postings: f64) -> f64 {
    let apart = level_m / posting_m;
    let on_tile = (f64::from(TILE_QUADS) * apart).powi(2).min(postings);
    if apart >= FAR_POSTINGS { PLACE * on_tile / (apart * apart) } else { POSTING * on_tile }
}

/// What lies on a tile.
#[derive(Clone)]
struct Lies {
    /// The topmost of the data that lie all over it.
    all: Option<u32>,
    /// Those above that one that lie on a part of it.
    part: Rc<[u32]>,
}

/// Weighs tiles in their order.
struct Weigher<'a> {
    ellipsoid: Ellipsoid,
    areas: &'a [(Area, Reads)],
    /// The tiles above the last one, and that one.
    above: Vec<(TileId, Lies)>,
}

impl<'a> Weigher<'a> {
    fn new(weights: &'a Weights) -> Self {
        Self { ellipsoid: weights.ellipsoid, areas: &weights.areas, above: Vec::new() }
    }

    /// The weight of a tile, which comes after its parent and those in that one, and may be the finest one somewhere.
    fn weigh(&mut self, (id, is_end): (TileId, bool)) -> u64 {
        while self.above.last().is_some_and(|(top, _)| Some(*top) != id.parent()) {
            self.above.pop();
        }
        let lies = match self.above.last() {
            Some((_, of_parent)) => self.lies(id, of_parent),
            None => self.lies(id, &Lies { all: None, part: (0..self.areas.len() as u32).collect() }),
        };
        let level_m = posting_m(self.ellipsoid, id.level);
        let reading = lies.all.iter().chain(lies.part.iter()).filter_map(|k| {
            let (area, postings) = &self.areas[*k as usize];
            Some(reading(level_m, area.posting_m, (*postings)?))
        });
        let (mut read, mut count) = (0.0, 0u64);
        reading.for_each(|of_area| {
            read += of_area;
            count += 1;
        });
        let edge = if lies.part.is_empty() { 0 } else { EDGE };
        let end = if is_end && count > 0 { END } else { 0 };
        self.above.push((id, lies));
        let exact = if id.level <= EXACT_LEVEL { EXACT } else { 0 };
        let coarse = exact + COARSE.get(id.level as usize).unwrap_or(&0);
        TILE + coarse + edge + end + read as u64
    }

    fn lies(&self, id: TileId, of_parent: &Lies) -> Lies {
        if of_parent.part.is_empty() {
            return of_parent.clone();
        }
        let (mut extent, mut all, mut part) = (Extent::of(id), of_parent.all, Vec::new());
        for &k in of_parent.part.iter() {
            match extent.meets(&self.areas[k as usize].0) {
                // Nothing below counts.
                Overlap::All => {
                    all = Some(k);
                    break;
                }
                Overlap::Some => part.push(k),
                Overlap::None => {}
            }
        }
        Lies { all, part: part.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{bake::wanted::PackTiles, random::rng};
    use proptest::prelude::*;
    use rand::Rng;

    proptest! {
        /// Law: shares are disjoint, in order, and together everything, and none has more than its part of the work and one tile.
        #[test]
        fn shares_partition(weights in prop::collection::vec(1..10_000u64, 0..300), count in 1..50u64) {
            let (all, mut next) = (weights.iter().sum(), 0);
            for index in 1..=count {
                let range = cut(Shard { index, count }, all, weights.iter().copied());
                prop_assert_eq!(range.start, next);
                next = range.end;
                let of_share = &weights[range.start as usize..range.end as usize];
                let most = all / count + 1 + of_share.iter().max().unwrap_or(&0);
                prop_assert!(of_share.iter().sum::<u64>() <= most);
            }
            prop_assert_eq!(next, weights.len() as u64);
        }
    }

    /// Law: a tile weighs more where data end, where voids are looked for, and the more data are read for it; what lies below data that
    /// are all over it does not count.
    #[test]
    fn tiles_weigh_what_lies_on_them() {
        let area = |bbox_deg, level| Area { bbox_deg, posting_m: posting_m(Ellipsoid::WGS84, level), cap: None };
        let (earth, coarse, fine) = (
            area([-180.0, -90.0, 180.0, 90.0], 2),
            area([0.0, -40.0, 60.0, 40.0], 4),
            area([10.0, 10.0, 20.0, 20.0], 7),
        );
        let areas = vec![fine.clone(), coarse.clone(), earth.clone()];
        let wanted = PackTiles::new(Ellipsoid::WGS84, areas.clone(), 7, 2, None);
        let mut rng = rng();
        for _ in 0..4 {
            let reads: Vec<Reads> = (0..2).map(|_| rng.random::<bool>().then(|| rng.random_range(1e4..1e8))).collect();
            let reads = [reads, vec![None]].concat();
            let weights = Weights {
                ellipsoid: Ellipsoid::WGS84,
                areas: areas.iter().cloned().zip(reads.iter().copied()).collect(),
            };
            let mut weigher = Weigher::new(&weights);
            for (id, is_end) in wanted.with_ends() {
                let found = weigher.weigh((id, is_end));
                let overlaps = areas.iter().map(|area| Extent::of(id).meets(area)).collect::<Vec<_>>();
                let seen =
                    overlaps.iter().position(|overlap| *overlap == Overlap::All).expect("the Earth is everywhere");
                let on = (0..=seen).filter(|k| overlaps[*k] != Overlap::None);
                let read: Vec<f64> = on
                    .clone()
                    .filter_map(|k| Some(reading(posting_m(Ellipsoid::WGS84, id.level), areas[k].posting_m, reads[k]?)))
                    .collect();
                let mut expected = TILE + COARSE.get(id.level as usize).unwrap_or(&0) + read.iter().sum::<f64>() as u64;
                expected += if id.level <= EXACT_LEVEL { EXACT } else { 0 };
                expected += if on.count() > 1 { EDGE } else { 0 };
                expected += if is_end && !read.is_empty() { END } else { 0 };
                assert!(found.abs_diff(expected) <= 1, "{id}: {found}, {expected}");
            }
        }
    }
}
