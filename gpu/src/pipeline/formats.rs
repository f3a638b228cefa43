//! Which wgpu types do naga's storage formats and the reflected kinds stand for?

use naga::StorageFormat;
use shaders::{Binding, BindingKind, SampleType, StorageTextureAccess, TextureDimension};
use std::num::NonZeroU64;

/// The binding type of a reflected variable; `None` when it cannot be bound.
pub(super) fn binding_type(binding: &Binding, dynamic_offset: bool, filterable: bool) -> Option<wgpu::BindingType> {
    let buffer = |ty| wgpu::BindingType::Buffer {
        ty,
        has_dynamic_offset: dynamic_offset,
        min_binding_size: NonZeroU64::new(binding.size),
    };
    Some(match binding.kind {
        BindingKind::Uniform => buffer(wgpu::BufferBindingType::Uniform),
        BindingKind::StorageRead => buffer(wgpu::BufferBindingType::Storage { read_only: true }),
        BindingKind::StorageReadWrite => buffer(wgpu::BufferBindingType::Storage { read_only: false }),
        BindingKind::Texture { dimension, sample, multisampled } => wgpu::BindingType::Texture {
            sample_type: match sample {
                SampleType::Float => wgpu::TextureSampleType::Float { filterable: filterable && !multisampled },
                SampleType::Sint => wgpu::TextureSampleType::Sint,
                SampleType::Uint => wgpu::TextureSampleType::Uint,
                SampleType::Depth => wgpu::TextureSampleType::Depth,
            },
            view_dimension: view_dimension(dimension),
            multisampled,
        },
        BindingKind::StorageTexture { dimension, format, access } => wgpu::BindingType::StorageTexture {
            access: match access {
                StorageTextureAccess::Read => wgpu::StorageTextureAccess::ReadOnly,
                StorageTextureAccess::Write => wgpu::StorageTextureAccess::WriteOnly,
                StorageTextureAccess::ReadWrite => wgpu::StorageTextureAccess::ReadWrite,
            },
            format: texture_format(format)?,
            view_dimension: view_dimension(dimension),
        },
        BindingKind::Sampler { comparison: true } => wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison),
        BindingKind::Sampler { comparison: false } if filterable => {
            wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering)
        }
        BindingKind::Sampler { comparison: false } => {
            wgpu::BindingType::Sampler(wgpu::SamplerBindingType::NonFiltering)
        }
        BindingKind::AccelerationStructure => wgpu::BindingType::AccelerationStructure { vertex_return: false },
        BindingKind::Unsupported => return None,
    })
}

fn view_dimension(dimension: TextureDimension) -> wgpu::TextureViewDimension {
    match dimension {
        TextureDimension::D1 => wgpu::TextureViewDimension::D1,
        TextureDimension::D2 => wgpu::TextureViewDimension::D2,
        TextureDimension::D2Array => wgpu::TextureViewDimension::D2Array,
        TextureDimension::D3 => wgpu::TextureViewDimension::D3,
        TextureDimension::Cube => wgpu::TextureViewDimension::Cube,
        TextureDimension::CubeArray => wgpu::TextureViewDimension::CubeArray,
    }
}

fn texture_format(format: StorageFormat) -> Option<wgpu::TextureFormat> {
    use wgpu::TextureFormat as T;
    Some(match format {
        StorageFormat::R32Uint => T::R32Uint,
        StorageFormat::R32Sint => T::R32Sint,
        StorageFormat::R32Float => T::R32Float,
        StorageFormat::Rgba8Unorm => T::Rgba8Unorm,
        StorageFormat::Rgba8Snorm => T::Rgba8Snorm,
        StorageFormat::Rgba8Uint => T::Rgba8Uint,
        StorageFormat::Rgba8Sint => T::Rgba8Sint,
        StorageFormat::Bgra8Unorm => T::Bgra8Unorm,
        StorageFormat::Rg32Uint => T::Rg32Uint,
        StorageFormat::Rg32Sint => T::Rg32Sint,
        StorageFormat::Rg32Float => T::Rg32Float,
        StorageFormat::Rgba16Uint => T::Rgba16Uint,
        StorageFormat::Rgba16Sint => T::Rgba16Sint,
        StorageFormat::Rgba16Float => T::Rgba16Float,
        StorageFormat::Rgba32Uint => T::Rgba32Uint,
        StorageFormat::Rgba32Sint => T::Rgba32Sint,
        StorageFormat::Rgba32Float => T::Rgba32Float,
        // The others are not storage formats of core WebGPU.
        _ => return None,
    })
}
