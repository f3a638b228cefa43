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
///
/// ```
/// use std::sync::Arc;
/// use terrain::{View, WaterTiles, borders::Borders, geodesy::{Ellipsoid, Geodetic}, height::{GlobalGrid, Registration, Relief}, water::Water};
///
/// let gpu = gpu::Gpu::new(&gpu::GpuOptions::default())?;
/// let flat = Arc::new(Relief::from_grid(GlobalGrid::from_fn(36, 19, Registration::Node, |_, _| 0.0))?);
/// let mut tiles = WaterTiles::new(&gpu.device, Water::earth(), Borders::earth(), &flat);
/// let eye_m = Geodetic::from_degrees(46.4, 6.5, 400_000.0).to_ecef(Ellipsoid::WGS84); // over Lake Geneva
/// let view = View::perspective(eye_m, -eye_m, glam::DVec3::Z, 0.8, (64, 36));
/// tiles.draw_borders(true);
/// tiles.update_complete(&view, &gpu.queue)?;
/// assert!(tiles.is_complete() && tiles.resident().len() == tiles.counts().resident as usize);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
