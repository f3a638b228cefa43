//! Heights and errors for the mesh: which tiles does a view want? By projected error, the measure that vertices are cut by.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::{
    BuiltTile, TileKind, TileTexture,
    ground::{Ground, Visibility},
};
use crate::{
    TileCache,
    cube::FACES,
    geodesy::Ellipsoid,
    height::{CoarseErrors, Relief},
    metric::Quality,
    metric::{BOUND_OVER_ERROR, CutEdge, Metric, ProjectedDistance, REACH_OVER_EDGE, ratio_of, reach_scale},
    tile::{TILE_QUADS, TILE_VERTICES, Tile, TileId},
    view::ViewFrustum,
};

/// What tiles of heights are made from.
#[derive(Clone)]
pub(crate) struct HeightTiles {
    relief: Arc<Relief>,
    coarse_errors: Arc<CoarseErrors>,
    cache: Option<Arc<TileCache>>,
}

impl HeightTiles {
    /// Tiles are looked for in a cache before they are made, and kept there; not those of exaggerated ground: kept tiles have the heights of
    /// the data.
    pub fn new(relief: Arc<Relief>, cache: Option<Arc<TileCache>>) -> Self {
        let coarse_errors = cache.as_ref().map_or_else(
            || relief.coarse_errors(),
            |cache| Arc::new(cache.coarse_errors(&relief, CoarseErrors::DEFAULT_LEVEL)),
        );
        let cache = cache.filter(|_| relief.exaggeration() == 1.0);
        Self { relief, coarse_errors, cache }
    }

    /// A tile from the cache, or built and kept there.
    fn tile(&self, id: TileId) -> Tile {
        let Some(cache) = &self.cache else { return Tile::build(&self.relief, &self.coarse_errors, id) };
        if let Some(tile) = cache.get(id) {
            return tile;
        }
        let tile = Tile::build(&self.relief, &self.coarse_errors, id);
        // After a file has gone bad, what lies below it may have answered: that must not outlive this flight.
        if self.relief.failure().is_none() {
            cache.put(&tile);
        }
        tile
    }
}

impl TileKind for HeightTiles {
    type Texels = Tile;
    type Child = Quadrant;
    type View = PreparedView;

    const TEXTURE: TileTexture = TileTexture {
        label: "terrain tiles",
        side: TILE_VERTICES as u32,
        levels: 1,
        format: wgpu::TextureFormat::R32Uint,
        texel_bytes: 4,
    };

    fn roots(&self) -> Vec<(TileId, Option<Quadrant>)> {
        (0..FACES).map(|face| (TileId::root(face), None)).collect()
    }

    fn prefetch(&self, ids: &[TileId]) {
        self.relief.prefetch(ids, true);
    }

    fn build(&self, id: TileId) -> BuiltTile<Self> {
        let tile = self.tile(id);
        // Whether its vertices have normals of their own.
        let mark = u32::from(has_own_normals(&self.relief, id));
        BuiltTile { id, children: quadrants(self.relief.ellipsoid(), &tile), texels: tile, mark }
    }

    fn ratio(&self, child: &Quadrant, view: &PreparedView) -> f64 {
        ratio(child, view)
    }

    fn levels(tile: &Tile) -> Vec<&[u8]> {
        vec![bytemuck::cast_slice(tile.texels())]
    }
}

/// A view, as tiles are asked of it: what it shows, and how it judges the vertices there.
#[derive(Clone)]
pub(crate) struct PreparedView {
    frustum: ViewFrustum,
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
    pub fn new(ellipsoid: Ellipsoid, frustum: ViewFrustum, quality: &Quality, nearest_m: f64, ground_m: f64) -> Self {
        let metric = frustum.metric(quality, nearest_m);
        Self { metric, ground_m, height_m: ellipsoid.height_m(frustum.eye_m), frustum }
    }
}

/// What the four children of a tile could add.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quadrant {
    ground: Ground,
    /// Saturated error of the vertices that the child would bring, and their longest edge.
    error_m: f64,
    edge_m: f64,
    /// How far their triangles reach at most.
    reach_m: f64,
}

