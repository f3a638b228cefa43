//! A picture: the texture that a frame draws into, and its pixels as they go to a file.

use std::path::{Path, PathBuf};

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
    #[error("the GPU did not return the picture: {0}")]
    Read(String),
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
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("picture"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
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
    pub fn read_back(&self, device: &wgpu::Device) -> Result<RgbImage, PictureError> {
        let read = |e: &dyn std::fmt::Display| PictureError::Read(e.to_string());
        let slice = self.readback.slice(..);
        let (sender, receiver) = std::sync::mpsc::channel();
        slice.map_async(wgpu::MapMode::Read, move |result| {
            // The receiver waits below; it is only gone if this thread is.
            let _ = sender.send(result);
        });
        device.poll(wgpu::PollType::wait_indefinitely()).map_err(|e| read(&e))?;
        receiver.recv().map_err(|e| read(&e))?.map_err(|e| read(&e))?;
        let (width, height) = self.size_px();
        let mut pixels = Vec::with_capacity((width * height * 3) as usize);
        {
            let bytes = slice.get_mapped_range().map_err(|e| read(&e))?;
            let order = match self.texture.format() {
                wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Bgra8UnormSrgb => [2, 1, 0],
                _ => [0, 1, 2],
            };
            for row in bytes.chunks_exact(self.row_bytes as usize) {
                for texel in row[..width as usize * 4].chunks_exact(4) {
                    pixels.extend(order.map(|i| texel[i]));
                }
            }
        }
        self.readback.unmap();
        RgbImage::from_raw(width, height, pixels)
            .ok_or_else(|| PictureError::Read(format!("fewer bytes than {width}x{height} pixels")))
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
