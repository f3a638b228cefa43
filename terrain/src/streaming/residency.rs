//! Which tiles does a view want, and which one goes? A walk over the tree of resident tiles.

#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use glam::DVec3;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    cube::FACES,
    geodesy::{ecef, from_ecef},
    height::Relief,
    mesh::SHADING_MAP_TEXEL_M,
    metric::Quality,
    metric::{BOUND_OVER_ERROR, CutEdge, Metric, OUT_OF_PICTURE, ProjectedDistance, REACH_OVER_EDGE, ratio_of},
    tile::{TILE_QUADS, Tile, TileId},
    view::Frame,
};

/// Fewest tiles on a device: the six roots, and what leads to the ground under the eye.
pub const MIN_TILES: u32 = 32;

/// A tile is fetched when the ratio of its vertices comes this near to 1, at which they are wanted.
const FETCH_RATIO: f64 = 0.8;

/// What will be wanted counts so much of what is wanted.
const AHEAD: f64 = 0.5;

/// A view, as tiles are asked of it: what it shows, and how it judges the vertices there.
pub(crate) struct PreparedView {
    frame: Frame,
    /// The mesh's own, so that tiles are wanted by the measure that vertices are cut by.
    pub metric: Metric,
    /// Height of the ground under the eye.
    pub ground_m: f64,
    /// Height of the eye above the ellipsoid.
    height_m: f64,
}

impl PreparedView {
    /// The view of a frame over ground whose height under the eye is `ground_m`, and of which `nearest_m` is known
    /// ([`crate::view::nearest_m`]).
    pub fn new(frame: Frame, quality: &Quality, nearest_m: f64, ground_m: f64) -> Self {
        let metric = frame.metric(quality, nearest_m);
        Self { metric, ground_m, height_m: from_ecef(frame.eye_m).height_m, frame }
    }
}

/// What the four children of a tile could add.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quadrant {
    centre_m: DVec3,
    /// Height of the centre, and how far from there its ground reaches and rises.
    height_m: f64,
    radius_m: f64,
    rise_m: f64,
    /// Saturated error of the vertices that the child would bring, and their longest edge.
    error_m: f64,
    edge_m: f64,
}

/// Those of a tile, in the order of [`TileId::children`].
pub(super) type Quadrants = [Quadrant; 4];

struct Resident {
    layer: u32,
    quadrants: Quadrants,
    last_wanted: u64,
}

/// The tiles that are on the device.
pub(super) struct Residency {
    tiles: FxHashMap<TileId, Resident>,
    free_layers: Vec<u32>,
    clock: u64,
    complete: bool,
}

/// What a view wants.
pub(super) struct Wanted {
    /// Tiles that are not there, the most urgent first; a tile's parent is always there.
    pub missing: Vec<TileId>,
    /// Tiles wanted in all, there or not.
    pub count: u32,
}

impl Residency {
    pub fn new(layers: u32) -> Self {
        let free_layers = (0..layers).rev().collect();
        Self { tiles: FxHashMap::default(), free_layers, clock: 0, complete: false }
    }

    pub fn len(&self) -> u32 {
        self.tiles.len() as u32
    }

    /// True if the last plan missed nothing.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The tiles that the view wants, and a view from where the eye is going, as many as fit.
    pub fn plan(&mut self, look: &PreparedView, ahead: Option<&PreparedView>) -> Wanted {
        self.clock += 1;
        let mut found: Vec<(f64, TileId)> = Vec::new();
        // Those that the view itself wants, of which none may be missing for the picture to be complete.
        let mut now: FxHashSet<TileId> = FxHashSet::default();
        let mut open: Vec<(f64, TileId)> = (0..FACES).map(|face| (f64::INFINITY, TileId::root(face))).collect();
        now.extend(open.iter().map(|(_, id)| *id));
        while let Some((urgency, id)) = open.pop() {
            found.push((urgency, id));
            let here = now.contains(&id);
            let (Some(resident), Some(children)) = (self.tiles.get(&id), id.children()) else { continue };
            for (child, quadrant) in children.into_iter().zip(&resident.quadrants) {
                // No child is more urgent than its parent, so the most urgent ones are a tree.
                let at_once = ratio(quadrant, look);
                let soon = ahead.map_or(0.0, |ahead| AHEAD * ratio(quadrant, ahead));
                let urgency = urgency.min(at_once.max(soon));
                if here && at_once >= FETCH_RATIO {
                    now.insert(child);
                }
                if urgency >= FETCH_RATIO {
                    open.push((urgency, child));
                }
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.level.cmp(&b.1.level)).then(a.1.cmp(&b.1)));
        found.truncate(self.tiles.len() + self.free_layers.len());
        let mut missing = Vec::new();
        for (_, id) in &found {
            match self.tiles.get_mut(id) {
                Some(tile) => tile.last_wanted = self.clock,
                None => missing.push(*id),
            }
        }
        self.complete = !missing.iter().any(|id| now.contains(id));
        Wanted { missing, count: found.len() as u32 }
    }

