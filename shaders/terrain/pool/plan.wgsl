//!import cbt/tile
//!import kernels/group
//!import terrain/heap_id
//!import terrain/pool/buffers
//!import terrain/pool/histogram
//!import terrain/pool/plan_bits
//!import terrain/pool/ranks_atomic
//!variant portable cbt/layout=cbt/compact/layout cbt/storage=cbt/compact/read_write kernels/group=kernels/group/portable kernels/element=kernels/examples/element kernels/operator=kernels/examples/sum
//!variant subgroup cbt/layout=cbt/compact/layout cbt/storage=cbt/compact/read_write kernels/group=kernels/group/subgroup kernels/element=kernels/examples/element kernels/element_shuffle=kernels/examples/element_shuffle kernels/operator=kernels/examples/sum
// Pass 4: what happens to every slot, and which free slot has which rank? Empties the histograms, too. Twin of
// terrain/src/pool/plan.rs; the rank-th free slot is found the other way round: each free slot of a block asks the tree for its rank, and
// writes itself there.

@compute @workgroup_size(BLOCK)
fn plan(lane: Lane, group: Group) {
    let local = lane_rank(lane, group);
    let block = group.workgroup.x;
    let slot = block * BLOCK + local;
    cbt_read_tile(block, local);
    // For the next update.
    for (var bin = slot; bin < 2u * BINS; bin += BLOCK * block_count()) {
        histogram[bin] = 0u;
    }
    let inside = slot < control.capacity;
    let live = cbt_tile_bit(local);
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
    let needed_before = group_scan_one(countOneBits(word & PATTERN), lane, group);
    if live {
        word |= needed_before << RANK_SHIFT;
    }
    if inside {
        state[slot] = word;
    }
    let rank = cbt_tile_rank_unset(block, local);
    if inside && !live && rank < control.admitted {
        atomicStore(&ranks[granted_at(rank)], slot);
    }
    let need = sh_total;
    if need > 0u {
        add_to_later_ranks(block, local, need);
    }
}

// Adds what a block needs to what comes before the blocks after it.
fn add_to_later_ranks(block: u32, local: u32, need: u32) {
    let group = block / GROUP;
    let blocks = block_count();
    for (var later = block + 1u + local; later < min(GROUP * (group + 1u), blocks); later += BLOCK) {
        atomicAdd(&ranks[of_block(later, NEEDED_IN_GROUP)], need);
    }
    for (var later = group + 1u + local; GROUP * later < blocks; later += BLOCK) {
        atomicAdd(&ranks[of_block(later, NEEDED_BEFORE_GROUP)], need);
    }
}
