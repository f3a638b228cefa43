//! How does a shader learn whether a pixel is water, and how far the nearest border is? From tiles that are as fine as the pixel:
//! `shaders/terrain/water_tiles.wgsl`.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::{
    borders::Borders, height::Relief, pixel_tiles::PixelTiles, shading_tile::SHADING_TEXELS, streaming::WaterKind,
    water::Water,
};

/// Bytes of a water tile on the device.
pub const WATER_TILE_BYTES: u64 = 2 * (SHADING_TEXELS * SHADING_TEXELS) as u64;

/// Water tiles on the device: 24 MiB.
const TILES: u32 = 192;

/// Tiles of land, sea, lakes and borders on a device, for the pixels of a view. Shaders import `terrain/water_tiles` and call
/// `water_at(pixel_place(...), ...)` and `borders_along`.
pub type WaterTiles = PixelTiles<WaterKind>;

impl WaterTiles {
    /// The coarsest tiles of some outlines and borders, on ground that is drawn as a relief has it.
    pub fn new(device: &wgpu::Device, water: &Arc<Water>, borders: &Arc<Borders>, drawn: &Arc<Relief>) -> Self {
        Self::of(
            device,
            WaterKind { water: water.clone(), borders: borders.clone(), draws_borders: false },
            drawn,
            TILES,
        )
    }

    /// Whether borders are drawn, from the next update on: it wants tiles along them, or no longer.
    pub fn draw_borders(&mut self, drawn: bool) {
        self.change_kind(|kind| std::mem::replace(&mut kind.draws_borders, drawn) != drawn);
    }
}
