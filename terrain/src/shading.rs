//! How does a shader learn what the data say at a pixel? From tiles of gradients and heights, as fine as the pixel, whatever triangle it is of.
//!
//! Vertices are where the *shape* needs them; light needs more. `shaders/terrain/shading.wgsl` finds the tile of a pixel by its place, and
//! filters its texels at the pixel's size: a mesh of few triangles is shaded by all of its data.

mod place;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use glam::{DVec2, DVec3, DVec4, UVec2, Vec2Swizzles};

use crate::{
    View,
    cube::{ONE, unwarp},
    geodesy::{ECCENTRICITY_SQUARED, Geodetic, SEMI_MAJOR_M, from_ecef, normal_at},
    height::Relief,
    shading_tile::SHADING_TEXELS,
    streaming::{ShadingKind, ShadingLook, Streaming, TileCounts, has_fine_data},
    view::{Occluder, ViewError},
};
pub(crate) use place::FIRST_LEVEL;
use place::ShadingView;

/// Shading tiles on the device unless asked otherwise.
pub const DEFAULT_SHADING_TILES: u32 = 192;

/// Bytes of a shading tile on the device.
pub const SHADING_TILE_BYTES: u64 = (SHADING_TEXELS * SHADING_TEXELS) as u64 * 8 * 5 / 4;

/// Metres from the eye within which places are told from it: farther away the rounding of a normal is less than a pixel.
const NEAR_M: f64 = 100_000.0;

/// Tiles of gradients and heights on a device, for the pixels of a view.
///
/// Shaders import `terrain/shading` and call `shading_at`; [`bindings`](Self::bindings) are what it reads.
///
/// ```
/// use std::sync::Arc;
/// use gpu::{Gpu, GpuOptions};
/// use terrain::{ShadingTiles, View, geodesy::Geodetic, height::{GlobalGrid, Registration, Relief}};
///
/// let gpu = Gpu::new(&GpuOptions::default())?;
/// // Postings of 4 km; data of more than 5 km need no tiles.
/// let hills = GlobalGrid::from_fn(10_000, 5_001, Registration::Node, |lon, lat| 900.0 * lon.sin() * lat.cos());
/// let Some(mut tiles) = ShadingTiles::new(&gpu.device, &Arc::new(Relief::from_grid(hills)?), 32) else { return Ok(()) };
/// let eye_m = Geodetic::from_degrees(45.0, 7.0, 900_000.0).to_ecef();
/// let view = View { eye_m, forward: -eye_m, up: glam::DVec3::Z, fov_y_rad: 0.8, size_px: (320, 180) };
/// tiles.update_complete(&view, &gpu.queue)?;
/// assert!(tiles.is_complete() && tiles.counts().resident > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ShadingTiles {
    streaming: Streaming<ShadingKind>,
    /// As high as it is drawn.
    drawn: Arc<Relief>,
    uniforms: wgpu::Buffer,
    sampler: wgpu::Sampler,
    /// The view whose uniforms are on the device.
    last: Option<View>,
}

/// What `terrain/shading` reads.
#[derive(Clone, Debug)]
pub struct ShadingBindings {
    view: wgpu::Buffer,
    pages: wgpu::TextureView,
    tiles: wgpu::TextureView,
    sampler: wgpu::Sampler,
}

impl ShadingBindings {
    /// The bind group of the module.
    pub const GROUP: u32 = 2;

    /// The resources by the names that the module has for them.
    pub fn named(&self) -> [(&'static str, wgpu::BindingResource<'_>); 4] {
        [
            ("shading_view", self.view.as_entire_binding()),
            ("shading_pages", wgpu::BindingResource::TextureView(&self.pages)),
            ("shading_tiles", wgpu::BindingResource::TextureView(&self.tiles)),
            ("shading_sampler", wgpu::BindingResource::Sampler(&self.sampler)),
        ]
    }
}

