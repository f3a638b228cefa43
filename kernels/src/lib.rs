//! Parallel primitives with one meaning on the CPU (rayon) and the GPU (WGSL), and the device layer they stand on.
//!
//! - [`gpu`]: a device from any adapter, its capabilities, its errors.
//! - [`pipeline`]: pipelines and bind groups from reflected shaders, by name.

pub mod gpu;
pub mod pipeline;
