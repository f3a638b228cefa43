//! From a mesh and a camera to a picture: the maps, the uniforms, and the passes for each number of samples.

use std::sync::atomic::{AtomicU64, Ordering};

use glam::DVec3;
use shaders::EditedModules;
use terrain::ShadingTiles;
use terrain::geodesy::Ellipsoid;
use terrain::height::Relief;

use super::air::{Air, AirTables, ViewTable};
use super::composer::composer_on;
use super::copy::CopyPipeline;
use super::deferred::DeferredPipelines;
use super::error::RenderError;
use super::forward::{ForwardPipelines, Shaders, composer};
use super::frame_uniforms::FrameUniforms;
use super::ground_textures::{self, GroundTextures};
use super::motion_resolution::MotionResolution;
use super::night_lights::NightLights;
use super::place_cells::{PlaceCells, PlaceCellsBuffer};
use super::ramp::Ramp;
use super::render_mode::{RenderMode, RenderModes};
use super::resources::Resources;
use super::shading::ShadingPath;
use super::shadows::Shadows;
use super::source_map::SourceMap;
use super::stars::Stars;
use super::target::FrameTarget;
use super::timer::FrameTimer;
use crate::overlays::Overlays;
use crate::terrain::GroundTiles;

/// Pipelines and resources to draw the planet into colour textures of one format.
///
/// It records into the caller's encoder; the only queue write is that of the uniforms of the frame.
#[derive(Debug, bevy_ecs::resource::Resource)]
pub struct Renderer {
    ellipsoid: Ellipsoid,
    format: wgpu::TextureFormat,
    /// How frames are drawn that can be.
    samplings: RenderModes,
    /// Of each number of samples, set of drawings and way to draw that was asked for lately, the last one last.
    passes: Vec<((u32, Overlays, ShadingPath), Pipelines)>,
    /// What is drawn, and how.
    now: (Overlays, RenderMode),
    /// Where pictures may be ones that no compute shader writes, or have more pixels than the scene.
    copy: Option<CopyPipeline>,
    draws_wireframes: bool,
    maps: GroundTextures,
    air: ViewTable,
    sources: SourceMap,
    stars: Stars,
    night_lights: NightLights,
    shadows: Shadows,
    place_cells: PlaceCellsBuffer,
    tiles: GroundTiles,
    ramp: Ramp,
    uniforms: wgpu::Buffer,
    /// Shaders that were edited since the program was built.
    edited: EditedModules,
    /// Of all renderers, the number of the last change.
    changes: u64,
}

/// Numbers for changes, of which none comes twice, in whichever renderer.
static NEXT_CHANGE: AtomicU64 = AtomicU64::new(0);

/// Most pipelines that are kept of what is not drawn any more, for who switches back. A driver may need megabytes for each, and there are
/// thousands of sets of drawings.
const MOST_PASSES: usize = 8;

/// Those of a way to draw.
#[derive(Debug)]
enum Pipelines {
    Forward(ForwardPipelines),
    Deferred(DeferredPipelines),
}

fn next_change() -> u64 {
    NEXT_CHANGE.fetch_add(1, Ordering::Relaxed)
}

impl Renderer {
    /// Compiles the passes that draw ground by a [shading map](crate::terrain::ShadingMap). `format` is a colour format without sRGB
    /// conversion, or [`LINEAR_FORMAT`](super::LINEAR_FORMAT) with forward shading.
    ///
    /// # Errors
    /// [`RenderError`] if the device refuses a pipeline.
    pub fn new(
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        ellipsoid: Ellipsoid,
        format: wgpu::TextureFormat,
        samplings: RenderModes,
        shading_map: wgpu::TextureView,
        tiles: GroundTiles,
        (ramp, overlays): (Ramp, Overlays),
    ) -> Result<Renderer, RenderError> {
        let maps = GroundTextures::new(device, queue, shading_map, ramp.on(ellipsoid));
        let uniforms = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("frame"),
            size: size_of::<FrameUniforms>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let view_table = composer_on(ellipsoid).compose("viewer/view_table")?;
        let air =
            ViewTable::new(device, queue, &view_table, &AirTables::new(Air::of(ellipsoid)), &maps.sampler, &uniforms)?;
        let sources = SourceMap::new(device);
        let stars = Stars::new(device, queue);
        let ways = [samplings.moving.shading, samplings.still.shading];
        let copies = ways.contains(&ShadingPath::Deferred) || samplings.resolution != MotionResolution::FULL;
        let mut renderer = Renderer {
            ellipsoid,
            format,
            samplings,
            passes: Vec::new(),
            now: (overlays, samplings.moving),
            copy: copies.then(|| CopyPipeline::new(device, format)).transpose()?,
            draws_wireframes: device.features().contains(wgpu::Features::POLYGON_MODE_LINE),
            maps,
            air,
            sources,
            stars,
            night_lights: NightLights::none(device),
            shadows: Shadows::none(device),
            place_cells: PlaceCellsBuffer::new(device),
            tiles,
            ramp,
            uniforms,
            edited: EditedModules::default(),
            changes: next_change(),
        };
        renderer.compile(device, overlays)?;
        Ok(renderer)
    }

