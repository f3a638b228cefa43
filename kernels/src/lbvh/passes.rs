//! What do the passes over a tree and who dispatches them agree on? `shaders/kernels/lbvh/passes.wgsl` is generated from this
//! file, which a test compares.

use crate::device;

/// Levels above its leaves or blocks that a workgroup of `gather` or `levels` makes.
#[device]
pub const LBVH_BLOCK_LEVELS: u32 = 10;

/// Leaves or blocks that it makes them of.
#[device]
pub const LBVH_BLOCK: u32 = 1 << LBVH_BLOCK_LEVELS;

/// Mode of a batch whose queries are content with any hit or primitive; that of one that asks for the closest hit, or all primitives, is 0.
#[device]
pub const LBVH_ANY: u32 = 1;

/// The mode of a batch of queries.
pub fn mode(any: bool) -> u32 {
    if any { LBVH_ANY } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        let wgsl = device::module!(LBVH_BLOCK, LBVH_ANY);
        let question = "What do the passes over a tree and who dispatches them agree on?";
        super::super::generated::check("passes.wgsl", question, "passes", &[], wgsl);
    }
}
