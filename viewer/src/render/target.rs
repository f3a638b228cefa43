//! What does a frame draw into? What goes with a picture of a size: depth, and multisampled colour or a G-buffer.

use gpu::pipeline::RenderTarget;

use super::shading::ShadingPath;
use super::shading_output::ShadingOutput;

/// Depth of the scene.
pub const DEPTH_FORMAT: wgpu::TextureFormat = RenderTarget::DEPTH_FORMAT;
/// Colour of the G-buffer: see `gbuffer.rs`. Of the formats of 64 bits that every device draws into it is
/// the one of integers that has several samples.
pub(super) const GBUFFER_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Uint;
/// What the shading pass writes.
pub(super) const OUTPUT_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// The textures behind a picture.
#[derive(Debug)]
pub struct Target {
    size_px: (u32, u32),
    samples: u32,
    attachments: Attachments,
}

/// What the scene is drawn into.
#[derive(Debug)]
enum Attachments {
    /// The picture, and what goes with it. The sky covers every pixel, so it is not cleared for its own sake.
    Picture(RenderTarget),
    /// Textures for a shading pass.
    GBuffer(GBuffer),
}

/// What a shading pass reads of the samples, and what it was bound to last. A sample has 64 bits besides its depth.
#[derive(Debug)]
pub(super) struct GBuffer {
    pub ground: wgpu::TextureView,
    pub depth: wgpu::TextureView,
    pub output: Option<ShadingOutput>,
}

impl Target {
    /// Textures for pictures of a size (at least 1 x 1), colour format, number of samples (1 or 4) and way to draw.
    pub fn new(
        device: &wgpu::Device,
        size_px: (u32, u32),
        format: wgpu::TextureFormat,
        samples: u32,
        shading: ShadingPath,
    ) -> Target {
        let size_px = (size_px.0.max(1), size_px.1.max(1));
        let attachments = match shading {
            ShadingPath::Forward => Attachments::Picture(RenderTarget::new(format, samples)),
            ShadingPath::Deferred => {
                let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
                let texture = |label, format| texture(device, label, size_px, samples, format, usage);
                let (ground, depth) = (texture("G-buffer", GBUFFER_FORMAT), texture("depth", DEPTH_FORMAT));
                Attachments::GBuffer(GBuffer { ground, depth, output: None })
            }
        };
        Target { size_px, samples, attachments }
    }

    /// Width and height, pixels; at least 1.
    pub fn size_px(&self) -> (u32, u32) {
        self.size_px
    }

    /// Samples a pixel.
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// The way to draw that it is for.
    pub fn shading(&self) -> ShadingPath {
        match self.attachments {
            Attachments::Picture(_) => ShadingPath::Forward,
            Attachments::GBuffer(_) => ShadingPath::Deferred,
        }
    }

    /// What the scene is drawn into by forward shading; none in a target for the other way.
    pub(super) fn picture(&mut self) -> Option<&mut RenderTarget> {
        match &mut self.attachments {
            Attachments::Picture(target) => Some(target),
            Attachments::GBuffer(_) => None,
        }
    }

    /// What a shading pass reads; none in a target for forward shading.
    pub(super) fn gbuffer(&mut self) -> Option<&mut GBuffer> {
        match &mut self.attachments {
            Attachments::Picture(_) => None,
            Attachments::GBuffer(gbuffer) => Some(gbuffer),
        }
    }
}

impl GBuffer {
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
}

/// A texture of a picture's size.
pub(super) fn texture(
    device: &wgpu::Device,
    label: &str,
    (width, height): (u32, u32),
    samples: u32,
    format: wgpu::TextureFormat,
    usage: wgpu::TextureUsages,
) -> wgpu::TextureView {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: samples,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