    /// Pipelines for what is drawn, unless they are there.
    fn compile(&mut self, device: &wgpu::Device, overlays: Overlays) -> Result<(), RenderError> {
        let plain = self.shaded(overlays);
        for RenderMode { samples, shading } in [self.samplings.moving, self.samplings.still] {
            let way = shading.of_frame(overlays);
            let wanted = (samples, plain, way);
            if let Some(at) = self.passes.iter().position(|(of, _)| *of == wanted) {
                self.passes[at..].rotate_left(1);
                continue;
            }
            let resources = self.resources();
            let pipelines = match way {
                ShadingPath::Forward => {
                    let (shaders, kind) = (
                        Shaders::drawing(
                            self.ellipsoid,
                            plain,
                            &self.edited,
                            self.tiles.shading.is_some(),
                            self.format,
                        )?,
                        (self.format, samples),
                    );
                    Pipelines::Forward(ForwardPipelines::new(device, &shaders, kind, &resources)?)
                }
                ShadingPath::Deferred => {
                    let composer =
                        composer(self.ellipsoid, plain, &self.edited, self.tiles.shading.is_some(), self.format);
                    Pipelines::Deferred(DeferredPipelines::new(device, &composer, samples, &resources)?)
                }
            };
            self.passes.push((wanted, pipelines));
        }
        let before = self.passes.len().saturating_sub(MOST_PASSES);
        self.passes.drain(..before);
        Ok(())
    }

    /// Compiles the passes of edited shaders, which draw `overlays`. If they are wrong the last good ones stay.
    ///
    /// # Errors
    /// [`RenderError`], with the line of a shader that does not compile.
    pub fn reload(
        &mut self,
        device: &wgpu::Device,
        overlays: Overlays,
        edited: EditedModules,
    ) -> Result<(), RenderError> {
        self.changes = next_change();
        let good = (std::mem::replace(&mut self.edited, edited), std::mem::take(&mut self.passes));
        self.compile(device, overlays).inspect_err(|_| (self.edited, self.passes) = good)
    }

    /// What shaders are made for: pictures where there are some.
    fn shaded(&self, overlays: Overlays) -> Overlays {
        overlays.shaded().with(overlays.pictures(), self.tiles.imagery.is_some())
    }

    /// The shadows of the ground.
    #[cfg(all(test, feature = "gdal"))]
    pub(super) fn shadows(&self) -> &Shadows {
        &self.shadows
    }

