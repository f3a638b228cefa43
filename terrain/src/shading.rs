//! How does a shader learn what the data say at a pixel? From tiles of gradients and heights, as fine as the pixel, whatever triangle it is of.
//!
//! Vertices are where the *shape* needs them; light needs more. `shaders/terrain/shading.wgsl` finds the tile of a pixel by its place, and
//! filters its texels at the pixel's size: a mesh of few triangles is shaded by all of its data.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::{
    height::Relief,
    pixel_tiles::PixelTiles,
    shading_tile::SHADING_TEXELS,
    streaming::{ShadingKind, has_fine_data},
};

/// Shading tiles on the device unless asked otherwise.
pub const DEFAULT_SHADING_TILES: u32 = 192;

/// Bytes of a shading tile on the device.
pub const SHADING_TILE_BYTES: u64 = (SHADING_TEXELS * SHADING_TEXELS) as u64 * 8 * 5 / 4;

/// Tiles of gradients and heights on a device, for the pixels of a view.
///
/// Shaders import `terrain/shading` and call `shading_at(pixel_place(...), ...)`; [`bindings`](Self::bindings) are what it reads.
///
/// ```
/// use std::sync::Arc;
/// use gpu::{Gpu, GpuOptions};
/// use terrain::{ShadingTiles, View, geodesy::{Ellipsoid, Geodetic}, height::{GlobalGrid, Registration, Relief}};
///
/// let gpu = Gpu::new(&GpuOptions::default())?;
/// // Postings of 4 km; data of more than 5 km need no tiles.
/// let hill_m = |lon_deg: f64, lat_deg: f64| 900.0 * (40.0 * lon_deg).to_radians().sin() * lat_deg.to_radians().cos();
/// let hills = GlobalGrid::from_fn(10_000, 5_001, Registration::Node, hill_m);
/// let Some(mut tiles) = ShadingTiles::new(&gpu.device, &Arc::new(Relief::from_grid(hills)?), 32) else { return Ok(()) };
/// let eye_m = Geodetic::from_degrees(45.0, 7.0, 900_000.0).to_ecef(Ellipsoid::WGS84);
/// let view = View::perspective(eye_m, -eye_m, glam::DVec3::Z, 0.8, (320, 180));
/// tiles.update_complete(&view, &gpu.queue)?;
/// assert!(tiles.is_complete() && tiles.counts().resident > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type ShadingTiles = PixelTiles<ShadingKind>;

impl ShadingTiles {
    /// No tile yet of a relief, and room for `budget` of them, of [`SHADING_TILE_BYTES`] each; `None` where no data are finer than
    /// [`shading_map_texel_m`](crate::shading_map_texel_m).
    ///
    /// Heights are those of the data, however [exaggerated](Relief::exaggerated) the relief is drawn.
    pub fn new(device: &wgpu::Device, relief: &Arc<Relief>, budget: u32) -> Option<Self> {
        if !has_fine_data(relief) {
            return None;
        }
        let exaggeration = relief.exaggeration();
        let data = if exaggeration == 1.0 { relief.clone() } else { Arc::new(relief.exaggerated(1.0)) };
        Some(Self::of(device, ShadingKind::new(data, exaggeration), relief, budget))
    }
}