    /// Gives a tile a layer, if need be that of the tile that has not been wanted for longest. `None` if it is there already or
    /// all are wanted.
    pub fn insert(&mut self, id: TileId, quadrants: Quadrants, mut evict: impl FnMut(TileId)) -> Option<u32> {
        if self.tiles.contains_key(&id) {
            return None;
        }
        let layer = match self.free_layers.pop() {
            Some(layer) => layer,
            None => {
                let unwanted = self.tiles.iter().filter(|(id, tile)| id.level > 0 && tile.last_wanted < self.clock);
                // Children go before their parents: they are never wanted longer than these.
                let (&oldest, _) = unwanted.min_by_key(|(id, tile)| (tile.last_wanted, Reverse(id.level), **id))?;
                evict(oldest);
                self.tiles.remove(&oldest)?.layer
            }
        };
        self.tiles.insert(id, Resident { layer, quadrants, last_wanted: self.clock });
        Some(layer)
    }
}

/// No vertex that a child may bring, at once or in children of its own, has a larger ratio: the metric of one that would be as
/// near as any of them and seen square, with the largest error and the longest edge.
fn ratio(quadrant: &Quadrant, look: &PreparedView) -> f64 {
    let frame = &look.frame;
    let relative_m = quadrant.centre_m - frame.eye_m;
    if frame.beyond_horizon(relative_m, quadrant.height_m, quadrant.radius_m, quadrant.rise_m) {
        return 0.0;
    }
    // Height above the ellipsoid is a distance, so the eye is at least as far from the ground as it is above its top.
    let top_m = quadrant.height_m + quadrant.rise_m;
    let to_vertex_m = (relative_m.length() - quadrant.radius_m).max(look.height_m - top_m).max(0.0) as f32;
    let edge_m = quadrant.edge_m as f32;
    let edge = CutEdge { length_m: edge_m, reach_m: REACH_OVER_EDGE * edge_m };
    let projected = ProjectedDistance { distance_m: to_vertex_m, sideways_m: to_vertex_m };
    let ratio = f64::from(ratio_of(look.metric, projected, edge, quadrant.error_m as f32));
    let seen = if frame.may_show(relative_m, quadrant.radius_m) { 1.0 } else { f64::from(OUT_OF_PICTURE) };
    ratio * seen
}

/// What the children of a tile could add, from all of its texels.
pub(super) fn quadrants(tile: &Tile) -> Quadrants {
    let half = TILE_QUADS as usize / 2;
    [(0, 0), (half, 0), (0, half), (half, half)].map(|(x0, y0)| {
        let (mut low_m, mut high_m, mut error_m) = (f64::MAX, f64::MIN, 0.0f64);
        for y in y0..=y0 + half {
            for x in x0..=x0 + half {
                let texel = tile.texel(x, y);
                low_m = low_m.min(texel.height_m());
                high_m = high_m.max(texel.height_m());
                // Vertices that first appear here; their errors cover those of what follows. Code 0 is no error.
                if (x | y) & 1 == 1 && texel.error_code() > 0 {
                    error_m = error_m.max(texel.error_m());
                }
            }
        }
        let height_m = 0.5 * (low_m + high_m);
        let place =
            |x: usize, y: usize| ecef(tile.id().place((x0 + x) as u32, (y0 + y) as u32).point().normal(), height_m);
        let centre_m = place(half / 2, half / 2);
        let rim = [0, half / 2, half].into_iter().flat_map(|x| [(x, 0), (x, half), (0, x), (half, x)]);
        let radius_m = rim.map(|(x, y)| place(x, y).distance(centre_m)).fold(0.0, f64::max);
        let rise_m = 0.5 * (high_m - low_m) + f64::from(BOUND_OVER_ERROR) * error_m;
        let radius_m = 1.02 * radius_m + rise_m;
        // A child's texels are half as far apart; its first vertices cut diagonals over two of them, of which the longest are at
        // corners or in the middle.
        let ends = [0, half / 2, half - 1].into_iter().flat_map(|x| [0, half / 2, half - 1].map(|y| (x, y)));
        let diagonals = ends
            .flat_map(|(x, y)| [place(x, y).distance(place(x + 1, y + 1)), place(x + 1, y).distance(place(x, y + 1))]);
        let edge_m = 1.02 * diagonals.fold(0.0, f64::max);
        Quadrant { centre_m, height_m, radius_m, rise_m, error_m, edge_m }
    })
}

/// Whether some data under a tile are finer than the viewer's shading map.
pub(super) fn has_own_normals(relief: &Relief, id: TileId) -> bool {
    let normal = |x: u32, y: u32| id.place(x, y).point().normal();
    let middle = normal(TILE_QUADS / 2, TILE_QUADS / 2);
    let radius = [(0, 0), (TILE_QUADS, 0), (0, TILE_QUADS), (TILE_QUADS, TILE_QUADS)]
        .map(|(x, y)| normal(x, y).angle_between(middle))
        .into_iter()
        .fold(0.0, f64::max);
    relief.areas().any(|(cap, posting_m)| {
        let touches = cap.is_none_or(|(centre, cos_radius)| centre.angle_between(middle) <= cos_radius.acos() + radius);
        posting_m < SHADING_MAP_TEXEL_M && touches
    })
}
