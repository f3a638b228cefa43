//! A picture: the texture that a frame draws into, and its pixels as they go to a file.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use gpu::transfer;
use gpu::{Gpu, GpuError};
use half::f16;
use image::codecs::{jpeg::JpegEncoder, webp::WebPEncoder};
use image::{ExtendedColorType, ImageBuffer, ImageEncoder, Pixel, Primitive, Rgb, Rgb32FImage, RgbImage};
use terrain::feature_writer::FeatureWriteError;

use super::atomic_file::AtomicFile;
use super::exr_file;
use crate::render::LINEAR_FORMAT;

/// Why an image cannot be read back or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// The file cannot be made.
    #[error("cannot write {path}: {why}; choose another place")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: String,
    },
    /// No video can be made.
    #[error("cannot write {path}: {why}")]
    Video {
        /// The file.
        path: PathBuf,
        /// What is missing, or what ffmpeg says.
        why: String,
    },
    /// Features are not written in a format.
    #[error(transparent)]
    Features(#[from] FeatureWriteError),
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

/// The pixels of a frame.
#[derive(Debug, Clone, PartialEq)]
pub enum FrameImage {
    /// Eight bits a channel, sRGB.
    Srgb(RgbImage),
    /// Linear light.
    Linear(Rgb32FImage),
}

impl FrameImage {
    /// Columns and rows.
    pub fn size_px(&self) -> (u32, u32) {
        match self {
            FrameImage::Srgb(image) => image.dimensions(),
            FrameImage::Linear(image) => image.dimensions(),
        }
    }
}

impl From<RgbImage> for FrameImage {
    fn from(image: RgbImage) -> FrameImage {
        FrameImage::Srgb(image)
    }
}

/// A colour texture with a buffer to read it back.
#[derive(Debug)]
pub struct ReadbackTexture {
    texture: wgpu::Texture,
    readback: wgpu::Buffer,
    row_bytes: u32,
}

impl ReadbackTexture {
    /// A picture of a size in an 8-bit RGBA or BGRA format, or in that of linear light.
    ///
    /// # Errors
    /// [`ImageError::TooLarge`] beyond the device's limit.
    pub fn new(
        device: &wgpu::Device,
        size_px: (u32, u32),
        format: wgpu::TextureFormat,
    ) -> Result<ReadbackTexture, ImageError> {
        let (width, height) = size_px;
        let limit = device.limits().max_texture_dimension_2d;
        if width > limit || height > limit {
            return Err(ImageError::TooLarge { width, height, limit });
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
        let row_bytes = (width * texel_bytes(format)).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let readback = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture readback"),
            size: u64::from(row_bytes) * u64::from(height),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Ok(ReadbackTexture { texture, readback, row_bytes })
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
    /// [`ImageError::Read`] when the device is lost.
    pub fn read_back(&self, gpu: &Gpu) -> Result<FrameImage, ImageError> {
        let bytes: Vec<u8> = transfer::read(gpu, &self.readback)?;
        let order = match self.texture.format() {
            LINEAR_FORMAT => {
                let channels = |texel: &[u8]| [0, 2, 4].map(|i| f16::from_le_bytes([texel[i], texel[i + 1]]).to_f32());
                return Ok(FrameImage::Linear(self.image_of(&bytes, channels)));
            }
            format => channel_order(format),
        };
        Ok(FrameImage::Srgb(self.image_of(&bytes, |texel| order.map(|i| texel[i]))))
    }

    /// Asks for the submitted copy. Some frames later it is told whether it can be [read](Self::read_mapped). Never waits.
    pub(super) fn request(&self) -> Arc<OnceLock<bool>> {
        let has_come = Arc::new(OnceLock::new());
        let told = has_come.clone();
        self.readback.map_async(wgpu::MapMode::Read, .., move |result| {
            // It is told once, so it cannot have been told before.
            let _ = told.set(result.is_ok());
        });
        has_come
    }

    /// What is made of the size and the pixels, by column and row, of the copy that has come; none of linear light.
    pub(super) fn read_mapped<T>(&self, read: impl FnOnce((u32, u32), &dyn Fn(u32, u32) -> [u8; 3]) -> T) -> Option<T> {
        let (format, row_bytes) = (self.texture.format(), self.row_bytes as usize);
        if format == LINEAR_FORMAT {
            return None;
        }
        let (order, step) = (channel_order(format), texel_bytes(format) as usize);
        let bytes = self.readback.get_mapped_range(..).ok()?;
        let pixel = |x: u32, y: u32| order.map(|channel| bytes[y as usize * row_bytes + x as usize * step + channel]);
        Some(read(self.size_px(), &pixel))
    }

    /// The image whose rows were read back, by the channels of a texel.
    fn image_of<S: Primitive>(&self, bytes: &[u8], channels: impl Fn(&[u8]) -> [S; 3]) -> ImageBuffer<Rgb<S>, Vec<S>>
    where
        Rgb<S>: Pixel<Subpixel = S>,
    {
        let (width, height) = self.size_px();
        // Each is written below: the buffer was made for rows of this size.
        let mut image = ImageBuffer::new(width, height);
        let rows = bytes.chunks_exact(self.row_bytes as usize);
        for (row, pixels) in rows.zip(image.chunks_exact_mut(3 * width.max(1) as usize)) {
            let texels = row.chunks_exact(texel_bytes(self.texture.format()) as usize);
            for (texel, pixel) in texels.zip(pixels.chunks_exact_mut(3)) {
                pixel.copy_from_slice(&channels(texel));
            }
        }
        image
    }
}

/// Where red, green and blue stand in a pixel of 8 bits a channel.
fn channel_order(format: wgpu::TextureFormat) -> [usize; 3] {
    match format {
        wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Bgra8UnormSrgb => [2, 1, 0],
        _ => [0, 1, 2],
    }
}

/// Bytes of a pixel of a format that is read back.
fn texel_bytes(format: wgpu::TextureFormat) -> u32 {
    if format == LINEAR_FORMAT { 8 } else { 4 }
}

/// A file format of images.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageFormat {
    /// PNG, without loss.
    Png,
    /// JPEG of quality 92.
    Jpeg,
    /// WebP, without loss.
    WebP,
    /// OpenEXR with half floats: linear light.
    Exr,
}

/// Quality of a JPEG file, of 100.
const JPEG_QUALITY: u8 = 92;

impl ImageFormat {
    /// That of a file by its extension, in any case.
    pub fn of(path: &Path) -> Option<ImageFormat> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "png" => Some(ImageFormat::Png),
            "jpg" | "jpeg" => Some(ImageFormat::Jpeg),
            "webp" => Some(ImageFormat::WebP),
            "exr" => Some(ImageFormat::Exr),
            _ => None,
        }
    }

    /// Whether its pixels are linear light.
    pub fn is_linear(self) -> bool {
        self == ImageFormat::Exr
    }

    /// Writes a picture with the pixels of the format: the same pixels give the same bytes. A `note` goes into the comment of a PNG or EXR,
    /// and into what EXIF calls the description of the others.
    pub(super) fn write(self, mut out: impl Write, image: &FrameImage, note: Option<&str>) -> Result<(), String> {
        match image {
            FrameImage::Srgb(image) => self.write_srgb(out, image, note),
            FrameImage::Linear(image) if self.is_linear() => exr_file::write(&mut out, image, note),
            FrameImage::Linear(_) => Err(String::from("linear light goes into .exr files only")),
        }
    }

    /// As [`write`](Self::write), of pixels of 8 bits.
    pub(super) fn write_srgb(self, out: impl Write, image: &RgbImage, note: Option<&str>) -> Result<(), String> {
        let (width, height) = image.dimensions();
        match self {
            ImageFormat::Exr => Err(String::from(".exr files hold linear light, and the picture has 8 bits")),
            ImageFormat::Png => write_png(out, image, note).map_err(|error| error.to_string()),
            ImageFormat::Jpeg => {
                let encoder = JpegEncoder::new_with_quality(out, JPEG_QUALITY);
                encode(encoder, image.as_raw(), (width, height), note)
            }
            ImageFormat::WebP => encode(WebPEncoder::new_lossless(out), image.as_raw(), (width, height), note),
        }
    }
}

