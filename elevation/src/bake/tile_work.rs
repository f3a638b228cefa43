//! How much work is a tile? Told from where data lie and how fine they are, without reading any, so that every machine says the same.
//! Shares of a pack are cut by it.
//!
//! Sampling, squeezing and the errors of a tile take the same time wherever one source covers it. Where a source ends, places are asked
//! one by one. Of data that are not all in memory the vertices of a coarse tile, which are exact too, need about all that lie in it.

use std::rc::Rc;

use super::{
    pack_tiles::{PackTiles, TileExtent, tiles_below},
    saturate::EXACT_LEVEL,
};
use crate::{
    geodesy::{Ellipsoid, Overlap},
    height::{Area, Relief},
    pack::{Shard, Share},
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

/// What the work of a tile depends on: where data lie, topmost first.
pub(super) struct WorkModel {
    ellipsoid: Ellipsoid,
    areas: Vec<(Area, ReadPostings)>,
}

/// Postings of data, if they are not all in memory.
type ReadPostings = Option<f64>;

impl WorkModel {
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
}

/// Tiles between two marks, about.
const MARKS: u64 = 1 << 12;
/// Levels of tiles that are weighed together, at most: fewer tiles than two marks lie between.
const TOGETHER: u32 = 5;

/// What is told of all tiles of a pack in one walk over them.
#[derive(Debug)]
pub(super) struct Survey {
    /// Tiles by level.
    pub counts: Vec<u64>,
    /// In the order of tiles.
    marks: Vec<SurveyMark>,
    /// Work of all tiles.
    work: u64,
}

/// A tile, with number and work of those before it.
#[derive(Clone, Copy, Debug)]
struct SurveyMark {
    id: TileId,
    tiles: u64,
    work: u64,
}

impl Survey {
    /// Of the tiles of a pack, by what lies on them.
    pub fn of(wanted: &PackTiles, weights: &WorkModel) -> Self {
        let mut estimator = WorkEstimator::new(weights);
        let (mut marks, mut tiles, mut work) = (Vec::<SurveyMark>::new(), 0, 0);
        let counts = wanted.count(|id, is_end, down_to| {
            if marks.last().is_none_or(|mark| tiles - mark.tiles >= MARKS) {
                marks.push(SurveyMark { id, tiles, work });
            }
            let of_tile = estimator.estimate((id, is_end));
            let together =
                down_to.filter(|level| level - id.level <= TOGETHER).and_then(|level| estimator.all_below(level));
            let (count, weight) = together.unwrap_or((1, of_tile));
            tiles += count;
            work += weight;
            together.is_some()
        });
        Self { counts, marks, work }
    }

    /// The tiles that belong to a shard: those whose work has its middle in an equal share of all. Also the first of them, and the first one
    /// after them.
    pub fn share(&self, wanted: &PackTiles, weights: &WorkModel, shard: Shard) -> (Share, [Option<TileId>; 2]) {
        let end_of = |index: u64| {
            // Where all before a mark are of that share or those before it, so are all before the marks before it.
            let is_before = |mark: &SurveyMark| share_of(mark.work, shard.count, self.work) <= index;
            let Some(mark) = self.marks[..self.marks.partition_point(is_before)].last() else {
                return (0, self.marks.first().map(|mark| mark.id));
            };
            let mut estimator = WorkEstimator::new(weights);
            let mut above: Vec<TileId> = std::iter::successors(mark.id.parent(), |id| id.parent()).collect();
            while let Some(id) = above.pop() {
                estimator.estimate((id, false));
            }
            let tiles = wanted.with_ends_from(mark.id).map(|tile| (tile.0, estimator.estimate(tile)));
            end_of((index, shard.count), self.work, (mark.tiles, mark.work), tiles)
        };
        let ((first, begin), (end, next)) = (end_of(shard.index - 1), end_of(shard.index));
        (Share { shard, first, tiles: end - first }, [begin, next])
    }
}

/// In which of `count` shares work is before which there is some, of all.
fn share_of(before: u64, count: u64, all: u64) -> u64 {
    (u128::from(before) * u128::from(count) / u128::from(all.max(1))) as u64 + 1
}

/// The first of some weighed tiles that is beyond a share of so many, and how many are before it, of which some `(tiles, work)` are not among
/// them.
fn end_of<T>(
    (index, count): (u64, u64),
    all: u64,
    (mut tiles, mut work): (u64, u64),
    weighed: impl Iterator<Item = (T, u64)>,
) -> (u64, Option<T>) {
    for (tile, weight) in weighed {
        if share_of(work + weight / 2, count, all) > index {
            return (tiles, Some(tile));
        }
        tiles += 1;
        work += weight;
    }
    (tiles, None)
}

/// The work to read what a tile, whose vertices are `level_m` apart, needs of data, `postings` altogether, that are `posting_m` apart.
fn reading(level_m: f64, posting_m: f64, postings: f64) -> f64 {
    let apart = level_m / posting_m;
    let on_tile = (f64::from(TILE_QUADS) * apart).powi(2).min(postings);
    if apart >= FAR_POSTINGS { PLACE * on_tile / (apart * apart) } else { POSTING * on_tile }
}

/// Which areas of data cover a tile.
#[derive(Clone)]
struct AreaCover {
    /// The topmost of the data that lie all over it.
    all: Option<u32>,
    /// Those above that one that lie on a part of it.
    part: Rc<[u32]>,
}

/// Estimates the work of tiles, in their order.
struct WorkEstimator<'a> {
    ellipsoid: Ellipsoid,
    areas: &'a [(Area, ReadPostings)],
    /// The tiles above the last one, and that one.
    above: Vec<(TileId, AreaCover)>,
}

