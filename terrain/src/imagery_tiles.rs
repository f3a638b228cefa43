//! How does a shader learn the colour of pictures at a pixel? From tiles that are as fine as the pixel: `shaders/terrain/imagery_tiles.wgsl`.

use std::sync::Arc;

use crate::{
    height::Relief,
    imagery_tile::{IMAGERY_TEXELS, Imagery},
    pixel_tiles::PixelTiles,
    streaming::ImageryKind,
};

/// Tiles of pictures on the device unless asked otherwise.
pub const DEFAULT_IMAGERY_TILES: u32 = 384;

/// Bytes of a tile of pictures on the device.
pub const IMAGERY_TILE_BYTES: u64 = (IMAGERY_TEXELS * IMAGERY_TEXELS) as u64 * 4 * 5 / 4;

/// Tiles of pictures on a device, for the pixels of a view. Shaders import `terrain/imagery_tiles` and call
/// `imagery_at(pixel_place(...), ...)`, which is linear light times alpha, and alpha.
pub type ImageryTiles = PixelTiles<ImageryKind>;

impl ImageryTiles {
    /// No tile yet, and room for `budget` of them, of [`IMAGERY_TILE_BYTES`] each, on ground that is drawn as a relief has it.
    pub fn new(device: &wgpu::Device, imagery: &Arc<Imagery>, budget: u32, drawn: &Arc<Relief>) -> Self {
        Self::of(device, ImageryKind { imagery: imagery.clone(), drawn: drawn.clone() }, drawn, budget)
    }
}
