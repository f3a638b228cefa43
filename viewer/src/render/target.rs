//! What does a frame draw into? The depth (and multisampled colour) that go with a picture of a size.

/// Depth of the scene: reverse Z in 32-bit floats, precise from centimetres to the Moon.
pub const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// The attachments behind a colour texture.
#[derive(Debug)]
pub struct Target {
    size_px: (u32, u32),
    samples: u32,
    depth: wgpu::TextureView,
    multisampled: Option<wgpu::TextureView>,
}

impl Target {
    /// Attachments for pictures of a size (at least 1 x 1), colour format and number of samples (1 or 4).
    pub fn new(device: &wgpu::Device, size_px: (u32, u32), format: wgpu::TextureFormat, samples: u32) -> Target {
        let texture = |label: &str, format: wgpu::TextureFormat| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width: size_px.0.max(1), height: size_px.1.max(1), depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: samples,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        Target {
            size_px,
            samples,
            depth: texture("depth", DEPTH_FORMAT),
            multisampled: (samples > 1).then(|| texture("samples", format)),
        }
    }

    /// Width and height, pixels.
    pub fn size_px(&self) -> (u32, u32) {
        self.size_px
    }

    /// Samples a pixel.
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// A pass that clears depth and draws the scene, resolved into `colour`, with timestamps at its ends if asked. The sky
    /// covers every pixel, so colour is not cleared for its own sake.
    pub fn begin_pass<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        colour: &wgpu::TextureView,
        timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
    ) -> wgpu::RenderPass<'e> {
        let (view, resolve_target, store) = match &self.multisampled {
            Some(samples) => (samples, Some(colour), wgpu::StoreOp::Discard),
            None => (colour, None, wgpu::StoreOp::Store),
        };
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("scene"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Discard }),
                stencil_ops: None,
            }),
            timestamp_writes,
            ..wgpu::RenderPassDescriptor::default()
        })
    }
}
