//! The passes of a picture: ground, then sky where no ground is.

use kernels::pipeline::{LayoutOptions, PipelineError, RenderKernel, RenderOptions};
use shaders::{Composed, Composer, ShaderError};
use terrain::height::ShadeCube;

use super::frame::FrameUniforms;
use super::maps::Maps;
use super::target::{DEPTH_FORMAT, Target};

/// Why there is no renderer.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// A shader is wrong.
    #[error(transparent)]
    Shader(#[from] ShaderError),
    /// The device refuses a pipeline.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
}

/// Pipelines and resources to draw the planet into colour textures of one format and number of samples.
///
/// It records into the caller's encoder; the only queue write is that of the uniforms of the frame.
#[derive(Debug, bevy_ecs::resource::Resource)]
pub struct Renderer {
    ground: RenderKernel,
    ground_bindings: wgpu::BindGroup,
    sky: RenderKernel,
    sky_bindings: wgpu::BindGroup,
    uniforms: wgpu::Buffer,
    map_texels: u32,
}

impl Renderer {
    /// Compiles the passes and uploads the maps. `format` is a colour format without sRGB conversion, `samples` 1 or 4.
    ///
    /// # Errors
    /// [`RenderError`] if the device refuses a pipeline.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        format: wgpu::TextureFormat,
        samples: u32,
        cube: &ShadeCube,
    ) -> Result<Renderer, RenderError> {
        let maps = Maps::new(device, queue, cube);
        let uniforms = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("frame"),
            size: size_of::<FrameUniforms>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let composer = Composer::new();
        let buffers = [Some(terrain::TerrainVertex::LAYOUT)];
        let ground = pass(
            device,
            &composer.compose("viewer/terrain")?,
            format,
            samples,
            &PassOptions {
                vertex: "ground_vertex",
                fragment: "ground_fragment",
                buffers: &buffers,
                cull: Some(wgpu::Face::Back),
                write_depth: true,
                compare: wgpu::CompareFunction::Greater,
            },
        )?;
        let sky = pass(
            device,
            &composer.compose("viewer/sky")?,
            format,
            samples,
            &PassOptions {
                vertex: "sky_vertex",
                fragment: "sky_fragment",
                buffers: &[],
                cull: None,
                write_depth: false,
                compare: wgpu::CompareFunction::Equal,
            },
        )?;
        let frame = ("frame", uniforms.as_entire_binding());
        let ground_bindings = ground.bind_group(
            device,
            0,
            &[
                frame.clone(),
                ("heights", wgpu::BindingResource::TextureView(&maps.heights)),
                ("slopes", wgpu::BindingResource::TextureView(&maps.slopes)),
                ("ramp", wgpu::BindingResource::TextureView(&maps.ramp)),
                ("smooth_sampler", wgpu::BindingResource::Sampler(&maps.sampler)),
            ],
        )?;
        let sky_bindings = sky.bind_group(device, 0, &[frame])?;
        Ok(Renderer { ground, ground_bindings, sky, sky_bindings, uniforms, map_texels: maps.texels })
    }

    /// Texels of a shading map along a quarter of the equator, for [`FrameUniforms::new`].
    pub fn map_texels(&self) -> u32 {
        self.map_texels
    }

    /// Sets the uniforms of the next submission.
    pub fn prepare(&self, queue: &wgpu::Queue, uniforms: &FrameUniforms) {
        queue.write_buffer(&self.uniforms, 0, bytemuck::bytes_of(uniforms));
    }

    /// Records a picture into `colour`, which has the size of `target`. `mesh` sets the vertex and index buffers and
    /// draws the ground.
    pub fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        target: &Target,
        colour: &wgpu::TextureView,
        mesh: impl FnOnce(&mut wgpu::RenderPass<'_>),
    ) {
        let mut pass = target.begin_pass(encoder, colour);
        pass.set_pipeline(self.ground.pipeline());
        pass.set_bind_group(0, &self.ground_bindings, &[]);
        mesh(&mut pass);
        pass.set_pipeline(self.sky.pipeline());
        pass.set_bind_group(0, &self.sky_bindings, &[]);
        pass.draw(0..3, 0..1);
    }
}

struct PassOptions<'a> {
    vertex: &'a str,
    fragment: &'a str,
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    cull: Option<wgpu::Face>,
    write_depth: bool,
    compare: wgpu::CompareFunction,
}

fn pass(
    device: &wgpu::Device,
    shader: &Composed,
    format: wgpu::TextureFormat,
    samples: u32,
    options: &PassOptions<'_>,
) -> Result<RenderKernel, PipelineError> {
    RenderKernel::new(
        device,
        shader,
        &RenderOptions {
            vertex: options.vertex,
            fragment: Some(options.fragment),
            buffers: options.buffers,
            targets: &[Some(wgpu::ColorTargetState { format, blend: None, write_mask: wgpu::ColorWrites::ALL })],
            primitive: wgpu::PrimitiveState { cull_mode: options.cull, ..wgpu::PrimitiveState::default() },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH_FORMAT,
                depth_write_enabled: Some(options.write_depth),
                depth_compare: Some(options.compare),
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState::default(),
            }),
            multisample: wgpu::MultisampleState { count: samples, ..wgpu::MultisampleState::default() },
            constants: &[],
            layout: LayoutOptions::default(),
        },
    )
}
