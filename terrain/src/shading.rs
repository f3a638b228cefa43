//! How does a shader learn what the data say at a pixel? From tiles of gradients and heights, as fine as the pixel, whatever triangle it is of.
//!
//! Vertices are where the *shape* needs them; light needs more. `shaders/terrain/shading.wgsl` finds the tile of a pixel by its place, and
//! filters its texels at the pixel's size: a mesh of few triangles is shaded by all of its data.

mod place;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use glam::{DVec2, DVec3, UVec2, Vec4};

use crate::{
    View,
    cube::{FACES, ONE, unwarp},
    geodesy::normal_at,
    height::Relief,
    shading_tile::SHADING_TEXELS,
    streaming::{ShadingKind, ShadingLook, Streaming, TileCounts, has_fine_data},
    view::{Occluder, ViewError},
};
pub(crate) use place::FIRST_LEVEL;
use place::{FaceUnderEye, ShadingView};

/// Shading tiles on the device unless asked otherwise.
pub const DEFAULT_SHADING_TILES: u32 = 192;

/// Bytes of a shading tile on the device.
pub const SHADING_TILE_BYTES: u64 = (SHADING_TEXELS * SHADING_TEXELS) as u64 * 8 * 5 / 4;

/// Metres from the eye within which coordinates are those of its own expansion: the terms of third order, which it lacks, are less than
/// a metre there.
const NEAR_M: f64 = 30_000.0;

/// Over which derivatives are taken, metres.
const STEP_M: f64 = 2_000.0;

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
            let uniforms = ShadingView {
                near: near_faces(view.eye_m).map(|face| under_eye(face, view.eye_m)),
                texel_rad,
                deepest: self.streaming.atlas().deepest(),
                padding: UVec2::ZERO,
            };
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

/// The faces that the ground under an eye leans to most: no other is near it.
fn near_faces(eye_m: DVec3) -> [u32; 3] {
    let n = normal_at(eye_m);
    let leaning = |face: u32| if face.is_multiple_of(2) { n[face as usize / 2] } else { -n[face as usize / 2] };
    let mut faces: Vec<u32> = (0..FACES).collect();
    faces.sort_by(|a, b| leaning(*b).total_cmp(&leaning(*a)));
    [faces[0], faces[1], faces[2]]
}

/// Integer coordinates on a face around an eye, with a reach of 0 where the face is not below it.
fn under_eye(face: u32, eye_m: DVec3) -> FaceUnderEye {
    let axis = (face / 2) as usize;
    let sign = if face.is_multiple_of(2) { 1.0 } else { -1.0 };
    let place = |position_m: DVec3| {
        let n = normal_at(eye_m + position_m) * sign;
        let (b, c) = (n[(axis + 1) % 3] / n[axis], n[(axis + 2) % 3] / n[axis]);
        let (x, y) = if sign > 0.0 { (b, c) } else { (-c, -b) };
        (DVec2::new(unwarp(x), unwarp(y)) + 1.0) * (0.5 * f64::from(ONE))
    };
    if normal_at(eye_m)[axis] * sign < 0.5 || !eye_m.is_finite() {
        return FaceUnderEye { face, ..FaceUnderEye::default() };
    }
    let here = place(DVec3::ZERO);
    let (h, axes) = (STEP_M, DVec3::AXES);
    let ends = axes.map(|a| (place(a * h), place(-a * h)));
    let linear = ends.map(|(ahead, behind)| (ahead - behind) / (2.0 * h));
    let squares = ends.map(|(ahead, behind)| (ahead + behind - 2.0 * here) / (2.0 * h * h));
    let products = [0, 1, 2].map(|k| {
        let (a, b) = (axes[k] * h, axes[(k + 1) % 3] * h);
        (place(a + b) + place(-a - b) - place(a - b) - place(b - a)) / (4.0 * h * h)
    });
    let of =
        |terms: [DVec2; 3]| [0, 1].map(|k| Vec4::new(terms[0][k] as f32, terms[1][k] as f32, terms[2][k] as f32, 0.0));
    FaceUnderEye {
        linear: of(linear),
        squares: of(squares),
        products: of(products),
        anchor: here.round().as_ivec2(),
        face,
        near_m: NEAR_M as f32,
    }
}
