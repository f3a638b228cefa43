//! What light does other ground take from ground? A map of the whole Earth for coarse data, and a layer a shading tile for finer ones, made
//! on the GPU when the sun has turned or tiles have come. Tiles know how much of the sky is seen, too.
//!
//! A texel holds the height over the ground from which the sun's upper and lower limb are seen. That is a continuous function of the place:
//! it can be filtered, and where it is 0 the shadow has its edge, however large the texels are. See `shaders/viewer/shadow_tiles.wgsl`.

mod inputs;
mod shadowed_tiles;
#[cfg(all(test, feature = "gdal"))]
mod tests;

use std::f32::consts::PI;
use terrain::geodesy::Ellipsoid;

use glam::Vec3;
use gpu::pipeline::{ComputeKernel, ComputeOptions};
use rustc_hash::FxHashMap;
use terrain::{ShadingTiles, TileBindings};

pub(super) use self::inputs::ShadowSun;
use self::inputs::{SHADOW_MAP_TEXELS, SHADOW_TILE_TEXELS, SKY_TILE_TEXELS, ShadowTile};
use self::shadowed_tiles::ShadowedTiles;
use super::composer::composer_on;
use super::error::RenderError;
use super::ground_textures::{GroundTextures, view_as};

/// Higher than any ground of the Earth, metres, and of other planets.
const HIGHEST_M: [f32; 2] = [10_000.0, 32_000.0];

/// Angle by which an eye may move before the map is made anew, radians.
const SPARE_RAD: f32 = 0.05;

/// Angle that the sun may turn before shadows are made anew, radians: in motion, and for a picture that stays.
const TURN_RAD: [f32; 2] = [1e-3, 1e-6];

/// Tiles that a frame in motion makes anew at most, while the sun turns: beside a graphics card, and on a software rasteriser. The others
/// keep their shadows until their turn.
const MOST_REBUILT: [usize; 2] = [128, 8];

/// The shadows of the ground; nothing on the device until some are drawn.
#[derive(Debug)]
pub(super) struct Shadows {
    map: wgpu::TextureView,
    tiles: wgpu::TextureView,
    builder: Option<ShadowBuilder>,
}

/// Kernels that compute shadows, and the sun that the current ones are for.
#[derive(Debug)]
struct ShadowBuilder {
    map_kernel: ComputeKernel,
    map_bindings: wgpu::BindGroup,
    /// Where there are shading tiles.
    tiles: Option<TileShadowBuilder>,
    sun: wgpu::Buffer,
    /// And whether the shading map had all blocks for it.
    built_for: Option<(ShadowSun, bool)>,
}

#[derive(Debug)]
struct TileShadowBuilder {
    kernel: ComputeKernel,
    /// A layer a shading tile, as the coarser shadows of each.
    layers: wgpu::Texture,
    far: wgpu::Buffer,
    made: ShadowedTiles,
    sky: SkyBuilder,
    /// As many tiles a frame in motion makes anew.
    most_rebuilt: usize,
}

/// How much of the sky shading tiles see. It does not depend on the sun.
#[derive(Debug)]
struct SkyBuilder {
    kernel: ComputeKernel,
    shares: wgpu::Buffer,
    made: ShadowedTiles,
    /// Metres of the mesh a metre of height that it is made for.
    exaggeration: f32,
}

/// A view of an array of squares, 16-bit floats of four channels.
fn squares(device: &wgpu::Device, label: &str, side: u32, layers: u32) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: layers },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba16Float,
        usage: wgpu::TextureUsages::TEXTURE_BINDING
            | wgpu::TextureUsages::STORAGE_BINDING
            | wgpu::TextureUsages::COPY_SRC
            | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}

impl Shadows {
    /// None yet.
    pub fn none(device: &wgpu::Device) -> Shadows {
        use wgpu::TextureViewDimension::{Cube, D2Array};
        Shadows {
            map: view_as(&squares(device, "no shadows", 1, 6), Cube),
            tiles: view_as(&squares(device, "no shadows", 1, 1), D2Array),
            builder: None,
        }
    }

    /// The textures by the names that the shader of the ground has for them.
    pub fn named(&self) -> [(&'static str, wgpu::BindingResource<'_>); 2] {
        let texture = wgpu::BindingResource::TextureView;
        [("shadow_map", texture(&self.map)), ("shadow_tiles", texture(&self.tiles))]
    }

