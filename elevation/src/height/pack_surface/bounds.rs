//! Between which heights is a pack in a region? Of tiles as large as the region, what the index says; below, what they hold.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{PackSurface, RIM, STRIDE, SampledTile, neighbour, tile_at};
use crate::{
    cube::FACES,
    geodesy::turn_rad,
    height::{Grid, HeightBounds, Interpolation, Pyramid, Rect, Region, cell_bounds},
    tile::{TILE_QUADS, TileId},
};

/// Levels over which a tile's own vertices still hold those round every place in it: a quad of the ancestor is the tile.
const NESTED: u32 = TILE_QUADS.ilog2();
/// Face coordinates, 0 to 1, by which a rectangle is widened for rounding: ten micrometres.
const ROUNDING: f64 = 1e-12;
const QUADS: usize = TILE_QUADS as usize;

/// Lowest and highest steps of each tile and all below it.
pub(super) type Ranges = FxHashMap<TileId, [u32; 2]>;

impl PackSurface {
    /// Lowest and highest height in metres in a region.
    pub(super) fn bounds_m(&self, region: &Region) -> (f64, f64) {
        let rects = (0..FACES).filter_map(|face| Some((face, on_face(face, region)?)));
        rects.map(|(face, rect)| self.in_rect(face, rect)).fold((f64::INFINITY, f64::NEG_INFINITY), hull)
    }

    /// Bounds in a rectangle of a face, in coordinates from 0 to 1.
    fn in_rect(&self, face: u32, rect: Rect) -> (f64, f64) {
        let finest = self.pack.manifest().max_level;
        let size = (rect.x[1] - rect.x[0]).max(rect.y[1] - rect.y[0]);
        // The finest level of which at most two tiles an axis touch the rectangle.
        let level = ((-size.log2()).floor().max(0.0) as u32).min(finest);
        let (first, last) = (tile_at(face, level, rect.x[0], rect.y[0]), tile_at(face, level, rect.x[1], rect.y[1]));
        let mut all = (f64::INFINITY, f64::NEG_INFINITY);
        for j in first.j..=last.j {
            for i in first.i..=last.i {
                let id = TileId { face, level, i, j };
                let side = (-f64::from(level)).exp2();
                let along = |index: u32| [f64::from(index) * side, f64::from(index + 1) * side];
                let Some(part) = rect.clip(Rect { x: along(i), y: along(j) }) else { continue };
                let bounds = if self.pack.contains(id) && level < finest {
                    self.below(id, part)
                } else {
                    let answers = std::iter::successors(Some(id), |id| id.parent()).find(|id| self.pack.contains(*id));
                    answers.map_or((0.0, 0.0), |id| self.inside(id, part))
                };
                all = hull(all, bounds);
            }
        }
        all
    }

    /// Bounds of a tile and all below it, and of the coarser ones to which they go over.
    fn below(&self, id: TileId, part: Rect) -> (f64, f64) {
        let ranges = self.ranges.get_or_init(|| self.subtrees());
        let [low, high] = ranges.get(&id).copied().unwrap_or([0, self.pack.manifest().most_steps()]);
        let bounds = (self.pack.height_m(low), self.pack.height_m(high));
        // The four vertices round a place in a near ancestor are vertices of this tile; those in a far one need not be.
        let mut ancestor = Some(id);
        for _ in 0..NESTED {
            ancestor = ancestor.filter(|id| self.ends_near(*id)).and_then(TileId::parent);
        }
        ancestor.map_or(bounds, |far| hull(bounds, self.inside(far, part)))
    }

