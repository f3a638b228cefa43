//! How do a vertex and a fragment entry point become a render pipeline?

use super::{LayoutOptions, Layouts, PipelineError, compute::shader_module, scoped};
use derive_setters::Setters;
use shaders::Composed;

/// Choices for a render pipeline; the default draws triangles without depth into no target.
#[derive(Clone, Debug, Default, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct RenderOptions<'a> {
    /// Vertex entry point.
    pub vertex: &'a str,
    /// Fragment entry point; `None` draws depth only.
    pub fragment: Option<&'a str>,
    /// Vertex buffers.
    pub buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    /// Colour targets.
    pub targets: &'a [Option<wgpu::ColorTargetState>],
    /// Topology, culling, fill.
    pub primitive: wgpu::PrimitiveState,
    /// Depth and stencil.
    pub depth_stencil: Option<wgpu::DepthStencilState>,
    /// Samples.
    pub multisample: wgpu::MultisampleState,
    /// Values of `override` constants.
    pub constants: &'a [(&'a str, f64)],
    /// What WGSL does not say about the layouts.
    pub layout: LayoutOptions<'a>,
}

/// A render pipeline with its layouts.
///
/// ```
/// use gpu::{Gpu, pipeline::{RenderKernel, RenderTarget}, transfer};
/// let gpu = Gpu::new(&Default::default())?;
/// let text = "
/// @vertex fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
///     return vec4f(4.0 * f32(i & 1u) - 1.0, 2.0 * f32(i & 2u) - 1.0, 0.5, 1.0); // all of the picture
/// }
/// @fragment fn green() -> @location(0) vec4f { return vec4f(0.0, 1.0, 0.0, 1.0); }";
/// let composed = shaders::Composer::new().bind("fill", "fill.wgsl", text).compose("fill")?;
/// let format = wgpu::TextureFormat::Rgba8Unorm;
/// let mut target = RenderTarget::new(format, 1).with_clear(wgpu::Color::RED);
/// let options = target.options().with_vertex("corner").with_fragment(Some("green"));
/// let kernel = RenderKernel::new(&gpu.device, &composed, &options)?;
/// let picture = transfer::render_texture(&gpu.device, "picture", (4, 4), format);
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// let mut pass = target.begin_pass(&gpu.device, &mut encoder, &picture.create_view(&Default::default()));
/// pass.set_pipeline(kernel.pipeline());
/// pass.draw(0..3, 0..1);
/// drop(pass);
/// gpu.queue.submit([encoder.finish()]);
/// assert_eq!(transfer::download_texture::<[u8; 4]>(&gpu, &picture)?, [[0, 255, 0, 255]; 16]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RenderKernel {
    pipeline: wgpu::RenderPipeline,
    layouts: Layouts,
}

impl RenderKernel {
    /// The pipeline of a vertex and a fragment entry point of one composed shader.
    pub fn new(device: &wgpu::Device, composed: &Composed, options: &RenderOptions<'_>) -> Result<Self, PipelineError> {
        let entries: Vec<&str> = [options.vertex].into_iter().chain(options.fragment).collect();
        let layouts = Layouts::new(device, composed, &entries, &options.layout)?;
        let module = scoped(device, composed.label(), || shader_module(device, composed))?;
        let label = format!("{}:{}", composed.label(), entries.join("+"));
        let compilation_options =
            wgpu::PipelineCompilationOptions { constants: options.constants, zero_initialize_workgroup_memory: true };
        let pipeline = scoped(device, &label, || {
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(&label),
                layout: Some(layouts.pipeline_layout()),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some(options.vertex),
                    compilation_options: compilation_options.clone(),
                    buffers: options.buffers,
                },
                primitive: options.primitive,
                depth_stencil: options.depth_stencil.clone(),
                multisample: options.multisample,
                fragment: options.fragment.map(|entry| wgpu::FragmentState {
                    module: &module,
                    entry_point: Some(entry),
                    compilation_options: compilation_options.clone(),
                    targets: options.targets,
                }),
                multiview_mask: None,
                cache: None,
            })
        })?;
        Ok(Self { pipeline, layouts })
    }

    /// wgpu's pipeline.
    pub fn pipeline(&self) -> &wgpu::RenderPipeline {
        &self.pipeline
    }

    /// The layouts, by group.
    pub fn layouts(&self) -> &Layouts {
        &self.layouts
    }

    /// A bind group of named resources for group `group`.
    pub fn bind_group(
        &self,
        device: &wgpu::Device,
        group: u32,
        resources: &[(&str, wgpu::BindingResource<'_>)],
    ) -> Result<wgpu::BindGroup, PipelineError> {
        self.layouts.bind_group(device, group, resources)
    }
}

/// Depth as it keeps its precision over a planet: reversed, cleared to 0, the larger one nearer.
///
/// ```
/// let depth = gpu::pipeline::reverse_z(wgpu::TextureFormat::Depth32Float);
/// assert_eq!(depth.depth_compare, Some(wgpu::CompareFunction::Greater));
/// ```
pub fn reverse_z(format: wgpu::TextureFormat) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format,
        depth_write_enabled: Some(true),
        depth_compare: Some(wgpu::CompareFunction::Greater),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    }
}
