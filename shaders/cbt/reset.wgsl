// How is a tree made whose leaves are all nodes of one level? Every 2^(D-d)-th bit is set. The sums want a reduction afterwards.
//
// Twin: `fill` in cbt/src/tree.rs.

//!import cbt/edit
//!variant classic cbt/layout=cbt/classic/layout cbt/storage=cbt/classic/read_write
//!variant compact cbt/layout=cbt/compact/layout cbt/storage=cbt/compact/read_write

struct CbtReset {
    depth: u32,
    // The level whose nodes become leaves.
    level: u32,
    // Words of the bitfield.
    words: u32,
}

@group(0) @binding(0) var<uniform> cbt_reset: CbtReset;

@compute @workgroup_size(256)
fn reset_bits(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let stride = groups.x * 256u;
    let height = cbt_reset.depth - cbt_reset.level;
    // A word of bits 2^height apart; from height 5 on, its lowest bit alone.
    var pattern = 1u;
    for (var step = height; step < 5u; step += 1u) {
        pattern |= pattern << (1u << step);
    }
    for (var i = id.x; i < cbt_reset.words; i += stride) {
        let starts = ((i << 5u) & ((1u << height) - 1u)) == 0u;
        cbt_store_word(i, select(0u, pattern, starts), cbt_reset.depth);
    }
}
