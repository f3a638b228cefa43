//! Which WGSL modules does this crate bring along, and which do they import?

use shaders::{Composer, Library};

/// The WGSL modules of this crate: `shaders/viewer/`.
// SAFETY: WGSL has no recursion, and every loop under `shaders/viewer` moves a variable towards a bound that does not change, or counts
// the turns in which it could not.
pub static WGSL: Library =
    unsafe { Library::new(include!(concat!(env!("OUT_DIR"), "/wgsl.rs"))).with_loops_that_end() };

/// A composer of these modules and those that they import: all of Orogen.
pub fn composer() -> Composer {
    terrain::composer().with(WGSL)
}
