//! What does a frame draw into? What goes with a picture of a size: depth, and multisampled colour or records of what is seen.

use super::shading::Shading;
use super::written::Written;

/// Depth of the scene: reverse Z in 32-bit floats, precise from centimetres to the Moon.
pub const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// What is left of the ground for a shading pass: see `record.rs`. Of the formats of 64 bits that every device draws into it is
/// the one of integers that has several samples.
pub(super) const RECORD_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Uint;
/// What the shading pass writes.
pub(super) const WRITTEN_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// The textures behind a picture.
#[derive(Debug)]
pub struct Target {
    size_px: (u32, u32),
    samples: u32,
    depth: wgpu::TextureView,
    kept: Kept,
    /// What the shading pass was bound to last.
    pub(super) written: Option<Written>,
}

/// What is kept of a sample besides its depth.
#[derive(Debug)]
enum Kept {
    /// Its colour, where a pixel has several samples.
    Colour(Option<wgpu::TextureView>),
    /// What it sees.
    Records(wgpu::TextureView),
}

impl Target {
    /// Textures for pictures of a size (at least 1 x 1), colour format, number of samples (1 or 4) and way to draw.
    pub fn new(
        device: &wgpu::Device,
        size_px: (u32, u32),
        format: wgpu::TextureFormat,
        samples: u32,
        shading: Shading,
    ) -> Target {
        let size_px = (size_px.0.max(1), size_px.1.max(1));
        let read = wgpu::TextureUsages::TEXTURE_BINDING;
        let drawn = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let texture = |label, format, usage| texture(device, label, size_px, samples, format, usage);
        let (depth, kept) = match shading {
            Shading::Forward => {
                let colour = (samples > 1).then(|| texture("samples", format, drawn));
                (texture("depth", DEPTH_FORMAT, drawn), Kept::Colour(colour))
            }
            Shading::Deferred => {
                let records = texture("records", RECORD_FORMAT, drawn | read);
                (texture("depth", DEPTH_FORMAT, drawn | read), Kept::Records(records))
            }
        };
        Target { size_px, samples, depth, kept, written: None }
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
    pub fn shading(&self) -> Shading {
        match self.kept {
            Kept::Colour(_) => Shading::Forward,
            Kept::Records(_) => Shading::Deferred,
        }
    }

    /// Depth of the samples.
    pub(super) fn depth(&self) -> &wgpu::TextureView {
        &self.depth
    }

    /// Records of the samples; none in a target for forward shading.
    pub(super) fn records(&self) -> Option<&wgpu::TextureView> {
        match &self.kept {
            Kept::Colour(_) => None,
            Kept::Records(records) => Some(records),
        }
    }

    /// A pass that clears depth and draws the scene with timestamps at its ends if asked: its colours, resolved into `colour`, or
    /// its records. The sky covers every pixel, so colour is not cleared for its own sake.
    pub fn begin_pass<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        colour: &wgpu::TextureView,
        timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
    ) -> wgpu::RenderPass<'e> {
        let (keep, drop) = (wgpu::StoreOp::Store, wgpu::StoreOp::Discard);
        let (view, resolve_target, store, store_depth) = match &self.kept {
            Kept::Colour(Some(samples)) => (samples, Some(colour), drop, drop),
            Kept::Colour(None) => (colour, None, keep, drop),
            Kept::Records(records) => (records, None, keep, keep),
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
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: store_depth }),
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
