//! How do test data and results cross between host and device? Simple copies: for tests, benches and examples, never inside a
//! frame.
//!
//! What ends in `_async` waits for nobody. Its future is ready when the device has been polled after the work: browsers do that by
//! themselves, other programs by [`Gpu::check`], once a frame. If that tells that the device is lost, the future may never be ready:
//! drop it.

use crate::{Gpu, GpuError};
use bytemuck::Pod;
use futures_channel::oneshot;

/// A storage buffer of `len` elements (at least one), zeroed, that can be copied from and to. More than the device's `max_buffer_size` is
/// an error of the device, as any buffer's.
pub fn storage<T: Pod>(device: &wgpu::Device, label: &str, len: u32) -> wgpu::Buffer {
    device.create_buffer(&descriptor::<T>(label, u64::from(len), false))
}

/// A storage buffer with a copy of `items`; of one zeroed element when there is none.
pub fn upload<T: Pod>(device: &wgpu::Device, label: &str, items: &[T]) -> wgpu::Buffer {
    let buffer = device.create_buffer(&descriptor::<T>(label, items.len() as u64, true));
    let bytes: &[u8] = bytemuck::cast_slice(items);
    // A buffer mapped at creation can always be written, unless the device is lost.
    if let Ok(mut view) = buffer.slice(..).get_mapped_range_mut() {
        view.slice(..bytes.len()).copy_from_slice(bytes);
    }
    buffer.unmap();
    buffer
}

/// The whole content of a buffer with usage `COPY_SRC`, after all submitted work.
pub fn download<T: Pod>(gpu: &Gpu, buffer: &wgpu::Buffer) -> Result<Vec<T>, GpuError> {
    read(gpu, &copy_of(gpu, buffer, &[(0, buffer.size())]))
}

/// As [`download`], without blocking.
///
/// ```
/// use gpu::{Gpu, GpuError, GpuOptions, transfer};
///
/// async fn doubled(gpu: &Gpu, buffer: &wgpu::Buffer) -> Result<Vec<u32>, GpuError> {
///     Ok(transfer::download_async::<u32>(gpu, buffer).await?.into_iter().map(|x| 2 * x).collect())
/// }
///
/// let gpu = Gpu::new(&GpuOptions::default())?;
/// let buffer = transfer::upload(&gpu.device, "numbers", &[1u32, 2, 3]);
/// let mut answer = std::pin::pin!(doubled(&gpu, &buffer));
/// // A frame loop: the device is polled once a frame, and then the future.
/// let mut context = std::task::Context::from_waker(std::task::Waker::noop());
/// let doubled = loop {
///     gpu.check()?;
///     if let std::task::Poll::Ready(doubled) = answer.as_mut().poll(&mut context) {
///         break doubled?;
///     }
/// };
/// assert_eq!(doubled, [2, 4, 6]);
/// # Ok::<(), GpuError>(())
/// ```
pub async fn download_async<T: Pod>(gpu: &Gpu, buffer: &wgpu::Buffer) -> Result<Vec<T>, GpuError> {
    read_async(&copy_of(gpu, buffer, &[(0, buffer.size())])).await
}

/// A texture that passes draw into and [`download_texture`] reads: one level, one sample a pixel.
pub fn render_texture(
    device: &wgpu::Device,
    label: &str,
    (width, height): (u32, u32),
    format: wgpu::TextureFormat,
) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}

/// The texels of the first level of a texture with usage `COPY_SRC`, row by row, after all submitted work. `T` is a texel, as `[u8; 4]`
/// is of [`wgpu::TextureFormat::Rgba8Unorm`].
///
/// # Panics
/// If a texel has another size, or the format is compressed.
///
/// ```
/// use gpu::{Gpu, GpuOptions, transfer};
/// let gpu = Gpu::new(&GpuOptions::default())?;
/// let picture = transfer::render_texture(&gpu.device, "nothing yet", (5, 3), wgpu::TextureFormat::Rgba8Unorm);
/// assert_eq!(transfer::download_texture::<[u8; 4]>(&gpu, &picture)?, [[0; 4]; 15]);
/// # Ok::<(), gpu::GpuError>(())
/// ```
pub fn download_texture<T: Pod>(gpu: &Gpu, texture: &wgpu::Texture) -> Result<Vec<T>, GpuError> {
    gpu.block_on(download_texture_async(gpu, texture))
}

