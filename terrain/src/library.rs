//! Which WGSL modules does this crate bring along, and which do they import?

use shaders::{Composer, Library};

/// The WGSL modules of this crate: `shaders/terrain/`.
// SAFETY: WGSL has no recursion, and every loop under `shaders/terrain` moves a variable towards a bound that does not change, or counts
// the turns in which it could not.
pub static WGSL: Library =
    unsafe { Library::new(include!(concat!(env!("OUT_DIR"), "/wgsl.rs"))).with_loops_that_end() };

/// A composer of these modules and those that they import.
///
/// ```
/// // A compute shader that reads a vertex as the mesh writes it.
/// let text = "//!import terrain/vertex\n@compute @workgroup_size(1) fn main() {}";
/// let composed = terrain::composer().bind("mine/read", "read.wgsl", text).compose("mine/read")?;
/// assert!(composed.source().contains("struct TerrainVertex") && composed.entry_point("main").is_some());
/// # Ok::<(), shaders::ShaderError>(())
/// ```
pub fn composer() -> Composer {
    Composer::of(&[kernels::WGSL, cbt::gpu::WGSL, WGSL])
}
