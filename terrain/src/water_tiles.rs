//! How does a shader learn whether a pixel is water? From tiles of land, sea and lakes, as fine as the pixel: `shaders/terrain/water_tiles.wgsl`.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::{
    height::Relief, pixel_tiles::PixelTiles, shading_tile::SHADING_TEXELS, streaming::WaterKind, water::Water,
};

/// Bytes of a water tile on the device.
pub const WATER_TILE_BYTES: u64 = (SHADING_TEXELS * SHADING_TEXELS) as u64;

/// Water tiles on the device: 12 MiB.
const TILES: u32 = 192;

/// Tiles of land, sea and lakes on a device, for the pixels of a view. Shaders import `terrain/water_tiles` and call `water_at(pixel_place(...), ...)`.
pub type WaterTiles = PixelTiles<WaterKind>;

impl WaterTiles {
    /// The coarsest tiles of some outlines, on ground that is drawn as a relief has it.
    pub fn new(device: &wgpu::Device, water: &Arc<Water>, drawn: &Arc<Relief>) -> Self {
        Self::of(device, WaterKind(water.clone()), drawn, TILES)
    }
}
