//! A picture: the texture that a frame draws into, and its pixels as they go to a file.

use std::path::{Path, PathBuf};

use gpu::transfer;
use gpu::{Gpu, GpuError};
use image::RgbImage;

use super::whole::WholeFile;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The file cannot be made.
    #[error("cannot write {path}: {why}; choose another place")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: String,
    },
    /// The GPU does not give the pixels back.
    #[error("the GPU did not return the picture")]
    Read(#[from] GpuError),
    /// The picture is larger than a texture can be.
    #[error("{width}x{height} pixels are more than this GPU draws: at most {limit} a side")]
    TooLarge {
        /// Asked width.
        width: u32,
        /// Asked height.
        height: u32,
        /// Largest side.
        limit: u32,
    },
}

/// A colour texture with a buffer to read it back.
#[derive(Debug)]
pub struct Picture {
    texture: wgpu::Texture,
    readback: wgpu::Buffer,
    row_bytes: u32,
}

impl Picture {
    /// A picture of a size in an 8-bit RGBA or BGRA format.
    ///
    /// # Errors
    /// [`PictureError::TooLarge`] beyond the device's limit.
    pub fn new(
        device: &wgpu::Device,
        size_px: (u32, u32),
        format: wgpu::TextureFormat,
    ) -> Result<Picture, PictureError> {
        let (width, height) = size_px;
        let limit = device.limits().max_texture_dimension_2d;
        if width > limit || height > limit {
            return Err(PictureError::TooLarge { width, height, limit });
        }
        // Where compute shaders can write it, deferred shading does.
        let can =
            format == wgpu::TextureFormat::Rgba8Unorm && device.limits().max_storage_textures_per_shader_stage > 0;
        let written = if can { wgpu::TextureUsages::STORAGE_BINDING } else { wgpu::TextureUsages::empty() };
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("picture"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC | written,
            view_formats: &[],
        });
        let row_bytes = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let readback = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture readback"),
            size: u64::from(row_bytes) * u64::from(height),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Ok(Picture { texture, readback, row_bytes })
    }

    /// What a pass draws into.
    pub fn view(&self) -> wgpu::TextureView {
        self.texture.create_view(&wgpu::TextureViewDescriptor::default())
    }

    /// Width and height, pixels.
    pub fn size_px(&self) -> (u32, u32) {
        (self.texture.width(), self.texture.height())
    }

    /// Records the copy that [`read_back`](Self::read_back) waits for.
    pub fn record_copy(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.copy_texture_to_buffer(
            self.texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &self.readback,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(self.row_bytes),
                    rows_per_image: None,
                },
            },
            self.texture.size(),
        );
    }

    /// Waits for the submitted copy and returns the pixels.
    ///
    /// # Errors
    /// [`PictureError::Read`] when the device is lost.
    pub fn read_back(&self, gpu: &Gpu) -> Result<RgbImage, PictureError> {
        let bytes: Vec<u8> = transfer::read(gpu, &self.readback)?;
        let (width, height) = self.size_px();
        let order = match self.texture.format() {
            wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Bgra8UnormSrgb => [2, 1, 0],
            _ => [0, 1, 2],
        };
        // Each is written below: the buffer was made for rows of this size.
        let mut image = RgbImage::new(width, height);
        let rows = bytes.chunks_exact(self.row_bytes as usize);
        for (row, pixels) in rows.zip(image.chunks_exact_mut(3 * width.max(1) as usize)) {
            for (texel, pixel) in row.chunks_exact(4).zip(pixels.chunks_exact_mut(3)) {
                pixel.copy_from_slice(&order.map(|i| texel[i]));
            }
        }
        Ok(image)
    }
}

/// Writes a PNG file, whole or not at all: the same pixels give the same bytes. A `note` goes into its comment.
///
/// # Errors
/// [`PictureError::Write`] with what the system says.
pub(super) fn write_png(path: &Path, image: &RgbImage, note: Option<&str>) -> Result<(), PictureError> {
    let failed = |why: String| PictureError::Write { path: path.to_path_buf(), why };
    let mut file = WholeFile::create(path).map_err(|e| failed(e.to_string()))?;
    let write = |file: &mut WholeFile| -> Result<(), png::EncodingError> {
        let mut encoder = png::Encoder::new(file, image.width(), image.height());
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::Fast);
        if let Some(note) = note {
            encoder.add_text_chunk(String::from("Comment"), note.to_string())?;
        }
        let mut writer = encoder.write_header()?;
        writer.write_image_data(image.as_raw())?;
        writer.finish()
    };
    write(&mut file).map_err(|e| failed(e.to_string()))?;
    file.commit().map_err(|e| failed(e.to_string()))
}
