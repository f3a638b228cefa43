//! Pictures: which tiles does a view want? Those whose texels are as large as pixels, down to the texels of the pictures.

use std::sync::Arc;

use elevation::{
    height::Region,
    imagery_tile::{IMAGERY_TEXELS, Imagery, ImageryTile},
};

use super::{BuiltTile, PixelKind, TexelProjection, TileKind, TileTexture, ground::Ground};
use crate::{
    height::Relief,
    tile::{TILE_QUADS, TileId, posting_m},
};

/// Pictures on the ground as it is drawn.
#[derive(Clone)]
pub struct ImageryKind {
    pub imagery: Arc<Imagery>,
    pub drawn: Arc<Relief>,
}

/// A tile of imagery that is not built yet.
#[derive(Clone, Copy, Debug)]
pub struct ImageryChild {
    ground: Ground,
    /// Between the texels that there are without it: 0 where it shows nothing that they do not, infinite where there are none.
    texel_m: f64,
}

impl ImageryKind {
    fn ground(&self, id: TileId) -> Ground {
        let normal = |x: u32, y: u32| id.place(x, y).point().normal();
        let middle = normal(TILE_QUADS / 2, TILE_QUADS / 2);
        let corners = [(0, 0), (TILE_QUADS, 0), (0, TILE_QUADS), (TILE_QUADS, TILE_QUADS)];
        let chord = corners.into_iter().map(|(x, y)| normal(x, y).distance(middle)).fold(0.0, f64::max);
        // A cap of an angle, which is longer than its chord. What is too wide for one is bounded by all of the relief.
        let bounds_m =
            if id.level < 3 { self.drawn.range_m() } else { self.drawn.bounds_m(&Region::cap(middle, 1.1 * chord)) };
        Ground::of(self.drawn.ellipsoid(), id, [0, 0], TILE_QUADS, bounds_m, 0.0)
    }

    fn child(&self, id: TileId) -> ImageryChild {
        let texel_m = if self.adds_detail(id) { posting_m(self.drawn.ellipsoid(), id.level - 1) } else { 0.0 };
        ImageryChild { ground: self.ground(id), texel_m }
    }
}

impl TileKind for ImageryKind {
    type Texels = ImageryTile;
    type Child = ImageryChild;
    type View = TexelProjection;

    const TEXTURE: TileTexture = TileTexture {
        label: "imagery tiles",
        side: IMAGERY_TEXELS,
        levels: 2,
        format: wgpu::TextureFormat::Rgba8UnormSrgb,
        texel_bytes: 4,
    };

    fn roots(&self) -> Vec<(TileId, Option<ImageryChild>)> {
        // Below them there is nothing to see.
        let root = |id| (id, Some(ImageryChild { ground: self.ground(id), texel_m: f64::INFINITY }));
        self.imagery.roots().into_iter().map(root).collect()
    }

    fn build(&self, id: TileId) -> BuiltTile<Self> {
        // Nobody asks for those of the deepest.
        let children = id.children().unwrap_or([id; 4]).map(|child| self.child(child));
        let mark = children.iter().zip(0..).map(|(child, at)| u32::from(child.texel_m > 0.0) << at).sum();
        BuiltTile { id, texels: self.imagery.tile(id), children, mark }
    }

    fn ratio(&self, child: &ImageryChild, view: &TexelProjection) -> f64 {
        if child.texel_m == 0.0 {
            return 0.0;
        }
        // Behind the horizon none is needed, however large.
        view.pixels(&child.ground, child.texel_m.min(self.drawn.ellipsoid().semi_major_m()))
    }

    fn levels(tile: &ImageryTile) -> Vec<&[u8]> {
        [0, 1].map(|level| tile.texels(level).as_flattened()).to_vec()
    }
}

impl PixelKind for ImageryKind {
    const GROUP: u32 = 3;
    const NAMES: [&'static str; 4] = ["imagery_view", "imagery_pages", "imagery_tiles", "imagery_sampler"];

    fn adds_detail(&self, id: TileId) -> bool {
        self.imagery.adds(id)
    }
}
