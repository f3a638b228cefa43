//!import terrain/pool/buffers
//!import terrain/pool/scan_block
// Pass 5, one workgroup: how many slots are needed in the blocks before each?

@compute @workgroup_size(BLOCK)
fn rank(@builtin(local_invocation_index) local: u32) {
    scan_over_blocks(local, NEED, NEED_FIRST);
}
