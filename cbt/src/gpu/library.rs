//! Which WGSL modules does this crate bring along, and which do they import?

use gpu::pipeline::ComputeOptions;
use shaders::{Composer, Library};

/// The WGSL modules of this crate: `shaders/cbt/`.
// SAFETY: WGSL has no recursion, and every loop under `shaders/cbt` moves a variable towards a bound that does not change, or counts
// the turns in which it could not.
pub static WGSL: Library =
    unsafe { Library::new(include!(concat!(env!("OUT_DIR"), "/wgsl.rs"))).with_loops_that_end() };

/// A composer of these modules, for shaders that import them.
pub fn composer() -> Composer {
    Composer::of(&[WGSL])
}

/// Workgroup memory is written before it is read everywhere.
pub(super) fn options() -> ComputeOptions<'static> {
    ComputeOptions::default().with_workgroup_memory_uncleared(true)
}
