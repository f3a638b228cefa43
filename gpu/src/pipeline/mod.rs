//! How does a composed shader become pipelines and bind groups? Layouts come from reflection; Rust names bindings, never
//! numbers them.
//!
//! ```
//! use gpu::{Gpu, GpuOptions, pipeline::ComputeKernel};
//!
//! let mut composer = shaders::Composer::new();
//! composer.bind("double", "double.wgsl", "\
//! @group(0) @binding(0) var<storage, read> input: array<u32>;
//! @group(0) @binding(1) var<storage, read_write> output: array<u32>;
//! @compute @workgroup_size(64) fn double(@builtin(global_invocation_id) id: vec3u) {
//!     if id.x < arrayLength(&input) { output[id.x] = 2u * input[id.x]; }
//! }");
//! let composed = composer.compose("double")?;
//!
//! # fn buffer(gpu: &Gpu) -> wgpu::Buffer {
//! #     let usage = wgpu::BufferUsages::STORAGE;
//! #     gpu.device.create_buffer(&wgpu::BufferDescriptor { label: None, size: 256, usage, mapped_at_creation: false })
//! # }
//! let gpu = Gpu::new(&GpuOptions::default())?;
//! let kernel = ComputeKernel::new(&gpu.device, &composed, "double", &Default::default())?;
//! let (input, output) = (buffer(&gpu), buffer(&gpu));
//! let group = kernel.bind_group(&gpu.device, 0, &[
//!     ("input", input.as_entire_binding()),
//!     ("output", output.as_entire_binding()),
//! ])?;
//!
//! let mut encoder = gpu.device.create_command_encoder(&Default::default());
//! let mut pass = encoder.begin_compute_pass(&Default::default());
//! pass.set_pipeline(kernel.pipeline());
//! pass.set_bind_group(0, &group, &[]);
//! pass.dispatch_workgroups(1, 1, 1);
//! drop(pass);
//! gpu.queue.submit([encoder.finish()]);
//! gpu.wait()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod compute;
mod error;
mod formats;
mod layouts;
mod render;
mod target;
mod uniform;

pub use compute::{ComputeKernel, ComputeOptions, shader_module};
pub use error::PipelineError;
pub use layouts::{GroupLayout, LayoutOptions, Layouts};
pub use render::{RenderKernel, RenderOptions, reverse_z};
pub use target::RenderTarget;
pub use uniform::Uniform;

/// Runs `make` and turns a validation error of the device into a [`PipelineError::Rejected`].
///
/// A browser answers after a turn of its own: there the error is found by [`crate::Gpu::check`], and what was made does nothing.
pub(crate) fn scoped<T>(device: &wgpu::Device, label: &str, make: impl FnOnce() -> T) -> Result<T, PipelineError> {
    if crate::BROWSER {
        return Ok(make());
    }
    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let made = make();
    // Elsewhere the answer is there at once.
    match pollster::block_on(scope.pop()) {
        None => Ok(made),
        Some(error) => Err(PipelineError::Rejected { label: label.to_owned(), reason: error.to_string() }),
    }
}
