//! The textures of the ground: heights and slopes of the whole Earth by direction, and the tint.

use half::f16;
use rayon::prelude::*;
use terrain::height::{Relief, ShadeCube, ShadeFace};
use terrain::water::Water;

use super::fine::near_fine;
use super::ramp::{self, Ramp};
use super::shores::{Mark, halved, shores};

/// Texture views and the sampler that the ground shader reads.
#[derive(Debug)]
pub(super) struct Maps {
    /// Heights in metres, surface gradients, and where the sea and finer data are; a cube map.
    pub relief: wgpu::TextureView,
    /// Tint by height and latitude.
    pub ramp: wgpu::TextureView,
    /// Linear in space and between levels, clamped.
    pub sampler: wgpu::Sampler,
    /// Texels of a cube map along the edge of a face: a quarter of the equator.
    pub texels: u32,
}

impl Maps {
    /// Makes the maps of a relief, and uploads them.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, (relief, water): (&Relief, &Water), ramp: Ramp) -> Maps {
        Maps {
            relief: cube_map(device, queue, relief, water),
            ramp: tint(device, queue, ramp),
            sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("smooth"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                ..wgpu::SamplerDescriptor::default()
            }),
            texels: ShadeCube::DEFAULT_SIZE,
        }
    }
}

/// One texel for height, gradient, and what it is: 1 for sea, -1 for land, 0 near a shore of the sea; half of it near lakes and finer data.
/// So no filter makes one of the other. A sample costs by its taps, not by its channels.
fn cube_map(device: &wgpu::Device, queue: &wgpu::Queue, relief: &Relief, water: &Water) -> wgpu::TextureView {
    let cube = ShadeCube::new(relief, ShadeCube::DEFAULT_SIZE);
    let faces = |size: u32| wgpu::Extent3d { width: size, height: size, depth_or_array_layers: 6 };
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("shading map"),
        size: faces(cube.size(0)),
        mip_level_count: cube.mip_count(),
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba16Float,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    // Seen from so far that coarser levels are, a texel is no larger than a pixel, and finer data show no more.
    let near_fine = near_fine(relief, cube.size(0) as usize);
    let mut marks = vec![shores(water, cube.size(0) as usize)];
    for mip in 1..cube.mip_count() {
        marks.push(halved(&marks[marks.len() - 1], cube.size(mip - 1) as usize));
    }
    let [land, near_lake, near_sea, fine_sea, sea] =
        [-1.0, -0.5, 0.0, 0.5, 1.0].map(|mark| f16::from_f32(mark).to_bits());
    let mut face = ShadeFace::default();
    for layer in 0..6 {
        cube.fill(layer, &mut face);
        for (mip, texels) in face.mips.iter_mut().enumerate() {
            let size = cube.size(mip as u32);
            let side = size as usize;
            texels.par_chunks_mut(side).enumerate().for_each(|(y, row)| {
                let first = (layer * side + y) * side;
                let marks = &marks[mip][first..][..side];
                for (x, (texel, mark)) in row.iter_mut().zip(marks).enumerate() {
                    let is_fine = mip == 0 && near_fine[first + x];
                    texel[3] = match mark {
                        Mark::Land if is_fine => near_lake,
                        Mark::Land => land,
                        Mark::NearLake => near_lake,
                        Mark::NearSea => near_sea,
                        Mark::Sea if is_fine => fine_sea,
                        Mark::Sea => sea,
                    };
                }
            });
            queue.write_texture(
                wgpu::TexelCopyTextureInfo {
                    mip_level: mip as u32,
                    origin: wgpu::Origin3d { x: 0, y: 0, z: layer as u32 },
                    ..texture.as_image_copy()
                },
                bytemuck::cast_slice(texels),
                wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(size * 8), rows_per_image: Some(size) },
                wgpu::Extent3d { depth_or_array_layers: 1, ..faces(size) },
            );
        }
        // What a queue was given to write it keeps until a submission: 121 MiB of all faces together.
        queue.submit([]);
    }
    texture.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::Cube),
        ..wgpu::TextureViewDescriptor::default()
    })
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
