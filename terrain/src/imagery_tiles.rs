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
///
/// ```
/// use std::sync::Arc;
/// use terrain::{ImageryTiles, View, geodesy::{Ellipsoid, Geodetic}, imagery_tile::Imagery};
/// use terrain::{features::{Feature, Features, Shape, Style}, height::{GlobalGrid, Registration, Relief}};
///
/// let gpu = gpu::Gpu::new(&gpu::GpuOptions::default())?;
/// let flat = Arc::new(Relief::from_grid(GlobalGrid::from_fn(36, 19, Registration::Node, |_, _| 0.0))?);
/// let line = Shape::Line(vec![[6.0, 46.0], [7.0, 46.8]]);
/// let track = Feature { shape: line, style: Style::default(), label: None, attributes: None };
/// let imagery = Imagery::new(Vec::new()).with_features(vec![Arc::new(Features::new([track]))]);
/// let mut tiles = ImageryTiles::new(&gpu.device, &Arc::new(imagery), 32, &flat);
/// let eye_m = Geodetic::from_degrees(46.4, 6.5, 400_000.0).to_ecef(Ellipsoid::WGS84);
/// let view = View::perspective(eye_m, -eye_m, glam::DVec3::Z, 0.8, (64, 36));
/// tiles.update_complete(&view, &gpu.queue)?;
/// assert!(tiles.is_complete() && tiles.counts().resident > 0);
/// assert!((tiles.counts().resident..=tiles.counts().budget).contains(&tiles.bindings().layers()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type ImageryTiles = PixelTiles<ImageryKind>;

impl ImageryTiles {
    /// No tile yet, and room for `budget` of them, of [`IMAGERY_TILE_BYTES`] each, on ground that is drawn as a relief has it.
    pub fn new(device: &wgpu::Device, imagery: &Arc<Imagery>, budget: u32, drawn: &Arc<Relief>) -> Self {
        Self::of(device, ImageryKind { imagery: imagery.clone(), drawn: drawn.clone() }, drawn, budget)
    }
}
