//! Tiles that pixels read, whatever triangle they are of: those that a view wants are streamed to the device, and shaders find the tile of a
//! pixel by its place.

mod pixel_place;
#[cfg(test)]
pub(crate) mod tests;

use std::sync::Arc;

use glam::{DVec2, DVec3, DVec4, Vec2Swizzles};

use crate::{
    View,
    cube::{ONE, unwarp},
    geodesy::Ellipsoid,
    height::Relief,
    options::PlanetError,
    streaming::{Atlas, MOST_VIEWS, PixelKind, SharedTiles, Streaming, TexelProjection, TileCounts},
    tile::TileId,
    view::{Occluder, ViewError},
};
use pixel_place::PixelView;

/// Metres from the eye within which places on the Earth are told from it, elsewhere the same angle: farther away the rounding of a normal is less than a pixel.
const NEAR_M: f64 = 100_000.0;

/// Tiles of a kind on a device, for the pixels of a view: [`ShadingTiles`](crate::ShadingTiles), [`WaterTiles`](crate::WaterTiles) or
/// [`ImageryTiles`](crate::ImageryTiles).
///
/// Shaders import the kind's module; [`bindings`](Self::bindings) are what it reads.
pub struct PixelTiles<K: PixelKind> {
    tiles: SharedTiles<K>,
    /// As high as it is drawn.
    drawn: Arc<Relief>,
    uniforms: wgpu::Buffer,
    sampler: wgpu::Sampler,
    /// The view whose uniforms are on the device.
    last: Option<View>,
}

/// What the module of a kind of tiles reads.
///
/// ```no_run
/// # fn demo(device: &wgpu::Device, kernel: &gpu::pipeline::RenderKernel, tiles: &terrain::ShadingTiles)
/// # -> Result<(), gpu::pipeline::PipelineError> {
/// // For a shader of yours that imports `terrain/shading`.
/// let bindings = tiles.bindings();
/// let bind_group = kernel.bind_group(device, bindings.group(), &bindings.named())?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TileBindings {
    group: u32,
    names: [&'static str; 4],
    view: wgpu::Buffer,
    pages: wgpu::TextureView,
    tiles: wgpu::TextureView,
    sampler: wgpu::Sampler,
    layers: u32,
}

impl TileBindings {
    /// The bind group of the module.
    pub fn group(&self) -> u32 {
        self.group
    }

    /// Layers of the texture of tiles, which grows with those that there are, up to the [budget](TileCounts::budget).
    pub fn layers(&self) -> u32 {
        self.layers
    }

    /// The resources by the names that the module has for them.
    pub fn named(&self) -> [(&'static str, wgpu::BindingResource<'_>); 4] {
        let [view, pages, tiles, sampler] = self.names;
        [
            (view, self.view.as_entire_binding()),
            (pages, wgpu::BindingResource::TextureView(&self.pages)),
            (tiles, wgpu::BindingResource::TextureView(&self.tiles)),
            (sampler, wgpu::BindingResource::Sampler(&self.sampler)),
        ]
    }
}

impl<K: PixelKind> PixelTiles<K> {
    /// No tile yet, and room for `budget` of them, or for all that there can be, over a relief as high as it is drawn.
    pub(crate) fn of(device: &wgpu::Device, kind: K, drawn: &Arc<Relief>, budget: u32) -> Self {
        let budget = kind.count(budget.min(device.limits().max_texture_array_layers));
        let tiles = SharedTiles::new(Streaming::new(Atlas::growing(device, budget), kind));
        Self::for_view(device, tiles, drawn.clone())
    }

    /// The same tiles for the pixels of one more view, with bindings of its own; it is updated with that view, with the same queue.
    ///
    /// # Errors
    /// [`PlanetError::TooManyViews`] beyond [`MOST_VIEWS`](crate::streaming::MOST_VIEWS).
    pub fn another_view(&self, device: &wgpu::Device) -> Result<Self, PlanetError> {
        let tiles = self.tiles.another().ok_or(PlanetError::TooManyViews { limit: MOST_VIEWS })?;
        Ok(Self::for_view(device, tiles, self.drawn.clone()))
    }

