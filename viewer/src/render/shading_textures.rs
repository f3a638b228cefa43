//! What does a shading pass read, and where does it write? It reads a G-buffer. It writes into the picture itself where a compute shader
//! can and the sizes agree, else beside it, and a copy follows.

use gpu::pipeline::{ComputeKernel, PipelineError, RenderTarget};

use super::copy::CopyPipeline;

/// Colour of the G-buffer: see `gbuffer.rs`. Of the formats of 64 bits that every device draws into it is
/// the one of integers that has several samples.
pub(super) const GBUFFER_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Uint;
/// What the shading pass writes.
pub(super) const OUTPUT_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Format of pictures that hold linear light, exposed as the others but not compressed. Forward shading draws into it.
pub const LINEAR_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

/// What a shading pass reads of the samples, and what it was bound to last. A sample has 64 bits besides its depth.
#[derive(Debug)]
pub(super) struct GBuffer {
    ground: wgpu::TextureView,
    depth: wgpu::TextureView,
    output: Option<ShadingOutput>,
}

/// What a shading pass is bound to.
#[derive(Debug)]
pub(super) struct ShadingOutput {
    /// What is written.
    texture: wgpu::Texture,
    /// The samples, and what is written.
    pub bindings: wgpu::BindGroup,
    /// What is written, as the copy reads it; none where it is the picture.
    pub copied: Option<wgpu::BindGroup>,
}

impl GBuffer {
    /// Textures for pictures of a size and number of samples.
    pub fn new(device: &wgpu::Device, (width, height): (u32, u32), samples: u32) -> GBuffer {
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
        let texture = |label, format| texture(device, label, size, samples, format, usage);
        let (ground, depth) = (texture("G-buffer", GBUFFER_FORMAT), texture("depth", RenderTarget::DEPTH_FORMAT));
        GBuffer { ground, depth, output: None }
    }

    /// A pass that fills it, with timestamps at its ends if asked.
    pub fn begin_pass<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
    ) -> wgpu::RenderPass<'e> {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("G-buffer"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.ground,
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
            ..wgpu::RenderPassDescriptor::default()
        })
    }

    /// What `kernel` is bound to for a picture: made only where another picture was written last.
    pub fn bind(
        &mut self,
        kernel: &ComputeKernel,
        device: &wgpu::Device,
        colour: &wgpu::TextureView,
        copy: &CopyPipeline,
    ) -> Result<&ShadingOutput, PipelineError> {
        let size = self.depth.texture().size();
        let picture = (is_writable(colour.texture()) && colour.texture().size() == size).then_some(colour);
        let fits = |had: &ShadingOutput| match picture {
            Some(picture) => had.texture == *picture.texture(),
            None => had.copied.is_some(),
        };
        let output = match self.output.take().filter(fits) {
            Some(output) => output,
            None => self.output_into(picture, kernel, device, copy)?,
        };
        Ok(self.output.insert(output))
    }

    fn output_into(
        &self,
        picture: Option<&wgpu::TextureView>,
        kernel: &ComputeKernel,
        device: &wgpu::Device,
        copy: &CopyPipeline,
    ) -> Result<ShadingOutput, PipelineError> {
        let usage = wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::TEXTURE_BINDING;
        let beside = || texture(device, "shaded", self.depth.texture().size(), 1, OUTPUT_FORMAT, usage);
        let view = picture.cloned().unwrap_or_else(beside);
        let bindings = kernel.bind_group(
            device,
            1,
            &[
                ("depths", wgpu::BindingResource::TextureView(&self.depth)),
                ("gbuffer", wgpu::BindingResource::TextureView(&self.ground)),
                ("picture", wgpu::BindingResource::TextureView(&view)),
            ],
        )?;
        let copied = match picture {
            Some(_) => None,
            None => Some(copy.bind(device, &view)?),
        };
        Ok(ShadingOutput { texture: view.texture().clone(), bindings, copied })
    }
}

/// Whether a compute shader can write a picture.
fn is_writable(picture: &wgpu::Texture) -> bool {
    picture.format() == OUTPUT_FORMAT && picture.usage().contains(wgpu::TextureUsages::STORAGE_BINDING)
}

/// The view of a new texture of two dimensions without smaller levels.
pub(super) fn texture(
    device: &wgpu::Device,
    label: &str,
    size: wgpu::Extent3d,
    samples: u32,
    format: wgpu::TextureFormat,
    usage: wgpu::TextureUsages,
) -> wgpu::TextureView {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size,
        mip_level_count: 1,
        sample_count: samples,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