/// As [`download_texture`], without blocking.
///
/// ```
/// use gpu::{Gpu, GpuOptions, pipeline::RenderTarget, transfer};
/// let gpu = Gpu::new(&GpuOptions::default())?;
/// let format = wgpu::TextureFormat::Rgba8Unorm;
/// let picture = transfer::render_texture(&gpu.device, "picture", (3, 2), format);
/// let mut target = RenderTarget::new(format, 1).with_clear(wgpu::Color::RED);
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// drop(target.begin_pass(&gpu.device, &mut encoder, &picture.create_view(&Default::default())));
/// gpu.queue.submit([encoder.finish()]);
/// assert_eq!(gpu.block_on(transfer::download_texture_async::<[u8; 4]>(&gpu, &picture))?, [[255, 0, 0, 255]; 6]);
/// # Ok::<(), gpu::GpuError>(())
/// ```
pub async fn download_texture_async<T: Pod>(gpu: &Gpu, texture: &wgpu::Texture) -> Result<Vec<T>, GpuError> {
    let (size, texel_bytes) = (texture.size(), size_of::<T>() as u32);
    assert_eq!(texture.format().block_copy_size(None), Some(texel_bytes), "{:?}", texture.format());
    assert_eq!(texture.format().block_dimensions(), (1, 1), "{:?}", texture.format());
    let row_bytes = size.width * texel_bytes;
    // Rows of copies begin at multiples of 256 bytes.
    let padded = row_bytes.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let staging = staging(gpu, u64::from(padded) * u64::from(size.height) * u64::from(size.depth_or_array_layers));
    let layout =
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(padded), rows_per_image: Some(size.height) };
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let to = wgpu::TexelCopyBufferInfo { buffer: &staging, layout };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), to, size);
    gpu.queue.submit([encoder.finish()]);
    let bytes: Vec<u8> = read_async(&staging).await?;
    let rows = bytes.chunks(padded as usize);
    Ok(rows.flat_map(|row| bytemuck::pod_collect_to_vec::<u8, T>(&row[..row_bytes as usize])).collect())
}

/// Parts of a buffer, first byte and number of bytes (multiples of 4) of each, joined.
///
/// ```
/// use gpu::{Gpu, GpuOptions, transfer};
/// let gpu = Gpu::new(&GpuOptions::default())?;
/// let buffer = transfer::upload(&gpu.device, "numbers", &[1u32, 2, 3, 4]);
/// let bytes = gpu.block_on(transfer::download_parts_async(&gpu, &buffer, &[(12, 4), (0, 8)]))?;
/// assert_eq!(bytes, bytemuck::bytes_of(&[4u32, 1, 2]));
/// # Ok::<(), gpu::GpuError>(())
/// ```
pub async fn download_parts_async(gpu: &Gpu, buffer: &wgpu::Buffer, parts: &[(u64, u64)]) -> Result<Vec<u8>, GpuError> {
    if parts.iter().all(|(_, len)| *len == 0) {
        return Ok(Vec::new());
    }
    read_async(&copy_of(gpu, buffer, parts)).await
}

/// A buffer that the host can read.
fn staging(gpu: &Gpu, size: u64) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("download"),
        size,
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

/// A buffer that the host can read with the parts of another one; the copy is submitted.
fn copy_of(gpu: &Gpu, buffer: &wgpu::Buffer, parts: &[(u64, u64)]) -> wgpu::Buffer {
    let size = parts.iter().map(|(_, len)| len).sum();
    let staging = staging(gpu, size);
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let mut at = 0;
    for (first, len) in parts {
        encoder.copy_buffer_to_buffer(buffer, *first, &staging, at, *len);
        at += len;
    }
    gpu.queue.submit([encoder.finish()]);
    staging
}

