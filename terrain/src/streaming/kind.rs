//! What do kinds of tiles differ in? These items are public for the aliases of [`PixelTiles`](crate::PixelTiles), and nobody else can name them.

use super::texel_projection::TexelProjection;
use crate::tile::TileId;

/// A kind of tiles: how they are made, and how much a view needs those that are not.
pub trait TileKind: Clone + Send + Sync + 'static {
    /// What the device has of a tile.
    type Texels: Send;
    /// What is known of a child tile before it is built.
    type Child: Copy + Send;
    /// A view, as tiles are asked of it.
    type View: Clone + Send;

    /// The texture that tiles are layers of.
    const TEXTURE: TileTexture;

    /// The coarsest tiles, and what is known of them; nothing of one that is always there.
    fn roots(&self) -> Vec<(TileId, Option<Self::Child>)>;

    /// Announces tiles that will be built, the most urgent first.
    fn prefetch(&self, _ids: &[TileId]) {}

    /// Builds a tile.
    fn build(&self, id: TileId) -> BuiltTile<Self>;

    /// How much a view needs a tile, or the most urgent one below it: 1 is when it is needed.
    fn ratio(&self, child: &Self::Child, view: &Self::View) -> f64;

    /// The bytes of a tile, the finest level first.
    fn levels(texels: &Self::Texels) -> Vec<&[u8]>;
}

/// A tile as a worker builds it, with what is derived from its texels, so that no frame has to read them.
pub struct BuiltTile<K: TileKind> {
    pub id: TileId,
    pub texels: K::Texels,
    /// In the order of [`TileId::children`].
    pub children: [K::Child; 4],
    /// A word for shaders, in the table of pages.
    pub mark: u32,
}

/// A kind of tiles that pixels read.
pub trait PixelKind: TileKind<View = TexelProjection> {
    /// The bind group of its module.
    const GROUP: u32;

    /// View, table of pages, texture of tiles and sampler, by the names that the module has for them.
    const NAMES: [&'static str; 4];

    /// Whether a tile can show what those above it do not.
    fn adds_detail(&self, _id: TileId) -> bool {
        true
    }

    /// How many tiles there can be, up to `most`.
    fn count(&self, most: u32) -> u32 {
        let mut open: Vec<TileId> = self.roots().into_iter().map(|(id, _)| id).collect();
        let mut count = 0;
        while let Some(id) = open.pop().filter(|_| count < most) {
            count += 1;
            open.extend(id.children().into_iter().flatten().filter(|child| self.adds_detail(*child)));
        }
        count
    }
}

/// A texture with a layer a tile.
pub struct TileTexture {
    pub label: &'static str,
    /// Texels on a side of a tile.
    pub side: u32,
    /// Levels of detail, each half as wide as the one before.
    pub levels: u32,
    pub format: wgpu::TextureFormat,
    pub texel_bytes: u32,
}