impl ShadingTiles {
    /// No tile yet of a relief, and room for `budget` of them, of [`SHADING_TILE_BYTES`] each; `None` where no data are finer than
    /// [`SHADING_MAP_TEXEL_M`](crate::SHADING_MAP_TEXEL_M).
    ///
    /// Heights are those of the data, however [exaggerated](Relief::exaggerated) the relief is drawn.
    pub fn new(device: &wgpu::Device, relief: &Arc<Relief>, budget: u32) -> Option<Self> {
        if !has_fine_data(relief) {
            return None;
        }
        let exaggeration = relief.exaggeration();
        let data = if exaggeration == 1.0 { relief.clone() } else { Arc::new(relief.exaggerated(1.0)) };
        Some(Self {
            streaming: Streaming::new(device, ShadingKind::new(data, exaggeration), budget),
            drawn: relief.clone(),
            uniforms: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("shading view"),
                size: size_of::<ShadingView>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("shading tiles"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                ..Default::default()
            }),
            last: None,
        })
    }

    /// What shaders read; it stays the same.
    pub fn bindings(&self) -> ShadingBindings {
        let atlas = self.streaming.atlas();
        let (pages, tiles) = (atlas.pages().clone(), atlas.tiles().clone());
        ShadingBindings { view: self.uniforms.clone(), pages, tiles, sampler: self.sampler.clone() }
    }

    /// Takes over tiles that are ready, and asks for those that the view wants: once a frame, before its submission. True if what shaders
    /// read has changed.
    ///
    /// # Errors
    /// [`ViewError`] for a camera that is nowhere, looks nowhere or has no pixels; the tiles stay as they were.
    pub fn update(&mut self, view: &View, queue: &wgpu::Queue) -> Result<bool, ViewError> {
        self.step(view, queue, false)
    }

    /// As [`update`](Self::update), but makes all tiles that the view wants before it returns.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub fn update_complete(&mut self, view: &View, queue: &wgpu::Queue) -> Result<bool, ViewError> {
        self.step(view, queue, true)
    }

    fn step(&mut self, view: &View, queue: &wgpu::Queue, complete: bool) -> Result<bool, ViewError> {
        let same = self.last == Some(*view);
        if same && self.is_complete() {
            return Ok(false);
        }
        let frame = view.frame(Occluder::around(&self.drawn, view.eye_m))?;
        let texel_rad = frame.pixels_per_radian.recip() as f32;
        let look = ShadingLook::new(frame);
        let arrived = match complete {
            true => self.streaming.complete(&look, queue),
            false => self.streaming.follow(&look, None, queue),
        };
        if !same || arrived {
            let uniforms = shading_view(view.eye_m, texel_rad, self.streaming.atlas().deepest());
            queue.write_buffer(&self.uniforms, 0, bytemuck::bytes_of(&uniforms));
        }
        self.last = Some(*view);
        Ok(!same || arrived)
    }

    /// True if the last view has all the tiles that it wants.
    pub fn is_complete(&self) -> bool {
        self.streaming.is_complete()
    }

    /// Tiles by state, as of the last update.
    pub fn counts(&self) -> TileCounts {
        self.streaming.counts()
    }
}

/// What shaders know of an eye, of a texel as large as a pixel and of the finest level.
fn shading_view(eye_m: DVec3, texel_rad: f32, deepest: u32) -> ShadingView {
    let Geodetic { lat_rad, height_m, .. } = from_ecef(eye_m);
    let n = normal_at(eye_m);
    // Radius of curvature across the meridian.
    let radius_m = SEMI_MAJOR_M / (1.0 - ECCENTRICITY_SQUARED * lat_rad.sin().powi(2)).sqrt();
    let (across_m, along_m) = (radius_m + height_m, (1.0 - ECCENTRICITY_SQUARED) * radius_m + height_m);
    let change = DVec4::new(
        across_m.recip(),
        along_m.recip(),
        -ECCENTRICITY_SQUARED * radius_m / (along_m * along_m * across_m),
        eye_m.z,
    );
    let anchor = |axis: usize| {
        let face = 2 * axis as u32 + u32::from(n[axis] < 0.0);
        let ratios = DVec2::new(n[(axis + 1) % 3], n[(axis + 2) % 3]) / n[axis];
        let place = if face.is_multiple_of(2) { ratios } else { -ratios.yx() };
        let place = (place.map(unwarp) + 1.0) * (0.5 * f64::from(ONE));
        place.round().as_ivec2().extend(0).extend(0)
    };
    // From elsewhere there is no place near.
    let near_m = if height_m.abs() < NEAR_M { NEAR_M } else { 0.0 };
    ShadingView {
        up: n.extend(near_m).as_vec4(),
        change: change.as_vec4(),
        anchors: [0, 1, 2].map(anchor),
        texel_rad,
        deepest,
        padding: UVec2::ZERO,
    }
}
