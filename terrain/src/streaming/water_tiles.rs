//! Land, sea and lakes: which tiles does a view want? Those whose texels are as large as pixels, along shores.

use std::sync::Arc;

use elevation::{shading_tile::RIM, water::Water};

use super::{Kind, Made, PixelKind, PixelLook, TileTexture, ground::Ground};
use crate::{
    cube::FACES,
    shading_tile::SHADING_TEXELS,
    tile::{TILE_QUADS, TileId, posting_m},
};

/// Texels are at least so large, metres: outlines that ship are as coarse.
const FINEST_M: f64 = 60.0;

/// Shores are taken for so near to the ellipsoid, metres: tiles of high lakes come a little late.
const RISE_M: f64 = 200.0;

/// Outlines as texels.
#[derive(Clone)]
pub struct WaterKind(pub Arc<Water>);

/// The ground of a tile that is not made yet.
#[derive(Clone, Copy, Debug)]
pub struct Shore {
    ground: Ground,
    /// Between the texels that there are without it; 0 where all of it is the same.
    texel_m: f64,
}

impl WaterKind {
    fn shore(&self, id: TileId) -> Shore {
        let texel_m = posting_m(id.level - 1);
        let has_more = posting_m(id.level) >= FINEST_M && self.0.has_shore(id, RIM);
        let ground = Ground::of(id, [0, 0], TILE_QUADS, (0.0, 0.0), RISE_M);
        Shore { ground, texel_m: if has_more { texel_m } else { 0.0 } }
    }
}

impl Kind for WaterKind {
    type Texels = Vec<u8>;
    type Child = Shore;
    type Look = PixelLook;

    const TEXTURE: TileTexture = TileTexture {
        label: "water tiles",
        side: SHADING_TEXELS,
        levels: 1,
        format: wgpu::TextureFormat::R8Unorm,
        texel_bytes: 1,
    };

    fn roots(&self) -> Vec<(TileId, Option<Shore>)> {
        (0..FACES).map(|face| (TileId::root(face), None)).collect()
    }

    fn make(&self, id: TileId) -> Made<Self> {
        // Nobody asks for those of the deepest.
        let children = id.children().unwrap_or([id; 4]).map(|child| self.shore(child));
        Made { id, texels: self.0.tile_texels(id, RIM), children, mark: 0 }
    }

    fn ratio(shore: &Shore, look: &PixelLook) -> f64 {
        if shore.texel_m == 0.0 { 0.0 } else { look.pixels(&shore.ground, shore.texel_m) }
    }

    fn levels(texels: &Vec<u8>) -> Vec<&[u8]> {
        vec![texels]
    }
}

impl PixelKind for WaterKind {
    const GROUP: u32 = 3;
    const NAMES: [&'static str; 4] = ["water_view", "water_pages", "water_tiles", "water_sampler"];
}
