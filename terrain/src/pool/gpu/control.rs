//! State of a pool on the device: `shaders/terrain/pool/control.wgsl` is generated from this file, which a test compares.

use kernels::device;

/// Slots per block: the unit of prefix sums, and the workgroup.
#[device]
pub const BLOCK: u32 = 256;

/// Bins of each histogram: one for each of 256 buckets, one of them widened, rounded up to a multiple of the workgroup.
#[device]
pub const BINS: u32 = 4352;

/// State of a pool on the device.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct PoolControl {
    /// Number of slots.
    pub capacity: u32,
    /// Deepest bisection.
    pub max_depth: u32,
    /// See [`crate::pool::Pool::set_eviction_band`]; [`super::GpuPool::set_eviction_band`] writes it.
    pub eviction_band: u32,
    /// Number of the next update, from 1.
    pub update: u32,
    /// Marks at or above this key are cut.
    pub split_from: u32,
    /// Diamonds at or below this key merge.
    pub merge_to: u32,
    /// Bucket of needed slots with fine histogram bins, 0 for none.
    pub need_focus: u32,
    /// Bucket of freed slots with fine histogram bins, 0 for none.
    pub freed_focus: u32,
    /// Slots granted by the last update.
    pub admitted: u32,
    /// Slots wanted and refused by the last update.
    pub starved: u32,
    /// Live slots before the last update.
    pub live: u32,
    /// Not zero if the last update changed anything.
    pub changes: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        const CONTROL: &str = device::module!(BLOCK, BINS, PoolControl);
        let question = "What does a pool know of itself, and how is its work shared out?";
        crate::generated::check("pool/control.wgsl", question, "pool/gpu/control", CONTROL);
    }

    #[test]
    fn sizes_are_those_of_the_pool_on_the_cpu() {
        assert_eq!((BLOCK as usize, BINS as usize), (pool::BLOCK, pool::key::BINS));
    }
}
