//!import terrain/pool/buffers
// What is before me? Exclusive prefix sums over the threads of a workgroup.

var<workgroup> sh_scan: array<u32, BLOCK>;

// Exclusive prefix sum of `value` over the workgroup; every thread must call it. `scan_total()` is the sum afterwards.
fn scan_block(local: u32, value: u32) -> u32 {
    workgroupBarrier();
    sh_scan[local] = value;
    workgroupBarrier();
    for (var reach = 1u; reach < BLOCK; reach *= 2u) {
        var sum = sh_scan[local];
        if local >= reach {
            sum += sh_scan[local - reach];
        }
        workgroupBarrier();
        sh_scan[local] = sum;
        workgroupBarrier();
    }
    return sh_scan[local] - value;
}

fn scan_total() -> u32 {
    return sh_scan[BLOCK - 1u];
}

// The blocks, from the first to before the second, that a thread takes where one workgroup goes through all.
fn blocks_of(local: u32) -> vec2u {
    let blocks = block_count();
    let span = (blocks + BLOCK - 1u) / BLOCK;
    return min(vec2u(local * span, local * span + span), vec2u(blocks));
}