impl<'a> WorkEstimator<'a> {
    fn new(weights: &'a WorkModel) -> Self {
        Self { ellipsoid: weights.ellipsoid, areas: &weights.areas, above: Vec::new() }
    }

    /// The weight of a tile, which comes after its parent and those in that one, and may be the finest one somewhere.
    fn estimate(&mut self, (id, is_end): (TileId, bool)) -> u64 {
        while self.above.last().is_some_and(|(top, _)| Some(*top) != id.parent()) {
            self.above.pop();
        }
        let cover = match self.above.last() {
            Some((_, of_parent)) => self.cover(id, of_parent),
            None => self.cover(id, &AreaCover { all: None, part: (0..self.areas.len() as u32).collect() }),
        };
        let weight = self.weight(id.level, is_end, &cover);
        self.above.push((id, cover));
        weight
    }

    /// Number and weight of the last tile and all in it down to a level, if they all are there; `None` where they differ in what lies on them.
    fn all_below(&self, finest: u32) -> Option<(u64, u64)> {
        let (id, cover) = self.above.last().filter(|(_, cover)| cover.part.is_empty())?;
        let of_level = |level: u32| {
            let tiles = tiles_below(level - id.level);
            (tiles, tiles * self.weight(level, level == finest, cover))
        };
        Some((id.level..=finest).map(of_level).fold((0, 0), |(a, b), (tiles, weight)| (a + tiles, b + weight)))
    }

    fn weight(&self, level: u32, is_end: bool, cover: &AreaCover) -> u64 {
        let level_m = posting_m(self.ellipsoid, level);
        let reading = cover.all.iter().chain(cover.part.iter()).filter_map(|k| {
            let (area, postings) = &self.areas[*k as usize];
            Some(reading(level_m, area.posting_m, (*postings)?))
        });
        let (mut read, mut count) = (0.0, 0u64);
        reading.for_each(|of_area| {
            read += of_area;
            count += 1;
        });
        let edge = if cover.part.is_empty() { 0 } else { EDGE };
        let end = if is_end && count > 0 { END } else { 0 };
        let exact = if level <= EXACT_LEVEL { EXACT } else { 0 };
        let coarse = exact + COARSE.get(level as usize).unwrap_or(&0);
        TILE + coarse + edge + end + read as u64
    }

