//! Gradients and heights for shading: which tiles does a view want? Those whose texels are as large as pixels, over data that are finer than
//! the viewer's map of the whole Earth.

use std::sync::Arc;

use elevation::sample_spacing::SampleSpacing;
use glam::DVec3;

use super::{Kind, Made, TileTexture};
use crate::{
    cube::FACES,
    geodesy::{ecef, from_ecef},
    height::Relief,
    mesh::SHADING_MAP_TEXEL_M,
    metric::OUT_OF_PICTURE,
    shading_tile::{SHADING_TEXELS, ShadingTile, finer_corners, finest_m},
    tile::{TILE_QUADS, TileId, posting_m},
    view::Frame,
};

/// Level of the coarsest tiles: their texels are as fine as that map.
pub(crate) const FIRST_LEVEL: u32 = 3;

/// Texels up to this part of the postings have something to show.
const AS_FINE: f64 = 0.8;

/// No ground is nearer than this, metres.
const NEAREST_M: f64 = 0.5;

/// A view of the ground, and how high above the ellipsoid its eye is.
pub(crate) struct ShadingLook {
    frame: Frame,
    height_m: f64,
}

impl ShadingLook {
    pub fn new(frame: Frame) -> Self {
        Self { height_m: from_ecef(frame.eye_m).height_m, frame }
    }
}

/// What tiles for shading are made from.
#[derive(Clone)]
pub(crate) struct ShadingKind {
    relief: Arc<Relief>,
    spacing: Arc<SampleSpacing>,
    /// Metres of the picture a metre of height.
    exaggeration: f64,
}

/// The ground of a tile that is not made yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Square {
    centre_m: DVec3,
    height_m: f64,
    /// Distance from the centre within which all of its ground lies, and how far that rises.
    radius_m: f64,
    rise_m: f64,
    /// Between the texels that there are without it; 0 where it shows nothing that they do not.
    texel_m: f64,
}

impl ShadingKind {
    /// Of the heights of the data, which are drawn `exaggeration` times as high.
    pub fn new(relief: Arc<Relief>, exaggeration: f64) -> Self {
        Self { spacing: Arc::new(SampleSpacing::of(&relief)), relief, exaggeration }
    }

    /// A tile whose ground lies between two heights of the data.
    fn square(&self, id: TileId, (low_m, high_m): (f64, f64)) -> Square {
        let (low_m, high_m) = (self.exaggeration * low_m, self.exaggeration * high_m);
        let height_m = 0.5 * (low_m + high_m);
        let place = |x: u32, y: u32| ecef(id.place(x, y).point().normal(), height_m);
        let half = TILE_QUADS / 2;
        let centre_m = place(half, half);
        let rim = [0, half, TILE_QUADS].into_iter().flat_map(|k| [(k, 0), (k, TILE_QUADS), (0, k), (TILE_QUADS, k)]);
        let rise_m = 0.5 * (high_m - low_m);
        let radius_m = 1.02 * rim.map(|(x, y)| place(x, y).distance(centre_m)).fold(0.0, f64::max) + rise_m;
        let texel_m = posting_m(id.level - 1);
        let (finest_m, posting_m) = finest_m(&self.spacing, id);
        let has_more = posting_m < SHADING_MAP_TEXEL_M && texel_m > AS_FINE * finest_m;
        Square { centre_m, height_m, radius_m, rise_m, texel_m: if has_more { texel_m } else { 0.0 } }
    }
}

impl Kind for ShadingKind {
    type Texels = ShadingTile;
    type Child = Square;
    type Look = ShadingLook;

    const TEXTURE: TileTexture = TileTexture {
        label: "shading tiles",
        side: SHADING_TEXELS,
        levels: 2,
        format: wgpu::TextureFormat::Rgba16Float,
        texel_bytes: 8,
    };

    fn roots(&self) -> Vec<(TileId, Option<Square>)> {
        let side = 1 << FIRST_LEVEL;
        let faces = (0..FACES).flat_map(|face| (0..side).flat_map(move |j| (0..side).map(move |i| (face, i, j))));
        let ids = faces.map(|(face, i, j)| TileId { face, level: FIRST_LEVEL, i, j });
        let squares = ids.map(|id| (id, self.square(id, self.relief.range_m())));
        squares.filter(|(_, square)| square.texel_m > 0.0).map(|(id, square)| (id, Some(square))).collect()
    }

    fn make(&self, id: TileId) -> Made<Self> {
        let texels = ShadingTile::build(&self.relief, &self.spacing, id);
        let none = Square { centre_m: DVec3::ZERO, height_m: 0.0, radius_m: 0.0, rise_m: 0.0, texel_m: 0.0 };
        let children = id.children().map_or([none; 4], |children| {
            std::array::from_fn(|quarter| self.square(children[quarter], texels.range_m(quarter)))
        });
        Made { id, texels, children, mark: finer_corners(&self.spacing, id, SHADING_MAP_TEXEL_M) }
    }

    /// Pixels that a texel covers where it is nearest.
    fn ratio(square: &Square, look: &ShadingLook) -> f64 {
        let frame = &look.frame;
        let relative_m = square.centre_m - frame.eye_m;
        let hidden = || frame.beyond_horizon(relative_m, square.height_m, square.radius_m, square.rise_m);
        if square.texel_m == 0.0 || hidden() {
            return 0.0;
        }
        // Height above the ellipsoid is a distance, so the eye is at least as far from the ground as it is above its top.
        let above_m = look.height_m - (square.height_m + square.rise_m);
        let nearest_m = (relative_m.length() - square.radius_m).max(above_m).max(NEAREST_M);
        let seen = if frame.may_show(relative_m, square.radius_m) { 1.0 } else { f64::from(OUT_OF_PICTURE) };
        seen * square.texel_m * frame.pixels_per_radian / nearest_m
    }

    fn levels(tile: &ShadingTile) -> Vec<&[u8]> {
        [0, 1].map(|level| bytemuck::cast_slice(tile.texels(level))).to_vec()
    }
}

/// Whether some data are fine enough for tiles.
pub(crate) fn has_fine_data(relief: &Relief) -> bool {
    relief.areas().any(|(_, posting_m)| posting_m < SHADING_MAP_TEXEL_M)
}
