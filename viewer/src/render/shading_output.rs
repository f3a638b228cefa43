//! Where does a shading pass write? Into the picture itself where a compute shader can, else beside it, and a copy follows.

use gpu::pipeline::{ComputeKernel, PipelineError};

use super::copy::Copy;
use super::target::{GBuffer, OUTPUT_FORMAT, Target, texture};

/// What the shading pass of a target is bound to.
#[derive(Debug)]
pub(super) struct ShadingOutput {
    /// What is written.
    texture: wgpu::Texture,
    /// The target's samples, and what is written.
    pub bindings: wgpu::BindGroup,
    /// What is written, as the copy reads it; none where it is the picture.
    pub copied: Option<wgpu::BindGroup>,
    /// Width and height, pixels.
    pub size_px: (u32, u32),
}

/// Whether a compute shader can write a picture.
fn is_writable(picture: &wgpu::Texture) -> bool {
    picture.format() == OUTPUT_FORMAT && picture.usage().contains(wgpu::TextureUsages::STORAGE_BINDING)
}

impl ShadingOutput {
    /// Sees to it that a target for deferred shading is bound to a picture: nothing is made unless another picture was written
    /// last.
    pub fn bind(
        kernel: &ComputeKernel,
        device: &wgpu::Device,
        target: &mut Target,
        colour: &wgpu::TextureView,
        copy: &Copy,
    ) -> Result<(), PipelineError> {
        let size_px = target.size_px();
        let Some(gbuffer) = target.gbuffer() else { return Ok(()) };
        let picture = colour.texture();
        let direct = is_writable(picture);
        let fits = |had: &ShadingOutput| if direct { had.texture == *picture } else { had.copied.is_some() };
        if !gbuffer.output.as_ref().is_some_and(fits) {
            let picture = direct.then_some(colour);
            gbuffer.output = Some(ShadingOutput::new(kernel, device, (size_px, gbuffer), picture, copy)?);
        }
        Ok(())
    }

    fn new(
        kernel: &ComputeKernel,
        device: &wgpu::Device,
        (size_px, gbuffer): ((u32, u32), &GBuffer),
        picture: Option<&wgpu::TextureView>,
        copy: &Copy,
    ) -> Result<ShadingOutput, PipelineError> {
        let usage = wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::TEXTURE_BINDING;
        let beside = || texture(device, "shaded", size_px, 1, OUTPUT_FORMAT, usage);
        let view = picture.cloned().unwrap_or_else(beside);
        let bindings = kernel.bind_group(
            device,
            1,
            &[
                ("depths", wgpu::BindingResource::TextureView(&gbuffer.depth)),
                ("gbuffer", wgpu::BindingResource::TextureView(&gbuffer.ground)),
                ("picture", wgpu::BindingResource::TextureView(&view)),
            ],
        )?;
        let copied = match picture {
            Some(_) => None,
            None => Some(copy.bind(device, &view)?),
        };
        Ok(ShadingOutput { texture: view.texture().clone(), bindings, copied, size_px })
    }
}
