//! How does a value get into shaders? By a uniform buffer that the host writes, once a frame or when it changes.

use bytemuck::NoUninit;
use std::marker::PhantomData;

/// A value that shaders read as `var<uniform>`; zeroes until it is written.
///
/// Its bytes are those of the WGSL type: a matrix or vector of glam, or a struct that [`shaders::check_layout!`] or
/// `#[kernels::device]` keep equal to its twin.
///
/// ```
/// use gpu::{Gpu, GpuOptions, pipeline::Uniform};
///
/// let gpu = Gpu::new(&GpuOptions::default())?;
/// let camera = Uniform::<[f32; 16]>::new(&gpu.device, "camera");
/// // Once: kernel.bind_group(&gpu.device, 0, &[("camera", camera.binding())])
/// camera.write(&gpu.queue, &[0.5; 16]); // every frame
/// # gpu.wait()?;
/// # Ok::<(), gpu::GpuError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Uniform<T> {
    buffer: wgpu::Buffer,
    value: PhantomData<fn(T)>,
}

impl<T: NoUninit> Uniform<T> {
    /// A buffer for a value.
    pub fn new(device: &wgpu::Device, label: &str) -> Self {
        const { assert!(size_of::<T>() > 0 && size_of::<T>().is_multiple_of(4), "copies are of whole words") }
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: size_of::<T>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self { buffer, value: PhantomData }
    }

    /// Sets the value for all of the next submission, and those after it: two passes of one submission see the same.
    pub fn write(&self, queue: &wgpu::Queue, value: &T) {
        queue.write_buffer(&self.buffer, 0, bytemuck::bytes_of(value));
    }

    /// For bind groups.
    pub fn binding(&self) -> wgpu::BindingResource<'_> {
        self.buffer.as_entire_binding()
    }
}
