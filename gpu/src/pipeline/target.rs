//! What does an image need besides its colours? Depth, and samples to smooth edges by, of its size.

use super::{RenderOptions, reverse_z};
use wgpu::{LoadOp, Operations, StoreOp, TextureFormat};

/// Passes that clear colour and depth (reverse-Z, 32-bit floats: [`reverse_z`]), and the options of pipelines that draw in them.
///
/// ```
/// use gpu::{Gpu, GpuOptions, pipeline::RenderTarget, transfer};
///
/// let gpu = Gpu::new(&GpuOptions::default())?;
/// let format = wgpu::TextureFormat::Rgba8Unorm;
/// let image = transfer::render_texture(&gpu.device, "picture", (64, 36), format).create_view(&Default::default());
/// let mut target = RenderTarget::new(format, 4);
/// // Pipelines: target.options().with_vertex(vertex).with_fragment(fragment).with_buffers(buffers)
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// let pass = target.begin_pass(&gpu.device, &mut encoder, &image);
/// // ... draw ...
/// drop(pass);
/// gpu.queue.submit([encoder.finish()]);
/// gpu.wait()?;
/// # Ok::<(), gpu::GpuError>(())
/// ```
#[derive(Debug)]
pub struct RenderTarget {
    colours: [Option<wgpu::ColorTargetState>; 1],
    samples: u32,
    clear: wgpu::Color,
    attachments: Option<Attachments>,
}

/// Textures that an image is rendered with, of its size.
#[derive(Debug)]
struct Attachments {
    size: wgpu::Extent3d,
    depth: wgpu::TextureView,
    /// The samples that the image is made of, if there are several a pixel.
    colour: Option<wgpu::TextureView>,
}

impl RenderTarget {
    /// Of the depth: for reverse-Z, precise from centimetres to the Moon.
    pub const DEPTH_FORMAT: TextureFormat = TextureFormat::Depth32Float;

    /// For images of a format, with 1 or 4 samples a pixel (other numbers are there on some devices only). They are
    /// cleared to black.
    pub fn new(format: TextureFormat, samples: u32) -> Self {
        Self { colours: [Some(format.into())], samples, clear: wgpu::Color::BLACK, attachments: None }
    }

    /// The same, cleared to another colour.
    pub fn with_clear(self, clear: wgpu::Color) -> Self {
        Self { clear, ..self }
    }

    /// What pipelines that draw in the passes have in common: colour that is replaced, depth of which the nearest stays, samples.
    pub fn options(&self) -> RenderOptions<'_> {
        RenderOptions::default()
            .with_targets(&self.colours)
            .with_depth_stencil(Some(reverse_z(Self::DEPTH_FORMAT)))
            .with_multisample(wgpu::MultisampleState { count: self.samples, ..Default::default() })
    }

    /// Begins a pass that clears colour and depth, and leaves its colours in `output`: a view of the whole first level
    /// of a texture, of any size, which depth and samples then have, too. Depth is not kept.
    pub fn begin_pass<'e>(
        &mut self,
        device: &wgpu::Device,
        encoder: &'e mut wgpu::CommandEncoder,
        output: &wgpu::TextureView,
    ) -> wgpu::RenderPass<'e> {
        self.begin_timed_pass(device, encoder, output, None)
    }

    /// [`begin_pass`](Self::begin_pass) with timestamps at its ends.
    ///
    /// ```
    /// use gpu::{Gpu, Timestamps, pipeline::RenderTarget, transfer};
    ///
    /// let gpu = Gpu::new(&Default::default())?;
    /// if gpu.caps.timestamps < Timestamps::Passes {
    ///     return Ok(());
    /// }
    /// let descriptor = wgpu::QuerySetDescriptor { label: None, ty: wgpu::QueryType::Timestamp, count: 2 };
    /// let queries = gpu.device.create_query_set(&descriptor);
    /// let usage = wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC;
    /// let resolved = gpu.device.create_buffer(&wgpu::BufferDescriptor { label: None, size: 16, usage, mapped_at_creation: false });
    /// let format = wgpu::TextureFormat::Rgba8Unorm;
    /// let image = transfer::render_texture(&gpu.device, "picture", (4, 4), format).create_view(&Default::default());
    /// let mut encoder = gpu.device.create_command_encoder(&Default::default());
    /// let ends = wgpu::RenderPassTimestampWrites {
    ///     query_set: &queries,
    ///     beginning_of_pass_write_index: Some(0),
    ///     end_of_pass_write_index: Some(1),
    /// };
    /// let mut target = RenderTarget::new(format, 1);
    /// let pass = target.begin_timed_pass(&gpu.device, &mut encoder, &image, Some(ends));
    /// // ... draw ...
    /// drop(pass);
    /// encoder.resolve_query_set(&queries, 0..2, &resolved, 0);
    /// gpu.queue.submit([encoder.finish()]);
    /// let ticks: Vec<u64> = transfer::download(&gpu, &resolved)?;
    /// assert!(0 < ticks[0] && ticks[0] <= ticks[1], "of {} ns each", gpu.queue.get_timestamp_period());
    /// # Ok::<(), gpu::GpuError>(())
    /// ```
    pub fn begin_timed_pass<'e>(
        &mut self,
        device: &wgpu::Device,
        encoder: &'e mut wgpu::CommandEncoder,
        output: &wgpu::TextureView,
        timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
    ) -> wgpu::RenderPass<'e> {
        let size = output.texture().size();
        let fit = self.attachments.take().filter(|made| made.size == size);
        let Attachments { depth, colour, .. } = self.attachments.insert(fit.unwrap_or_else(|| self.make(device, size)));
        let (view, resolve_target, store) = match colour {
            Some(samples) => (&*samples, Some(output), StoreOp::Discard),
            None => (output, None, StoreOp::Store),
        };
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("scene"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target,
                ops: Operations { load: LoadOp::Clear(self.clear), store },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: depth,
                depth_ops: Some(Operations { load: LoadOp::Clear(0.0), store: StoreOp::Discard }),
                stencil_ops: None,
            }),
            timestamp_writes,
            ..Default::default()
        })
    }

    fn make(&self, device: &wgpu::Device, size: wgpu::Extent3d) -> Attachments {
        let texture = |label, format| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size,
                mip_level_count: 1,
                sample_count: self.samples,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            });
            texture.create_view(&Default::default())
        };
        let colour = self.colours[0].as_ref().filter(|_| self.samples > 1);
        Attachments {
            size,
            depth: texture("depth", Self::DEPTH_FORMAT),
            colour: colour.map(|state| texture("samples", state.format)),
        }
    }
}