    fn resources(&self) -> Resources<'_> {
        let Renderer { maps, air, sources, stars, shadows, night_lights, place_cells, tiles, uniforms, .. } = self;
        Resources {
            maps,
            air,
            sources,
            stars,
            shadows,
            night_lights,
            place_cells: &place_cells.buffer,
            tiles,
            uniforms,
        }
    }

    /// Draws with other tiles from now on: with pictures, without, or with those of textures that have grown.
    ///
    /// # Errors
    /// [`RenderError`] if the device refuses them.
    pub fn set_tiles(&mut self, device: &wgpu::Device, tiles: GroundTiles) -> Result<(), RenderError> {
        if self.tiles == tiles {
            return Ok(());
        }
        (self.tiles, self.changes) = (tiles, next_change());
        if self.tiles.imagery.is_none() {
            // Nothing is drawn with what is not there.
            self.passes.retain(|((_, overlays, _), _)| !overlays.has_pictures());
        }
        self.rebind(device)
    }

    /// Tints heights by a ramp from now on.
    ///
    /// # Errors
    /// [`RenderError`] if the device refuses it.
    pub fn set_ramp(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, ramp: Ramp) -> Result<(), RenderError> {
        if ramp != self.ramp {
            (self.ramp, self.changes) = (ramp, next_change());
            self.maps.ramp = ground_textures::tint(device, queue, ramp.on(self.ellipsoid));
            self.rebind(device)?;
        }
        Ok(())
    }

    fn rebind(&mut self, device: &wgpu::Device) -> Result<(), RenderError> {
        let mut passes = std::mem::take(&mut self.passes);
        let resources = self.resources();
        let bound = passes.iter_mut().try_for_each(|(_, pipelines)| match pipelines {
            Pipelines::Forward(passes) => passes.rebind(device, &resources),
            Pipelines::Deferred(deferred) => deferred.rebind(device, &resources),
        });
        self.passes = passes;
        Ok(bound?)
    }

    /// Looks up which layers answer around an eye, above the unit normal `up` at `clearance_m` over the ground, for
    /// [`Overlays::SOURCE`].
    pub fn look_up_sources(&mut self, queue: &wgpu::Queue, relief: &Relief, up: DVec3, clearance_m: f64) {
        self.sources.update(queue, relief, up, clearance_m);
    }

    /// Shows cells of a number among those of their kind, from the next submission on, where [`Overlays::PLACE_CELLS`] is drawn.
    pub fn show_place_cells(&mut self, queue: &wgpu::Queue, number: u64, cells: PlaceCells<'_>) {
        if self.place_cells.show(queue, number, cells) {
            self.changes = next_change();
        }
    }

    /// The number of the last change of what is drawn besides the frame's uniforms and drawings, another one for each renderer and change.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Whether it [copies](Self::copy) pictures.
    pub fn copies(&self) -> bool {
        self.copy.is_some()
    }

    /// Records a copy of a picture into another one of its size, where that is [possible](Self::copies).
    ///
    /// # Errors
    /// [`RenderError`] if the device refuses to bind it.
    pub fn copy(
        &self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        from: &wgpu::TextureView,
        to: &wgpu::TextureView,
    ) -> Result<(), RenderError> {
        if let Some(copy) = &self.copy {
            copy.draw(encoder, &copy.bind(device, from)?, to, None);
        }
        Ok(())
    }

    /// Whether the device draws the edges of triangles.
    pub fn draws_wireframes(&self) -> bool {
        self.draws_wireframes
    }

    /// How frames are drawn that show neither edges nor other views of the mesh.
    pub fn samplings(&self) -> RenderModes {
        self.samplings
    }

    /// How the frame is drawn that was [prepared](Self::prepare) last: what its [`FrameTarget`] has to be for.
    pub fn sampling_of_frame(&self) -> RenderMode {
        self.now.1
    }

    /// Sets the uniforms of the next submission and what it draws, as a picture that stays or one in motion, and records what has to
    /// be made before pictures are drawn, shadows over `tiles` among it, and over a shading map that `is_complete` for the frame; `timer`
    /// times that.
    ///
    /// # Errors
    /// [`RenderError`] if the device refuses a pipeline for what is drawn.
    pub fn prepare(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        encoder: &mut wgpu::CommandEncoder,
        uniforms: &FrameUniforms,
        (overlays, still): (Overlays, bool),
        (tiles, is_complete): (Option<&ShadingTiles>, bool),
        timer: Option<&mut FrameTimer>,
    ) -> Result<(), RenderError> {
        let shading = self.tiles.shading.as_ref();
        let has_shadows = overlays.has(Overlays::SHADOWS) && overlays.view().is_none();
        if has_shadows && self.shadows.ensure_textures((device, encoder), self.ellipsoid, &self.maps, shading)? {
            self.rebind(device)?;
        }
        let has_lights = overlays.has(Overlays::LIGHTS) && overlays.view().is_none();
        if has_lights && self.ellipsoid == Ellipsoid::WGS84 && self.night_lights.load(device, queue) {
            self.rebind(device)?;
        }
        self.compile(device, overlays)?;
        let RenderMode { samples, shading } = if still { self.samplings.still } else { self.samplings.moving };
        let sampling = RenderMode { samples, shading: shading.of_frame(overlays) };
        self.now = (self.shaded(overlays), sampling);
        queue.write_buffer(&self.uniforms, 0, bytemuck::bytes_of(uniforms));
        self.air.update(encoder, uniforms.air(), timer);
        if has_shadows {
            let ground = ((&self.maps, is_complete), tiles.zip(self.tiles.shading.as_ref()));
            self.shadows.update((device, queue), encoder, uniforms.shadows(), ground, still)?;
        }
        Ok(())
    }

    /// Records a picture into `colour`, which has the [size of pictures](FrameTarget::picture_px) of `target`. The target is for
    /// [how](Self::sampling_of_frame) the frame is drawn; `mesh` sets the vertex and index buffers and draws the ground, twice for a
    /// `wireframe` (nothing more happens where the device [draws none](Self::draws_wireframes)); `timer` times the first picture of a frame.
    ///
    /// # Errors
    /// [`RenderError`] if the device refuses to bind `colour`.
    pub fn draw(
        &self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        (target, colour): (&mut FrameTarget, &wgpu::TextureView),
        mesh: impl Fn(&mut wgpu::RenderPass<'_>),
        wireframe: bool,
        timer: Option<&mut FrameTimer>,
    ) -> Result<(), RenderError> {
        let (overlays, sampling) = self.now;
        let wanted = (sampling.samples, overlays, sampling.shading);
        let fits = sampling == RenderMode { samples: target.samples(), shading: target.shading() };
        let pipelines = self.passes.iter().find(|(of, _)| *of == wanted && fits);
        match pipelines.map(|(_, pipelines)| pipelines) {
            Some(Pipelines::Forward(passes)) => {
                let (ends, ground_end) = timer.map_or((None, None), FrameTimer::scene);
                let reduced = target.reduced().cloned();
                if let Some(picture) = target.forward() {
                    let scene = reduced.as_ref().unwrap_or(colour);
                    let mut pass = picture.begin_timed_pass(device, encoder, scene, ends);
                    passes.draw(&mut pass, mesh, wireframe, ground_end);
                }
                if let Some(reduced) = &reduced {
                    self.copy(device, encoder, reduced, colour)?;
                }
            }
            Some(Pipelines::Deferred(deferred)) => {
                let marks = timer.and_then(FrameTimer::scene_in_two);
                if let Some(copy) = &self.copy {
                    deferred.draw(device, encoder, (target, colour, copy), mesh, marks.as_ref())?;
                }
            }
            None => {}
        }
        Ok(())
    }
}
