//! What does a frame draw into? What goes with a picture of a size: depth, and multisampled colour or a G-buffer.

use gpu::pipeline::RenderTarget;

use super::shading::ShadingPath;
use super::shading_textures::{GBuffer, texture};

/// The textures behind a picture.
#[derive(Debug)]
pub struct FrameTarget {
    size_px: (u32, u32),
    picture_px: (u32, u32),
    samples: u32,
    attachments: Attachments,
    /// What forward shading draws into where the picture has another size.
    reduced: Option<wgpu::TextureView>,
}

/// What the scene is drawn into.
#[derive(Debug)]
enum Attachments {
    /// The picture, and what goes with it. The sky covers every pixel, so it is not cleared for its own sake.
    Forward(RenderTarget),
    /// Textures for a shading pass.
    GBuffer(GBuffer),
}

impl FrameTarget {
    /// Textures for pictures of a size (at least 1 x 1), colour format, number of samples (1 or 4) and way to draw.
    pub fn new(
        device: &wgpu::Device,
        size_px: (u32, u32),
        format: wgpu::TextureFormat,
        samples: u32,
        shading: ShadingPath,
    ) -> FrameTarget {
        let size_px = (size_px.0.max(1), size_px.1.max(1));
        let attachments = match shading {
            ShadingPath::Forward => Attachments::Forward(RenderTarget::new(format, samples)),
            ShadingPath::Deferred => Attachments::GBuffer(GBuffer::new(device, size_px, samples)),
        };
        FrameTarget { size_px, picture_px: size_px, samples, attachments, reduced: None }
    }

    /// The same for pictures of another size and this colour format, to which the scene is enlarged.
    pub fn enlarged(self, device: &wgpu::Device, picture_px: (u32, u32), format: wgpu::TextureFormat) -> FrameTarget {
        let reduced = matches!(self.attachments, Attachments::Forward(_)).then(|| {
            let (width, height) = self.size_px;
            let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
            let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
            texture(device, "reduced scene", size, 1, format, usage)
        });
        FrameTarget { picture_px, reduced, ..self }
    }

    /// Width and height of the pictures, pixels.
    pub fn picture_px(&self) -> (u32, u32) {
        self.picture_px
    }

    /// Width and height of the scene, pixels; at least 1.
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
            Attachments::Forward(_) => ShadingPath::Forward,
            Attachments::GBuffer(_) => ShadingPath::Deferred,
        }
    }

    /// What forward shading draws into before that is [enlarged](Self::enlarged); none where it is the picture itself.
    pub(super) fn reduced(&self) -> Option<&wgpu::TextureView> {
        self.reduced.as_ref()
    }

    /// What the scene is drawn into by forward shading; none in a target for the other way.
    pub(super) fn forward(&mut self) -> Option<&mut RenderTarget> {
        match &mut self.attachments {
            Attachments::Forward(target) => Some(target),
            Attachments::GBuffer(_) => None,
        }
    }

    /// What a shading pass reads; none in a target for forward shading.
    pub(super) fn gbuffer(&mut self) -> Option<&mut GBuffer> {
        match &mut self.attachments {
            Attachments::Forward(_) => None,
            Attachments::GBuffer(gbuffer) => Some(gbuffer),
        }
    }
}