    /// Makes room for shadows over some maps and tiles for shading, unless there is; true if the textures are others now.
    ///
    /// # Errors
    /// [`RenderError`] if the device refuses a pipeline.
    pub fn ensure_textures(
        &mut self,
        (device, encoder): (&wgpu::Device, &mut wgpu::CommandEncoder),
        ellipsoid: Ellipsoid,
        maps: &GroundTextures,
        shading: Option<&TileBindings>,
    ) -> Result<bool, RenderError> {
        use wgpu::TextureViewDimension::{Cube, D2Array};
        if let Some(builder) = &mut self.builder {
            let Some((tiles, shading)) = builder.tiles.as_mut().zip(shading) else { return Ok(false) };
            let grows = tiles.layers.depth_or_array_layers() < shading.layers();
            if grows {
                tiles.grow(device, encoder, shading.layers());
                self.tiles = view_as(&tiles.layers, D2Array);
            }
            return Ok(grows);
        }
        let composer = composer_on(ellipsoid);
        let options = ComputeOptions::default();
        let kernel = |module: &str, entry: &str| -> Result<ComputeKernel, RenderError> {
            Ok(ComputeKernel::with_embedded_loops(device, &composer.compose(module)?, entry, &options)?)
        };
        let sun = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("sun of the shadows"),
            size: size_of::<ShadowSun>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let map = squares(device, "shadow map", SHADOW_MAP_TEXELS, 6);
        let map_kernel = kernel("viewer/shadow_map", "shadow_the_globe")?;
        let written = view_as(&map, D2Array);
        let map_bindings = map_kernel.bind_group(
            device,
            0,
            &[
                ("shadow_sun", sun.as_entire_binding()),
                ("relief", wgpu::BindingResource::TextureView(&maps.relief)),
                ("smooth_sampler", wgpu::BindingResource::Sampler(&maps.sampler)),
                ("shadow_map", wgpu::BindingResource::TextureView(&written)),
            ],
        )?;
        let mut tiles = None;
        if let Some(shading) = shading {
            let kernels =
                (kernel("viewer/shadow_tiles", "shadow_tiles_of_level")?, kernel("viewer/sky_tiles", "sky_of_tiles")?);
            let made = TileShadowBuilder::new(device, kernels, shading.layers());
            self.tiles = view_as(&made.layers, D2Array);
            tiles = Some(made);
        }
        self.map = view_as(&map, Cube);
        self.builder = Some(ShadowBuilder { map_kernel, map_bindings, tiles, sun, built_for: None });
        Ok(true)
    }

    /// Records what is missing for a frame, whose textures [are there](Self::begin): `wanted` is its light, `maps` are complete for it or not,
    /// `shading` are its tiles and what shaders read of them, and a picture that stays is exact.
    ///
    /// # Errors
    /// [`RenderError`] if the device refuses a buffer.
    pub fn update(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        encoder: &mut wgpu::CommandEncoder,
        wanted: ShadowSun,
        ((maps, is_complete), shading): ((&GroundTextures, bool), Option<(&ShadingTiles, &TileBindings)>),
        still: bool,
    ) -> Result<(), RenderError> {
        let Some(builder) = &mut self.builder else { return Ok(()) };
        let waits = !still && builder.tiles.as_ref().is_some_and(|tiles| tiles.made.has_stale());
        // All tiles are made for one sun before the next.
        let turn_rad = if waits { PI } else { TURN_RAD[usize::from(still)] };
        let is_reusable_for = |(made, was_complete): (ShadowSun, bool)| {
            is_reusable_for(&made, &wanted, turn_rad) && (was_complete || !is_complete)
        };
        let is_good = builder.built_for.is_some_and(is_reusable_for);
        if !is_good {
            let built_for = ShadowSun { least_cos: (wanted.least_cos.acos() + SPARE_RAD).min(PI).cos(), ..wanted };
            queue.write_buffer(&builder.sun, 0, bytemuck::bytes_of(&built_for));
            builder.built_for = Some((built_for, is_complete));
            let mut pass = encoder.begin_compute_pass(&compute("shadow map"));
            pass.set_pipeline(builder.map_kernel.pipeline());
            pass.set_bind_group(0, &builder.map_bindings, &[]);
            let groups = SHADOW_MAP_TEXELS.div_ceil(builder.map_kernel.workgroup_size()[0]);
            pass.dispatch_workgroups(groups, groups, 6);
        }
        let (Some(tiles), Some((shading, bindings))) = (&mut builder.tiles, shading) else { return Ok(()) };
        let most_rebuilt = if still { usize::MAX } else { tiles.most_rebuilt };
        let resident: FxHashMap<_, _> = shading.resident().into_iter().collect();
        let sky_is_good = std::mem::replace(&mut tiles.sky.exaggeration, wanted.exaggeration) == wanted.exaggeration;
        // By the same rules as shadows: those copy the share when they are made.
        let sky = tiles.sky.made.tiles_to_build(resident.clone(), shading.is_complete(), sky_is_good, most_rebuilt);
        let shadows = tiles.made.tiles_to_build(resident, shading.is_complete(), is_good, most_rebuilt);
        if sky.is_empty() && shadows.is_empty() {
            return Ok(());
        }
        let texture = wgpu::BindingResource::TextureView;
        let mut pass = encoder.begin_compute_pass(&compute("shadow tiles"));
        let jobs = [(&tiles.sky.kernel, SKY_TILE_TEXELS, sky), (&tiles.kernel, SHADOW_TILE_TEXELS, shadows)];
        for (kernel, texels, lists) in jobs {
            pass.set_pipeline(kernel.pipeline());
            for list in lists {
                let made = list_of_tiles(device, queue, &list);
                let own = [
                    ("shadow_sun", builder.sun.as_entire_binding()),
                    ("relief", texture(&maps.relief)),
                    ("smooth_sampler", wgpu::BindingResource::Sampler(&maps.sampler)),
                    ("made", made.as_entire_binding()),
                    ("far", tiles.far.as_entire_binding()),
                    ("sky", tiles.sky.shares.as_entire_binding()),
                    ("shadow_tiles", texture(&self.tiles)),
                ];
                let named: Vec<_> = own.into_iter().chain(bindings.named()).collect();
                pass.set_bind_group(0, &kernel.layouts().bind_used(device, 0, &named)?, &[]);
                let groups = texels.div_ceil(kernel.workgroup_size()[0]);
                pass.dispatch_workgroups(groups, groups, list.len() as u32);
            }
        }
        Ok(())
    }
}

