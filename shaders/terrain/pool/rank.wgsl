//!import terrain/pool/buffers
//!import terrain/pool/histogram
//!import terrain/pool/scan_block
// Pass 5, one workgroup: how many slots are needed in the blocks before each?

@compute @workgroup_size(BLOCK)
fn rank(@builtin(local_invocation_index) local: u32) {
    let blocks = block_count();
    let span = (blocks + BLOCK - 1u) / BLOCK;
    let first = min(local * span, blocks);
    let end = min(first + span, blocks);
    var sum = 0u;
    for (var block = first; block < end; block++) {
        sum += ranks[4u * block];
    }
    var before = scan_block(local, sum);
    for (var block = first; block < end; block++) {
        ranks[4u * block + 1u] = before;
        before += ranks[4u * block];
    }
}
