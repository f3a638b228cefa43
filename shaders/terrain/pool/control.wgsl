// What does a pool know of itself, and how is its work shared out?
// Generated from terrain/src/pool/gpu/control.rs: ./x generate

//!once terrain::pool::gpu::control::BLOCK
// Slots per block: the unit of prefix sums, and the workgroup.
const BLOCK: u32 = 256u;
//!end

//!once terrain::pool::gpu::control::BINS
// Bins of each histogram: one for each of 256 buckets, one of them widened, rounded up to a multiple of the workgroup.
const BINS: u32 = 4352u;
//!end

//!once terrain::pool::gpu::control::PoolControl
// State of a pool on the device.
struct PoolControl {
    // Number of slots.
    capacity: u32,
    // Deepest bisection.
    max_depth: u32,
    // See `crate::pool::Pool::set_eviction_band`; `super::GpuPool::set_eviction_band` writes it.
    eviction_band: u32,
    // Number of the next update, from 1.
    update: u32,
    // Marks at or above this key are cut.
    split_from: u32,
    // Diamonds at or below this key merge.
    merge_to: u32,
    // Bucket of needed slots with fine histogram bins, 0 for none.
    need_focus: u32,
    // Bucket of freed slots with fine histogram bins, 0 for none.
    freed_focus: u32,
    // Slots granted by the last update.
    admitted: u32,
    // Slots wanted and refused by the last update.
    starved: u32,
    // Live slots before the last update.
    live: u32,
    // Not zero if the last update changed anything.
    changes: u32,
}
//!end
