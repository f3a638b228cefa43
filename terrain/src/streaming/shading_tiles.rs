//! Gradients and heights for shading: which tiles does a view want? Those whose texels are as large as pixels, over data that are finer than
//! the viewer's map of the whole Earth.

use std::sync::Arc;

use elevation::sample_spacing::SampleSpacing;

use super::{
    BuiltTile, PixelKind, TileKind, TileTexture,
    ground::Ground,
    page::{FIRST_SHADING_LEVEL, MARKED_LEVEL},
    shading_map_texel_m,
    texel_projection::TexelProjection,
};
use crate::{
    cube::FACES,
    height::Relief,
    shading_tile::{FINER_DATA, SHADING_TEXELS, ShadingTile, finer_corners, finest_m},
    tile::{TILE_QUADS, TileId, posting_m},
};

/// Texels up to this part of the postings have something to show.
const AS_FINE: f64 = 0.8;

/// What tiles for shading are made from.
#[derive(Clone)]
pub struct ShadingKind {
    relief: Arc<Relief>,
    spacing: Arc<SampleSpacing>,
    /// Metres of the picture a metre of height.
    exaggeration: f64,
}

/// A shading tile that is not built yet.
#[derive(Clone, Copy, Debug)]
pub struct ShadingChild {
    ground: Ground,
    /// Between the texels that there are without it; 0 where it shows nothing that they do not.
    texel_m: f64,
}

impl ShadingKind {
    /// Of the heights of the data, which are drawn `exaggeration` times as high.
    pub fn new(relief: Arc<Relief>, exaggeration: f64) -> Self {
        Self { spacing: Arc::new(SampleSpacing::of(&relief)), relief, exaggeration }
    }

    /// A tile whose ground lies between two heights of the data.
    fn child(&self, id: TileId, (low_m, high_m): (f64, f64)) -> ShadingChild {
        let drawn_m = (self.exaggeration * low_m, self.exaggeration * high_m);
        let ground = Ground::of(self.relief.ellipsoid(), id, [0, 0], TILE_QUADS, drawn_m, 0.0);
        ShadingChild {
            ground,
            texel_m: if self.adds_detail(id) { posting_m(self.relief.ellipsoid(), id.level - 1) } else { 0.0 },
        }
    }
}

impl TileKind for ShadingKind {
    type Texels = ShadingTile;
    type Child = ShadingChild;
    type View = TexelProjection;

    const TEXTURE: TileTexture = TileTexture {
        label: "shading tiles",
        side: SHADING_TEXELS,
        levels: 2,
        format: wgpu::TextureFormat::Rgba16Float,
        texel_bytes: 8,
    };

    fn roots(&self) -> Vec<(TileId, Option<ShadingChild>)> {
        let side = 1 << FIRST_SHADING_LEVEL;
        let faces = (0..FACES).flat_map(|face| (0..side).flat_map(move |j| (0..side).map(move |i| (face, i, j))));
        let ids = faces.map(|(face, i, j)| TileId { face, level: FIRST_SHADING_LEVEL, i, j });
        let squares = ids.map(|id| (id, self.child(id, self.relief.range_m())));
        squares.filter(|(_, child)| child.texel_m > 0.0).map(|(id, child)| (id, Some(child))).collect()
    }

    fn prefetch(&self, ids: &[TileId]) {
        self.relief.prefetch(ids, false);
    }

    fn build(&self, id: TileId) -> BuiltTile<Self> {
        let texels = ShadingTile::build(&self.relief, &self.spacing, id);
        // Nobody asks for those of the deepest.
        let below = id.children().unwrap_or([id; 4]);
        let children = std::array::from_fn(|quarter| self.child(below[quarter], texels.range_m(quarter)));
        BuiltTile { id, texels, children, mark: self.mark(id) }
    }

    /// Pixels that a texel covers where it is nearest.
    fn ratio(&self, child: &ShadingChild, view: &TexelProjection) -> f64 {
        if child.texel_m == 0.0 {
            return 0.0;
        }
        view.pixels(&child.ground, child.texel_m)
    }

    fn levels(tile: &ShadingTile) -> Vec<&[u8]> {
        [0, 1].map(|level| bytemuck::cast_slice(tile.texels(level))).to_vec()
    }
}

impl ShadingKind {
    /// Whether a tile has fine data of its own, and where they are near, by the tile of [`MARKED_LEVEL`] that it lies in.
    fn mark(&self, id: TileId) -> u32 {
        let below_m = shading_map_texel_m(self.relief.ellipsoid());
        let below = id.level.saturating_sub(MARKED_LEVEL);
        let marked = TileId { level: id.level - below, i: id.i >> below, j: id.j >> below, ..id };
        let near = finer_corners(&self.spacing, marked, below_m);
        if below == 0 { near } else { near & !FINER_DATA | finer_corners(&self.spacing, id, below_m) & FINER_DATA }
    }
}

impl PixelKind for ShadingKind {
    const GROUP: u32 = 2;
    const NAMES: [&'static str; 4] = ["shading_view", "shading_pages", "shading_tiles", "shading_sampler"];

    fn adds_detail(&self, id: TileId) -> bool {
        let (finest_m, data_m) = finest_m(&self.spacing, id);
        data_m < shading_map_texel_m(self.relief.ellipsoid())
            && posting_m(self.relief.ellipsoid(), id.level - 1) > AS_FINE * finest_m
    }
}

/// Whether some data are fine enough for tiles.
pub(crate) fn has_fine_data(relief: &Relief) -> bool {
    relief.has_synthetic_detail()
        || relief.areas().any(|(_, posting_m)| posting_m < shading_map_texel_m(relief.ellipsoid()))
}