/// The tiles of a level for a kernel.
fn list_of_tiles(device: &wgpu::Device, queue: &wgpu::Queue, list: &[ShadowTile]) -> wgpu::Buffer {
    let made = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("tiles to shadow"),
        size: size_of_val(list) as u64,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    queue.write_buffer(&made, 0, bytemuck::cast_slice(list));
    made
}

impl TileShadowBuilder {
    /// None yet, and room for so many tiles.
    fn new(
        device: &wgpu::Device,
        (kernel, sky_kernel): (ComputeKernel, ComputeKernel),
        layers: u32,
    ) -> TileShadowBuilder {
        let is_software = device.adapter_info().device_type == wgpu::DeviceType::Cpu;
        TileShadowBuilder {
            kernel,
            layers: squares(device, "shadow tiles", SHADOW_TILE_TEXELS, layers),
            far: per_texel(device, "far shadows", SHADOW_TILE_TEXELS, layers),
            made: ShadowedTiles::default(),
            sky: SkyBuilder {
                kernel: sky_kernel,
                shares: per_texel(device, "sky of tiles", SKY_TILE_TEXELS, layers),
                made: ShadowedTiles::default(),
                exaggeration: f32::NAN,
            },
            most_rebuilt: MOST_REBUILT[usize::from(is_software)],
        }
    }

    /// Room for so many tiles, which is more than there was; those that are made stay.
    fn grow(&mut self, device: &wgpu::Device, encoder: &mut wgpu::CommandEncoder, layers: u32) {
        let grown = squares(device, "shadow tiles", SHADOW_TILE_TEXELS, layers);
        encoder.copy_texture_to_texture(self.layers.as_image_copy(), grown.as_image_copy(), self.layers.size());
        let far = per_texel(device, "far shadows", SHADOW_TILE_TEXELS, layers);
        encoder.copy_buffer_to_buffer(&self.far, 0, &far, 0, self.far.size());
        let shares = per_texel(device, "sky of tiles", SKY_TILE_TEXELS, layers);
        encoder.copy_buffer_to_buffer(&self.sky.shares, 0, &shares, 0, self.sky.shares.size());
        (self.layers, self.far, self.sky.shares) = (grown, far, shares);
    }
}

/// Four bytes a texel of tiles.
fn per_texel(device: &wgpu::Device, label: &str, texels: u32, layers: u32) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: u64::from(layers) * u64::from(texels).pow(2) * 4,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

fn compute(label: &str) -> wgpu::ComputePassDescriptor<'_> {
    wgpu::ComputePassDescriptor { label: Some(label), timestamp_writes: None }
}

impl ShadowSun {
    /// The light of the shadows of a frame by the direction to the sun, a radius of the planet in metres, and the ground that it may show: that below `up`, from a height in
    /// metres.
    pub fn of(sun: Vec3, radius_m: f32, (up, eye_height_m): (Vec3, f32), exaggeration: f32) -> ShadowSun {
        let to_horizon = |height_m: f32| (radius_m / (radius_m + height_m)).acos();
        let highest_m = HIGHEST_M[usize::from(radius_m != Ellipsoid::WGS84.semi_major_m() as f32)];
        let reach_rad = to_horizon(eye_height_m) + to_horizon(highest_m * exaggeration);
        ShadowSun { sun, exaggeration, middle: up, least_cos: reach_rad.cos() }
    }
}

/// Whether shadows that are made for one frame are those of another, to a turn of the sun.
fn is_reusable_for(made: &ShadowSun, wanted: &ShadowSun, turn_rad: f32) -> bool {
    let angle = |a: Vec3, b: Vec3| 2.0 * (0.5 * (a - b).length()).min(1.0).asin();
    made.exaggeration == wanted.exaggeration
        && angle(made.sun, wanted.sun) <= turn_rad
        && angle(made.middle, wanted.middle) + wanted.least_cos.acos() <= made.least_cos.acos() + 1e-6
}