    fn cover(&self, id: TileId, of_parent: &AreaCover) -> AreaCover {
        if of_parent.part.is_empty() {
            return of_parent.clone();
        }
        let (mut extent, mut all, mut part) = (TileExtent::of(id), of_parent.all, Vec::new());
        for &k in of_parent.part.iter() {
            match extent.overlap(&self.areas[k as usize].0) {
                // Nothing below counts.
                Overlap::All => {
                    all = Some(k);
                    break;
                }
                Overlap::Some => part.push(k),
                Overlap::None => {}
            }
        }
        AreaCover { all, part: part.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::rng;
    use proptest::prelude::*;
    use rand::Rng;

    proptest! {
        /// Law: shares are disjoint, in order, and together everything, and none has more than its part of the work and one tile.
        #[test]
        fn shares_partition(weights in prop::collection::vec(1..10_000u64, 0..300), count in 1..50u64) {
            let (all, mut next) = (weights.iter().sum(), 0);
            for index in 0..=count {
                let weighed = weights.iter().map(|weight| ((), *weight));
                let (end, first) = end_of((index, count), all, (0, 0), weighed);
                prop_assert!(end >= next && (index > 0 || end == 0) && first.is_some() == (end < weights.len() as u64));
                let of_share = &weights[next as usize..end as usize];
                let most = all / count + 1 + of_share.iter().max().unwrap_or(&0);
                prop_assert!(of_share.iter().sum::<u64>() <= most);
                next = end;
            }
            prop_assert_eq!(next, weights.len() as u64);
        }
    }

    /// Law: one walk counts the tiles that there are, and cuts shares where all tiles weighed one by one do.
    #[test]
    fn a_survey_is_of_all_tiles() {
        let mut rng = rng();
        for _ in 0..6 {
            let mut area = |size: f64, level| {
                let (west, south) = (rng.random_range(-180.0..180.0), rng.random_range(-90.0..90.0 - size));
                let bbox_deg = [west, south, west + size, south + size];
                Area { bbox_deg, posting_m: posting_m(Ellipsoid::WGS84, level), cap: None }
            };
            let areas = vec![
                area(6.0, 11),
                area(3.0, 8),
                area(40.0, 8),
                area(60.0, 5),
                Area { bbox_deg: [-180.0, -90.0, 180.0, 90.0], ..area(1.0, 3) },
            ];
            let only = rng.random::<bool>().then(|| [-60.0, -60.0, rng.random_range(0.0..200.0), 70.0]);
            let wanted = PackTiles::new(Ellipsoid::WGS84, areas.clone(), 11, 3, only);
            let weights = WorkModel {
                ellipsoid: Ellipsoid::WGS84,
                areas: areas
                    .into_iter()
                    .map(|area| (area, rng.random::<bool>().then(|| rng.random_range(1e6..1e9))))
                    .collect(),
            };
            let mut estimator = WorkEstimator::new(&weights);
            let all: Vec<(TileId, u64)> = wanted.with_ends().map(|tile| (tile.0, estimator.estimate(tile))).collect();
            let survey = Survey::of(&wanted, &weights);
            let of_level = |level: u32| all.iter().filter(|(id, _)| id.level == level).count() as u64;
            assert_eq!(survey.counts, (0..=11).map(of_level).collect::<Vec<_>>());
            assert_eq!(survey.work, all.iter().map(|(_, weight)| weight).sum::<u64>());
            let count = rng.random_range(1..40);
            for index in 1..=count {
                let (share, ends) = survey.share(&wanted, &weights, Shard { index, count });
                let [(first, begin), (end, next)] =
                    [index - 1, index].map(|index| end_of((index, count), survey.work, (0, 0), all.iter().copied()));
                assert_eq!((share.first, share.tiles, ends), (first, end - first, [begin, next]), "{index} of {count}");
                let from =
                    begin.map(|begin| wanted.with_ends_from(begin).map(|(id, _)| id).take(50).collect::<Vec<_>>());
                let expected: Vec<TileId> = all[first as usize..].iter().map(|(id, _)| *id).take(50).collect();
                assert_eq!(from.unwrap_or_default(), expected);
            }
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
            let reads: Vec<ReadPostings> =
                (0..2).map(|_| rng.random::<bool>().then(|| rng.random_range(1e4..1e8))).collect();
            let reads = [reads, vec![None]].concat();
            let weights = WorkModel {
                ellipsoid: Ellipsoid::WGS84,
                areas: areas.iter().cloned().zip(reads.iter().copied()).collect(),
            };
            let mut estimator = WorkEstimator::new(&weights);
            for (id, is_end) in wanted.with_ends() {
                let found = estimator.estimate((id, is_end));
                let overlaps = areas.iter().map(|area| TileExtent::of(id).overlap(area)).collect::<Vec<_>>();
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
