//! What do the programs that time whole frames draw with? The plainest shading into a texture with depth, reverse-Z.

use anyhow::Result;
use glam::Mat4;
use kernels::{
    gpu::Gpu,
    pipeline::{LayoutOptions, RenderKernel, RenderOptions, reverse_z},
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
    camera: wgpu::Buffer,
    bindings: wgpu::BindGroup,
    colour: wgpu::TextureView,
    depth: wgpu::TextureView,
}

impl Canvas {
    /// A picture of a size.
    ///
    /// # Errors
    /// If the device refuses the pipeline.
    pub fn new(gpu: &Gpu, size: (u32, u32)) -> Result<Canvas> {
        let device = &gpu.device;
        let picture = |format| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: wgpu::Extent3d { width: size.0, height: size.1, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            });
            texture.create_view(&Default::default())
        };
        let (format, depth_format) = (wgpu::TextureFormat::Rgba8Unorm, wgpu::TextureFormat::Depth32Float);
        let mut composer = shaders::Composer::new();
        composer.bind("bench/planet", "planet.wgsl", SHADER);
        let kernel = RenderKernel::new(
            device,
            &composer.compose("bench/planet")?,
            &RenderOptions {
                vertex: "draw_vertex",
                fragment: Some("draw_fragment"),
                buffers: &[Some(TerrainVertex::LAYOUT)],
                targets: &[Some(format.into())],
                primitive: wgpu::PrimitiveState { cull_mode: Some(wgpu::Face::Back), ..Default::default() },
                depth_stencil: Some(reverse_z(depth_format)),
                multisample: wgpu::MultisampleState::default(),
                constants: &[],
                layout: LayoutOptions::default(),
            },
        )?;
        let camera = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("camera"),
            size: size_of::<Mat4>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let bindings = kernel.bind_group(device, 0, &[("camera", camera.as_entire_binding())])?;
        Ok(Canvas { kernel, camera, bindings, colour: picture(format), depth: picture(depth_format) })
    }

    /// Looks through a view from the next submission on.
    pub fn look(&self, queue: &wgpu::Queue, view: &View) {
        queue.write_buffer(&self.camera, 0, bytemuck::bytes_of(&view.clip_from_eye(1.0).to_cols_array()));
    }

    /// Records a pass that draws what `draw` draws.
    pub fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
        draw: impl FnOnce(&mut wgpu::RenderPass<'_>),
    ) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: None,
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.colour,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Store }),
                stencil_ops: None,
            }),
            timestamp_writes,
            occlusion_query_set: None,
            multiview_mask: None,
        });
        pass.set_pipeline(self.kernel.pipeline());
        pass.set_bind_group(0, &self.bindings, &[]);
        draw(&mut pass);
    }
}
