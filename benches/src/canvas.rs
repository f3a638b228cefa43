//! What do the programs that time whole frames draw with? The plainest shading into a texture with depth, reverse-Z.

use anyhow::Result;
use glam::Mat4;
use gpu::{
    Gpu,
    pipeline::{RenderKernel, RenderTarget, Uniform},
};
use terrain::{TerrainVertex, View};

/// Draws vertices of the mesh by their heights.
const SHADER: &str = "//!import terrain/vertex
struct Camera { to_clip: mat4x4f }
@group(0) @binding(0) var<uniform> camera: Camera;
struct Varyings { @builtin(position) clip: vec4f, @location(0) height_m: f32 }
@vertex fn draw_vertex(vertex: TerrainVertex) -> Varyings {
    return Varyings(camera.to_clip * vec4f(vertex.position_m, 1.0), vertex.height_m);
}
@fragment fn draw_fragment(in: Varyings) -> @location(0) vec4f {
    return vec4f(vec3f(0.5 + in.height_m / 12000.0), 1.0);
}";

/// A picture of its own, and the pipeline that draws the mesh into it.
pub struct Canvas {
    kernel: RenderKernel,
    camera: Uniform<Mat4>,
    bindings: wgpu::BindGroup,
    target: RenderTarget,
    picture: wgpu::TextureView,
}

impl Canvas {
    /// A picture of a size.
    ///
    /// # Errors
    /// If the device refuses the pipeline.
    pub fn new(gpu: &Gpu, size: (u32, u32)) -> Result<Canvas> {
        let device = &gpu.device;
        let format = wgpu::TextureFormat::Rgba8Unorm;
        let picture = device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: size.0, height: size.1, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        let target = RenderTarget::new(format, 1);
        let kernel = RenderKernel::new(
            device,
            &terrain::composer().bind("bench/planet", "planet.wgsl", SHADER).compose("bench/planet")?,
            &target
                .options()
                .with_vertex("draw_vertex")
                .with_fragment(Some("draw_fragment"))
                .with_buffers(&[Some(TerrainVertex::LAYOUT)])
                .with_primitive(wgpu::PrimitiveState { cull_mode: Some(wgpu::Face::Back), ..Default::default() }),
        )?;
        let camera = Uniform::new(device, "camera");
        let bindings = kernel.bind_group(device, 0, &[("camera", camera.binding())])?;
        Ok(Canvas { kernel, camera, bindings, target, picture: picture.create_view(&Default::default()) })
    }

    /// Looks through a view from the next submission on.
    pub fn look(&self, queue: &wgpu::Queue, view: &View) {
        self.camera.write(queue, &view.clip_from_eye(1.0));
    }

    /// Records a pass that draws what `draw` draws.
    pub fn draw(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
        draw: impl FnOnce(&mut wgpu::RenderPass<'_>),
    ) {
        let mut pass = self.target.begin_timed_pass(device, encoder, &self.picture, timestamp_writes);
        pass.set_pipeline(self.kernel.pipeline());
        pass.set_bind_group(0, &self.bindings, &[]);
        draw(&mut pass);
    }
}
