//! How many workgroups does a dispatch need whose item count only the device knows?
//!
//! The primitives of this crate need no indirect dispatch; a frame's own kernels do. One small dispatch writes the
//! arguments of all of them, clamped and folded into two dimensions, which makes wgpu's own validation of every indirect
//! call needless ([`GpuOptions::validate_indirect`](gpu::GpuOptions::validate_indirect)).

#[cfg(feature = "gpu")]
mod plan;
mod workgroups;

#[cfg(feature = "gpu")]
pub use plan::PrepareIndirect;
pub use workgroups::IndirectRequest;
use workgroups::workgroups_of;

/// Workgroups in x, y and z, as [`PrepareIndirect`] makes them. With two rows or
/// more a workgroup's number is `workgroup_id.y * num_workgroups.x + workgroup_id.x`, and may exceed what is needed.
///
/// ```
/// assert_eq!(kernels::indirect_arguments(1000, 4096, 256), [4, 1, 1]);
/// assert_eq!(kernels::indirect_arguments(1 << 24, u32::MAX, 256), [32_768, 2, 1]);
/// ```
pub fn indirect_arguments(count: u32, capacity: u32, items_per_workgroup: u32) -> [u32; 3] {
    workgroups_of(count, capacity, items_per_workgroup).to_array()
}
