//!import terrain/heap_id
//!import terrain/pool/buffers
//!import terrain/pool/histogram
//!import terrain/pool/plan_bits
//!import terrain/pool/ranks_atomic
//!import terrain/pool/scan_block
// Pass 4: what happens to every slot, and which free slot has which rank? Empties the histograms, too. Twin of
// terrain/src/pool/plan.rs; the rank-th free slot is found the other way round, each free slot of a block writing itself to its rank.

@compute @workgroup_size(BLOCK)
fn plan(
    @builtin(global_invocation_id) invocation: vec3u,
    @builtin(workgroup_id) block: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    let slot = invocation.x;
    // For the next update.
    for (var bin = slot; bin < 2u * BINS; bin += BLOCK * block_count()) {
        histogram[bin] = 0u;
    }
    let inside = slot < control.capacity;
    let live = is_live(slot);
    var word = DEAD;
    if live {
        word = 0u;
        for (var mark = 0u; mark < 3u; mark++) {
            let key = atomicExchange(&marks[3u * slot + mark], 0u);
            if key != 0u && key >= control.split_from {
                word |= 1u << mark;
            }
        }
        let keep = state[slot];
        if (keep & IN_DIAMOND) != 0u && (keep & ~IN_DIAMOND) <= control.merge_to {
            word |= MERGE;
        }
        if is_odd_child(heap[slot]) {
            word |= ODD;
        }
    }
    // Needed slots and free slots in one prefix sum: at most 768 and 256 of them.
    let needed = countOneBits(word & PATTERN);
    let is_free = inside && !live;
    let before = scan_block(local, needed | select(0u, 0x10000u, is_free));
    if live {
        word |= (before & 0xffffu) << RANK_SHIFT;
    }
    if inside {
        state[slot] = word;
    }
    let rank = atomicLoad(&ranks[of_block(block.x, FREE_FIRST)]) + (before >> 16u);
    if is_free && rank < control.admitted {
        atomicStore(&ranks[granted_at(rank)], slot);
    }
    let need = scan_total() & 0xffffu;
    if need > 0u {
        tell_later(block.x, local, need);
    }
}

// Adds what a block needs to what comes before the blocks after it.
fn tell_later(block: u32, local: u32, need: u32) {
    let group = block / GROUP;
    let blocks = block_count();
    for (var later = block + 1u + local; later < min(GROUP * (group + 1u), blocks); later += BLOCK) {
        atomicAdd(&ranks[of_block(later, NEEDED_IN_GROUP)], need);
    }
    for (var later = group + 1u + local; GROUP * later < blocks; later += BLOCK) {
        atomicAdd(&ranks[of_block(later, NEEDED_BEFORE_GROUP)], need);
    }
}