/// Writes the pixels of a picture with a description.
fn encode(
    mut encoder: impl ImageEncoder,
    pixels: &[u8],
    (width, height): (u32, u32),
    note: Option<&str>,
) -> Result<(), String> {
    if let Some(note) = note {
        encoder.set_exif_metadata(description(note)).map_err(|error| error.to_string())?;
    }
    encoder.write_image(pixels, width, height, ExtendedColorType::Rgb8).map_err(|error| error.to_string())
}

/// EXIF with a text as its image description (tag 270 of TIFF 6.0), in ASCII.
fn description(note: &str) -> Vec<u8> {
    let mut text: Vec<u8> = note.chars().map(|c| if c.is_ascii() { c as u8 } else { b'?' }).collect();
    // Four bytes and less would stand in the entry itself.
    text.resize(text.len().max(4) + 1, 0);
    let mut exif = b"II*\0".to_vec();
    exif.extend(8u32.to_le_bytes());
    exif.extend([1u16, 270, 2].map(u16::to_le_bytes).concat());
    exif.extend([text.len() as u32, 26, 0].map(u32::to_le_bytes).concat());
    exif.extend(text);
    exif
}

fn write_png(out: impl Write, image: &RgbImage, note: Option<&str>) -> Result<(), png::EncodingError> {
    let mut encoder = png::Encoder::new(out, image.width(), image.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Fast);
    if let Some(note) = note {
        let (keyword, note) = (String::from("Comment"), note.to_string());
        // More programs read the older kind of text, which is Latin.
        match note.is_ascii() {
            true => encoder.add_text_chunk(keyword, note)?,
            false => encoder.add_itxt_chunk(keyword, note)?,
        }
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(image.as_raw())?;
    writer.finish()
}

/// Writes a picture to a file, whole or not at all.
///
/// # Errors
/// [`ImageError::Write`] with what the system says.
pub(super) fn write_file(
    path: &Path,
    format: ImageFormat,
    image: &FrameImage,
    note: Option<&str>,
) -> Result<(), ImageError> {
    let failed = |why: String| ImageError::Write { path: path.to_path_buf(), why };
    let mut file = AtomicFile::create(path).map_err(|e| failed(e.to_string()))?;
    format.write(&mut file, image, note).map_err(failed)?;
    file.commit().map_err(|e| failed(e.to_string()))
}