    /// Whether one of the eight tiles around is missing.
    fn ends_near(&self, id: TileId) -> bool {
        let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))).filter(|offset| *offset != (0, 0));
        around.into_iter().any(|(dx, dy)| !self.pack.contains(neighbour(id, dx, dy)))
    }

    /// Bounds of what a tile answers in a rectangle inside it; of its ancestors if it cannot be read.
    fn inside(&self, id: TileId, part: Rect) -> (f64, f64) {
        let mut answers = Some(id);
        while let Some(id) = answers {
            match self.tile(id) {
                Ok(tile) => return self.inside_tile(&tile, part),
                Err(error) => self.record_failure(error),
            }
            answers = id.parent();
        }
        (0.0, 0.0)
    }

    fn inside_tile(&self, tile: &Arc<SampledTile>, part: Rect) -> (f64, f64) {
        let own = tile.bounds(part);
        match tile.id.parent().filter(|_| own.least < 1.0) {
            Some(parent) => own.over(self.inside(parent, part)),
            None => (own.low_m, own.high_m),
        }
    }

    /// What the index says, from the finest tiles up.
    fn subtrees(&self) -> Ranges {
        let records = self.pack.records();
        let mut ranges = Ranges::with_capacity_and_hasher(records.len(), Default::default());
        for header in records.iter().rev().map(|entry| &entry.header) {
            let [low, high] = header.range;
            let mut join = |id: TileId, low: u32, high: u32| {
                let range = ranges.entry(id).or_insert([low, high]);
                *range = [range[0].min(low), range[1].max(high)];
                *range
            };
            let [low, high] = join(header.id, low, high);
            if let Some(parent) = header.id.parent() {
                join(parent, low, high);
            }
        }
        ranges
    }
}

impl SampledTile {
    /// Bounds of this tile's own heights and of their weight against the parent's.
    fn bounds(&self, part: Rect) -> HeightBounds {
        let along = |[first, last]: [f64; 2], index: u32| {
            let at = |x: f64| {
                ((x * f64::from(1u32 << self.id.level) - f64::from(index)) * QUADS as f64).clamp(0.0, QUADS as f64)
            };
            [at(first), at(last)]
        };
        let rect = Rect { x: along(part.x, self.id.i), y: along(part.y, self.id.j) };
        let grid = Grid { data: &self.data, stride: STRIDE, cells: [QUADS; 2] };
        let (low_m, high_m) =
            cell_bounds(Interpolation::Cubic, grid, self.pyramid.get_or_init(|| Pyramid::build(grid)), rect);
        // As in `weight`, by the least and the greatest of each distance.
        let quads = QUADS as f64;
        let [dx, dy] = [rect.x, rect.y].map(|[a, b]| [[a, b], [0.0, 0.0], [quads - b, quads - a]]);
        let (mut least, mut most) = (RIM, RIM);
        for (row, dy) in self.missing.iter().zip(dy) {
            for (_, dx) in row.iter().zip(dx).filter(|(missing, _)| **missing) {
                least = least.min(f64::max(dx[0], dy[0]));
                most = most.min(f64::max(dx[1], dy[1]));
            }
        }
        HeightBounds { low_m, high_m, least: least / RIM, most: most / RIM }
    }
}

fn hull(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0.min(b.0), a.1.max(b.1))
}

/// The rectangle of a face, in coordinates from 0 to 1, that holds all its places in a region; `None` if it has none.
///
/// Warped coordinates are angles, of a quarter turn over the face, so they turn as longitudes do.
fn on_face(face: u32, region: &Region) -> Option<Rect> {
    let n = region.n.to_array();
    let axis = (face / 2) as usize;
    let up = if face.is_multiple_of(2) { n[axis] } else { -n[axis] };
    let (b, c) = (n[(axis + 1) % 3], n[(axis + 2) % 3]);
    let (across, along) = if face.is_multiple_of(2) { (b, c) } else { (c, b) };
    let range = |x: f64| {
        let turn = turn_rad(x, up, region.radius_rad).unwrap_or(f64::INFINITY);
        let coordinate = |angle: f64| 0.5 + angle / std::f64::consts::FRAC_PI_2;
        let angle = x.atan2(up);
        [coordinate(angle - turn) - ROUNDING, coordinate(angle + turn) + ROUNDING]
    };
    Rect { x: range(across), y: range(along) }.clip(Rect { x: [0.0, 1.0], y: [0.0, 1.0] })
}
