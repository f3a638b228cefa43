//! How do test data and results cross between host and device? Blocking and simple: for tests, benches and examples,
//! never inside a frame.

use std::time::Duration;

use crate::{Gpu, GpuError};
use bytemuck::Pod;

/// A storage buffer of `len` elements (at least one), zeroed, that can be copied from and to.
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
    Ok(bytemuck::pod_collect_to_vec(&download_parts(gpu, buffer, &[(0, buffer.size())])?))
}

/// Parts of a buffer, first byte and number of bytes (multiples of 4) of each, joined.
pub fn download_parts(gpu: &Gpu, buffer: &wgpu::Buffer, parts: &[(u64, u64)]) -> Result<Vec<u8>, GpuError> {
    let size = parts.iter().map(|(_, len)| len).sum();
    if size == 0 {
        return Ok(Vec::new());
    }
    let staging = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("download"),
        size,
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let mut at = 0;
    for (first, len) in parts {
        encoder.copy_buffer_to_buffer(buffer, *first, &staging, at, *len);
        at += len;
    }
    gpu.queue.submit([encoder.finish()]);
    read(gpu, &staging)
}

/// Longest wait for another thread to hand over what the device has finished.
const ANSWER: Duration = Duration::from_secs(10);

/// The whole content of a buffer with usage `MAP_READ`, after all submitted work. It is unmapped again.
///
/// # Errors
/// [`GpuError::Lost`] if the device is lost, also while this waits; [`GpuError::Wait`] if the buffer cannot be mapped.
pub fn read<T: Pod>(gpu: &Gpu, staging: &wgpu::Buffer) -> Result<Vec<T>, GpuError> {
    let failed = |reason: String| GpuError::Wait { reason };
    let (sender, receiver) = std::sync::mpsc::channel();
    staging.map_async(wgpu::MapMode::Read, .., move |result| {
        // The receiver looks below; it is only gone if that returned early.
        let _ = sender.send(result);
    });
    gpu.wait()?;
    // All that was submitted is done, so the answer is there, or on its way from a thread that waited at the same time; from a
    // device that was lost meanwhile it may never come.
    receiver.recv_timeout(ANSWER).map_err(|e| failed(e.to_string()))?.map_err(|e| failed(e.to_string()))?;
    let view = staging.get_mapped_range(..).map_err(|e| failed(e.to_string()))?;
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