/// The whole content of a buffer with usage `MAP_READ`, after all submitted work. It is unmapped again.
///
/// # Errors
/// [`GpuError::Lost`] if the device is lost, also while this waits; [`GpuError::Wait`] if the buffer cannot be mapped;
/// [`GpuError::Blocking`] in a browser.
pub fn read<T: Pod>(gpu: &Gpu, staging: &wgpu::Buffer) -> Result<Vec<T>, GpuError> {
    gpu.block_on(read_async(staging))
}

/// The whole content of a buffer with usage `MAP_READ`, after all submitted work, lent to a function that may submit more. It is
/// unmapped again.
///
/// # Errors
/// As [`read`].
///
/// ```
/// let gpu = gpu::Gpu::new(&Default::default())?;
/// let numbers = gpu.device.create_buffer(&wgpu::BufferDescriptor {
///     label: None, size: 12, usage: wgpu::BufferUsages::MAP_READ, mapped_at_creation: true });
/// numbers.get_mapped_range_mut(..).unwrap().slice(..).copy_from_slice(bytemuck::cast_slice(&[1u32, 2, 3]));
/// numbers.unmap();
/// assert_eq!(gpu::transfer::read_with(&gpu, &numbers, |numbers: &[u32]| numbers.iter().sum::<u32>())?, 6);
/// # Ok::<(), gpu::GpuError>(())
/// ```
pub fn read_with<T: Pod, R>(gpu: &Gpu, staging: &wgpu::Buffer, take: impl FnOnce(&[T]) -> R) -> Result<R, GpuError> {
    gpu.block_on(map(staging))?;
    let view = staging.get_mapped_range(..).map_err(failed)?;
    let taken = bytemuck::try_cast_slice(&view).map(take).map_err(failed);
    drop(view);
    staging.unmap();
    taken
}

/// As [`read`], without blocking.
///
/// # Errors
/// [`GpuError::Wait`] if the buffer cannot be mapped, or the device is gone before it is.
///
/// ```
/// use gpu::{Gpu, GpuOptions, transfer};
/// let gpu = Gpu::new(&GpuOptions::default())?;
/// let numbers = transfer::upload(&gpu.device, "numbers", &[1u32, 2, 3]);
/// let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
/// let staging = gpu.device.create_buffer(&wgpu::BufferDescriptor { label: None, size: 12, usage, mapped_at_creation: false });
/// // In a frame's own commands; what is copied is read some frames later.
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// encoder.copy_buffer_to_buffer(&numbers, 0, &staging, 0, 12);
/// gpu.queue.submit([encoder.finish()]);
/// assert_eq!(gpu.block_on(transfer::read_async::<u32>(&staging))?, [1, 2, 3]);
/// # Ok::<(), gpu::GpuError>(())
/// ```
pub async fn read_async<T: Pod>(staging: &wgpu::Buffer) -> Result<Vec<T>, GpuError> {
    map(staging).await?;
    mapped(staging)
}

async fn map(staging: &wgpu::Buffer) -> Result<(), GpuError> {
    let (sender, receiver) = oneshot::channel();
    staging.map_async(wgpu::MapMode::Read, .., move |result| {
        // The receiver waits below; it is only gone if the future was dropped.
        let _ = sender.send(result);
    });
    receiver.await.map_err(failed)?.map_err(failed)
}

fn failed(error: impl std::fmt::Display) -> GpuError {
    GpuError::Wait { reason: error.to_string() }
}

/// The content of a mapped buffer, which is unmapped.
fn mapped<T: Pod>(staging: &wgpu::Buffer) -> Result<Vec<T>, GpuError> {
    let view = staging.get_mapped_range(..).map_err(failed)?;
    let items = bytemuck::pod_collect_to_vec(&view);
    drop(view);
    staging.unmap();
    Ok(items)
}

fn descriptor<T: Pod>(label: &str, len: u64, mapped_at_creation: bool) -> wgpu::BufferDescriptor<'_> {
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
    let size = (len.max(1) * size_of::<T>() as u64).next_multiple_of(4);
    wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation }
}