    fn for_view(device: &wgpu::Device, tiles: SharedTiles<K>, drawn: Arc<Relief>) -> Self {
        Self {
            tiles,
            drawn,
            uniforms: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("pixel view"),
                size: size_of::<PixelView>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some(K::TEXTURE.label),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                ..Default::default()
            }),
            last: None,
        }
    }

    /// What shaders read, until an update of any view of these tiles brings more than the texture has layers: then they are others, to be bound
    /// anew.
    pub fn bindings(&self) -> TileBindings {
        let all = self.tiles.all();
        let atlas = all.store();
        let (pages, tiles) = (atlas.pages().clone(), atlas.tiles().clone());
        TileBindings {
            group: K::GROUP,
            names: K::NAMES,
            view: self.uniforms.clone(),
            pages,
            tiles,
            sampler: self.sampler.clone(),
            layers: atlas.texture_layers(),
        }
    }

    /// The tiles that are on the device, with their layers of the texture, as of the last update.
    pub fn resident(&self) -> Vec<(TileId, u32)> {
        self.tiles.all().store().resident().collect()
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
        let frustum = view.frustum(Occluder::around(&self.drawn, view.eye_m))?;
        let texel_rad = frustum.pixels_per_radian.recip() as f32;
        let texels = TexelProjection::new(self.drawn.ellipsoid(), frustum);
        let arrived = match complete {
            true => self.tiles.update_complete(texels, queue),
            false => self.tiles.update((texels, None), !same, queue),
        };
        if !same || arrived {
            let uniforms = pixel_view(self.drawn.ellipsoid(), view.eye_m, texel_rad, self.tiles.all().levels());
            queue.write_buffer(&self.uniforms, 0, bytemuck::bytes_of(&uniforms));
        }
        self.last = Some(*view);
        Ok(!same || arrived)
    }

    /// Changes which tiles the next update wants; `change` tells whether it did.
    pub(crate) fn change_kind(&mut self, change: impl FnOnce(&mut K) -> bool) {
        if change(self.tiles.all().kind_mut()) {
            self.last = None;
        }
    }

    /// True if the last view has all the tiles that it wants.
    pub fn is_complete(&self) -> bool {
        self.tiles.is_complete()
    }

    /// Tiles by state, as of the last update.
    pub fn counts(&self) -> TileCounts {
        self.tiles.all().counts()
    }
}

/// What shaders know of an eye, of a texel as large as a pixel and of the coarsest and the finest level.
fn pixel_view(ellipsoid: Ellipsoid, eye_m: DVec3, texel_rad: f32, (first, deepest): (u32, u32)) -> PixelView {
    let n = ellipsoid.normal_at(eye_m);
    let height_m = ellipsoid.height_along_m(eye_m, n);
    // Radius of curvature across the meridian.
    let ([radius_m, _], flat) = (ellipsoid.radii_m(n.z), ellipsoid.eccentricity_squared());
    let near_m = NEAR_M * ellipsoid.size();
    let (across_m, along_m) = (radius_m + height_m, (1.0 - flat) * radius_m + height_m);
    let change =
        DVec4::new(across_m.recip(), along_m.recip(), -flat * radius_m / (along_m * along_m * across_m), eye_m.z);
    let anchor = |axis: usize| {
        let face = 2 * axis as u32 + u32::from(n[axis] < 0.0);
        let ratios = DVec2::new(n[(axis + 1) % 3], n[(axis + 2) % 3]) / n[axis];
        let place = if face.is_multiple_of(2) { ratios } else { -ratios.yx() };
        let place = (place.map(unwarp) + 1.0) * (0.5 * f64::from(ONE));
        place.round().as_ivec2().extend(0).extend(0)
    };
    // From elsewhere there is no place near.
    let near_m = if height_m.abs() < near_m { near_m } else { 0.0 };
    PixelView {
        up: n.extend(near_m).as_vec4(),
        change: change.as_vec4(),
        anchors: [0, 1, 2].map(anchor),
        texel_rad,
        deepest,
        first,
        padding: 0,
    }
}
