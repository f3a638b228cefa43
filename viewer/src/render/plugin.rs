//! Render: draws the planet into every picture of the frame and submits what the frame recorded.

use bevy_ecs::prelude::*;
use kernels::gpu::Gpu;

use super::frame::{FrameUniforms, Viewport};
use super::renderer::Renderer;
use super::sun::Sun;
use super::target::Target;
use crate::app::{App, Failed, Plugin, Step};
use crate::camera::{Camera, Lens};
use crate::terrain::Planet;

/// The GPU of the program.
#[derive(Resource, Debug, Clone)]
pub struct Context(pub Gpu);

/// Where the light comes from.
#[derive(Resource, Debug, Clone, Copy, Default)]
pub struct Light(pub Sun);

/// What this frame draws into, and its recorded commands.
#[derive(Resource, Debug)]
pub struct Drawing {
    /// Colour format of every picture.
    pub format: wgpu::TextureFormat,
    /// Whether this frame stays on screen: it is drawn with the samples of a still picture.
    pub still: bool,
    /// The pictures of this frame, each of the size of the [`Viewport`].
    pub pictures: Vec<wgpu::TextureView>,
    encoder: Option<wgpu::CommandEncoder>,
}

impl Drawing {
    /// Draws nothing yet.
    pub fn new(format: wgpu::TextureFormat) -> Drawing {
        Drawing { format, still: true, pictures: Vec::new(), encoder: None }
    }

    /// The commands of this frame.
    pub fn encoder(&mut self, device: &wgpu::Device) -> &mut wgpu::CommandEncoder {
        self.encoder.get_or_insert_with(|| {
            device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("frame") })
        })
    }

    /// The commands, finished; none if nothing was recorded.
    pub fn finish(&mut self) -> Option<wgpu::CommandBuffer> {
        self.encoder.take().map(wgpu::CommandEncoder::finish)
    }
}

/// Drawing and submission. Needs [`Context`], [`Drawing`], [`Renderer`], [`Light`], [`Viewport`], [`Camera`], [`Lens`]
/// and [`Planet`] in the world.
pub struct RenderPlugin;

/// Targets of the viewport's size, one for each number of samples in use.
#[derive(Resource, Default)]
struct Attachments(Vec<Target>);

impl Plugin for RenderPlugin {
    fn build(&self, app: &mut App) {
        app.world.init_resource::<Attachments>();
        app.systems(Step::Draw, draw);
        app.systems(Step::Submit, submit);
    }
}

fn draw(
    context: Res<Context>,
    renderer: Res<Renderer>,
    planet: Res<Planet>,
    (camera, lens, viewport, light): (Res<Camera>, Res<Lens>, Res<Viewport>, Res<Light>),
    mut attachments: ResMut<Attachments>,
    mut drawing: ResMut<Drawing>,
) {
    let gpu = &context.0;
    let pictures = std::mem::take(&mut drawing.pictures);
    if pictures.is_empty() {
        return;
    }
    let samples = if drawing.still { renderer.samples().still } else { renderer.samples().moving };
    let targets = &mut attachments.0;
    targets.retain(|target| target.size_px() == viewport.size_px);
    let at = targets.iter().position(|target| target.samples() == samples).unwrap_or_else(|| {
        targets.push(Target::new(&gpu.device, viewport.size_px, drawing.format, samples));
        targets.len() - 1
    });
    let target = &targets[at];
    let sun = light.0.direction(&camera);
    let uniforms = FrameUniforms::new(&camera, &lens, &viewport, sun, planet.mesh_eye_m(), renderer.map_texels());
    renderer.prepare(&gpu.queue, &uniforms);
    let encoder = drawing.encoder(&gpu.device);
    for picture in &pictures {
        renderer.draw(encoder, target, picture, |pass| planet.draw(pass));
    }
    drawing.pictures = pictures;
}

/// Submits the frame, and reports what the device found wrong with it.
fn submit(context: Res<Context>, mut drawing: ResMut<Drawing>, mut failed: ResMut<Failed>) {
    let gpu = &context.0;
    drawing.pictures.clear();
    if let Some(commands) = drawing.finish() {
        gpu.queue.submit([commands]);
    }
    if let Err(error) = gpu.errors.check() {
        failed.0.get_or_insert(error.into());
    }
}
