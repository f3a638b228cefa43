//! From a picture that a compute shader wrote to one that only a pass can draw into, that of a window; and from one of fewer pixels.

use gpu::pipeline::{PipelineError, RenderKernel, RenderOptions};

use super::error::RenderError;

/// The pipeline that copies into textures of one format.
#[derive(Debug)]
pub(super) struct CopyPipeline {
    kernel: RenderKernel,
    sampler: wgpu::Sampler,
}

impl CopyPipeline {
    /// Compiles it.
    pub fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Result<CopyPipeline, RenderError> {
        let targets = [Some(wgpu::ColorTargetState { format, blend: None, write_mask: wgpu::ColorWrites::ALL })];
        let options = RenderOptions::default()
            .with_vertex("copy_vertex")
            .with_fragment(Some("copy_fragment"))
            .with_targets(&targets);
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("copy"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..wgpu::SamplerDescriptor::default()
        });
        let kernel = RenderKernel::new(device, &crate::composer().compose("viewer/copy")?, &options)?;
        Ok(CopyPipeline { kernel, sampler })
    }

    /// What is copied from.
    pub fn bind(&self, device: &wgpu::Device, from: &wgpu::TextureView) -> Result<wgpu::BindGroup, PipelineError> {
        let (picture, sampler) =
            (wgpu::BindingResource::TextureView(from), wgpu::BindingResource::Sampler(&self.sampler));
        self.kernel.bind_group(device, 0, &[("picture", picture), ("smooth_sampler", sampler)])
    }

    /// Records the copy into `colour`, with values between pixels where that has more of them.
    pub fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        from: &wgpu::BindGroup,
        colour: &wgpu::TextureView,
        timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
    ) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("copy"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: colour,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
            })],
            timestamp_writes,
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_pipeline(self.kernel.pipeline());
        pass.set_bind_group(0, from, &[]);
        pass.draw(0..3, 0..1);
    }
}
