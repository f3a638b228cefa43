//! Are the shaders that have a source in Rust what that source generates?

use super::{
    prepared_ray::lbvh_prepare_ray,
    ray::{Hit as LbvhHit, LBVH_INVALID, LBVH_LIMIT, LBVH_MISS},
};
use crate::device::{self, check_generated_importing};

/// The WGSL of rays.
pub(super) const RAY: &str = device::module!(LBVH_MISS, LBVH_LIMIT, LBVH_INVALID, LbvhHit, lbvh_prepare_ray);

/// Compares `shaders/kernels/lbvh/FILE` with the WGSL of device items in `kernels/src/lbvh/SOURCE.rs`, but for those that it
/// imports from other files, given by their names and texts. The unit tests of SOURCE write it anew with `OROGEN_BLESS=1`.
pub(super) fn check(file: &str, question: &str, source: &str, imports: &[(&str, &str)], wgsl: &str) {
    let header = format!(
        "// {question}\n\
         // Generated from kernels/src/lbvh/{source}.rs: ./x generate"
    );
    let path = format!("{}/../shaders/kernels/lbvh/{file}", env!("CARGO_MANIFEST_DIR"));
    check_generated_importing(path, &header, imports, wgsl).unwrap();
}
