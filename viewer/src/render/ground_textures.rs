//! The textures of the ground: the shading map, and the tint.

use super::ramp::{self, Ramp};

/// Shading map and colour ramp, as texture views, with the sampler that the ground shader reads.
#[derive(Debug)]
pub(super) struct GroundTextures {
    /// Heights in metres, surface gradients, and where the sea and finer data are; a cube map.
    pub relief: wgpu::TextureView,
    /// Tint by height and latitude.
    pub ramp: wgpu::TextureView,
    /// Linear in space and between levels, clamped.
    pub sampler: wgpu::Sampler,
}

impl GroundTextures {
    /// The maps around a shading map.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, relief: wgpu::TextureView, ramp: Ramp) -> GroundTextures {
        GroundTextures {
            relief,
            ramp: tint(device, queue, ramp),
            sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("smooth"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                ..wgpu::SamplerDescriptor::default()
            }),
        }
    }
}

/// A ramp as a texture.
pub(super) fn tint(device: &wgpu::Device, queue: &wgpu::Queue, ramp: Ramp) -> wgpu::TextureView {
    let size = wgpu::Extent3d { width: ramp::WIDTH, height: ramp::HEIGHT, depth_or_array_layers: 1 };
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("tint"),
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    queue.write_texture(
        texture.as_image_copy(),
        &ramp.texels(),
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(ramp::WIDTH * 4),
            rows_per_image: Some(ramp::HEIGHT),
        },
        size,
    );
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// A texture as its layers are read: by number, or as the faces of a cube.
pub(super) fn view_as(texture: &wgpu::Texture, dimension: wgpu::TextureViewDimension) -> wgpu::TextureView {
    texture.create_view(&wgpu::TextureViewDescriptor { dimension: Some(dimension), ..Default::default() })
}