/// Those of a tile, in the order of [`TileId::children`].
type Quadrants = [Quadrant; 4];

/// No vertex that a child may bring, at once or in children of its own, has a larger ratio: the metric of one that would be as
/// near as any of them and seen square, with the largest error and the longest edge.
fn ratio(quadrant: &Quadrant, view: &PreparedView) -> f64 {
    let Some(Visibility { nearest_m, weight }) = quadrant.ground.visibility(&view.frustum, view.height_m) else {
        return 0.0;
    };
    let to_vertex_m = nearest_m as f32;
    let edge_m = quadrant.edge_m as f32;
    let edge = CutEdge { length_m: edge_m, reach_m: quadrant.reach_m as f32 };
    let projected = ProjectedDistance { distance_m: to_vertex_m, sideways_m: to_vertex_m };
    f64::from(ratio_of(view.metric, projected, edge, quadrant.error_m as f32)) * weight
}

/// What the children of a tile could add, from all of its texels.
fn quadrants(ellipsoid: Ellipsoid, tile: &Tile) -> Quadrants {
    let half = TILE_QUADS as usize / 2;
    [(0, 0), (half, 0), (0, half), (half, half)].map(|(x0, y0)| {
        let (mut low_m, mut high_m, mut error_m) = (f64::MAX, f64::MIN, 0.0f64);
        for y in y0..=y0 + half {
            for x in x0..=x0 + half {
                let (texel, height_m) = (tile.texel(x, y), tile.height_m(x, y));
                low_m = low_m.min(height_m);
                high_m = high_m.max(height_m);
                // Vertices that first appear here; their errors cover those of what follows. Code 0 is no error.
                if (x | y) & 1 == 1 && texel.error_code() > 0 {
                    error_m = error_m.max(texel.error_m());
                }
            }
        }
        let corner = [x0, y0].map(|k| k as u32);
        let slack_m = f64::from(BOUND_OVER_ERROR) * error_m;
        let ground = Ground::of(ellipsoid, tile.id(), corner, half as u32, (low_m, high_m), slack_m);
        let place = |x: usize, y: usize| {
            ellipsoid.ecef(tile.id().place((x0 + x) as u32, (y0 + y) as u32).point().normal(), ground.height_m)
        };
        // A child's texels are half as far apart; its first vertices cut diagonals over two of them, of which the longest are at
        // corners or in the middle.
        let ends = [0, half / 2, half - 1].into_iter().flat_map(|x| [0, half / 2, half - 1].map(|y| (x, y)));
        let diagonals = ends
            .flat_map(|(x, y)| [place(x, y).distance(place(x + 1, y + 1)), place(x + 1, y).distance(place(x, y + 1))]);
        let edge_m = 1.02 * diagonals.fold(0.0, f64::max);
        let reach_m = f64::from(REACH_OVER_EDGE) * reach_scale(ellipsoid) * edge_m;
        Quadrant { ground, error_m, edge_m, reach_m }
    })
}

/// Whether some data under a tile are finer than the viewer's shading map.
fn has_own_normals(relief: &Relief, id: TileId) -> bool {
    let normal = |x: u32, y: u32| id.place(x, y).point().normal();
    let middle = normal(TILE_QUADS / 2, TILE_QUADS / 2);
    let radius = [(0, 0), (TILE_QUADS, 0), (0, TILE_QUADS), (TILE_QUADS, TILE_QUADS)]
        .map(|(x, y)| normal(x, y).angle_between(middle))
        .into_iter()
        .fold(0.0, f64::max);
    relief.has_synthetic_detail()
        || relief.areas().any(|(cap, posting_m)| {
            let touches =
                cap.is_none_or(|(centre, cos_radius)| centre.angle_between(middle) <= cos_radius.acos() + radius);
            posting_m < super::shading_map_texel_m(relief.ellipsoid()) && touches
        })
}
