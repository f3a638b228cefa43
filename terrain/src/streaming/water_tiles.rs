//! Land, sea, lakes and borders: which tiles does a view want? Those whose texels are as large as pixels, along shores, and along borders
//! where they are drawn.

use crate::geodesy::Ellipsoid;
use std::sync::Arc;

use elevation::{
    borders::Borders,
    shading_tile::RIM,
    water::{FINEST_LEVEL, Water},
};

use super::{BuiltTile, PixelKind, TexelProjection, TileKind, TileTexture, ground::Ground};
use crate::{
    cube::FACES,
    shading_tile::SHADING_TEXELS,
    tile::{TILE_QUADS, TileId, posting_m},
};

/// Texels of borders, which are lines a texel wide, are at least so large, metres.
const BORDER_M: f64 = 4.0;

/// Shores are taken for so near to the ellipsoid, metres: tiles of high lakes come a little late.
const RISE_M: f64 = 200.0;

/// Outlines and borders as texels.
#[derive(Clone)]
pub struct WaterKind {
    pub water: Arc<Water>,
    pub borders: Arc<Borders>,
    /// Whether tiles along them are wanted.
    pub draws_borders: bool,
}

/// A tile of water and borders that is not built yet.
#[derive(Clone, Copy, Debug)]
pub struct WaterChild {
    ground: Ground,
    /// Between the texels that there are without it.
    texel_m: f64,
    has_shore: bool,
    has_border: bool,
}

impl WaterKind {
    fn child(&self, id: TileId) -> WaterChild {
        // Outlines are of the Earth.
        let ellipsoid = Ellipsoid::WGS84;
        let own_m = posting_m(ellipsoid, id.level);
        WaterChild {
            ground: Ground::of(ellipsoid, id, [0, 0], TILE_QUADS, (0.0, 0.0), RISE_M),
            texel_m: posting_m(ellipsoid, id.level - 1),
            has_shore: id.level <= FINEST_LEVEL && self.water.has_shore(id, RIM),
            has_border: own_m >= BORDER_M && self.borders.has_any(id, RIM),
        }
    }
}

impl TileKind for WaterKind {
    type Texels = Vec<u8>;
    type Child = WaterChild;
    type View = TexelProjection;

    const TEXTURE: TileTexture = TileTexture {
        label: "water tiles",
        side: SHADING_TEXELS,
        levels: 1,
        format: wgpu::TextureFormat::Rg8Unorm,
        texel_bytes: 2,
    };

    fn roots(&self) -> Vec<(TileId, Option<WaterChild>)> {
        (0..FACES).map(|face| (TileId::root(face), None)).collect()
    }

    fn build(&self, id: TileId) -> BuiltTile<Self> {
        // Nobody asks for those of the deepest.
        let children = id.children().unwrap_or([id; 4]).map(|child| self.child(child));
        let both = self.water.tile_texels(id, RIM).into_iter().zip(self.borders.tile_texels(id, RIM));
        BuiltTile { id, texels: both.flat_map(<[u8; 2]>::from).collect(), children, mark: 0 }
    }

    fn ratio(&self, child: &WaterChild, view: &TexelProjection) -> f64 {
        if child.has_shore || (child.has_border && self.draws_borders) {
            view.pixels(&child.ground, child.texel_m)
        } else {
            0.0
        }
    }

    fn levels(texels: &Vec<u8>) -> Vec<&[u8]> {
        vec![texels]
    }
}

impl PixelKind for WaterKind {
    const GROUP: u32 = 3;
    const NAMES: [&'static str; 4] = ["water_view", "water_pages", "water_tiles", "water_sampler"];
}
