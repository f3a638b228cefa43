//!import terrain/heap_id
//!import terrain/half_edge
//!import terrain/pool/buffers
//!import terrain/pool/plan_bits
//!import terrain/pool/histogram_atomic
//!import terrain/pool/ranks
//!import terrain/pool/diamond
//!import terrain/pool/key_words
// Pass 2: how many slots would each priority take, and how many would each complete diamond give back? Twin of
// terrain/src/pool/count.rs.

// Most keys fall into few bins: those outside the focus are counted for the workgroup first.
var<workgroup> sh_need: array<atomic<u32>, BLOCK>;
var<workgroup> sh_freed: array<atomic<u32>, BLOCK>;

@compute @workgroup_size(BLOCK)
fn count(
    @builtin(global_invocation_id) invocation: vec3u,
    @builtin(workgroup_id) block: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    if local == 0u {
        // Plan adds to them.
        ranks[of_block(block.x, NEEDED_BEFORE_GROUP)] = 0u;
        ranks[of_block(block.x, NEEDED_IN_GROUP)] = 0u;
    }
    atomicStore(&sh_need[local], 0u);
    atomicStore(&sh_freed[local], 0u);
    workgroupBarrier();
    let slot = invocation.x;
    if is_live(slot) {
        for (var mark = 0u; mark < 3u; mark++) {
            let key = atomicLoad(&marks[3u * slot + mark]);
            if key != 0u {
                count_need(key);
            }
        }
        count_diamond(slot);
    }
    workgroupBarrier();
    let need = atomicLoad(&sh_need[local]);
    if need > 0u {
        atomicAdd(&histogram[bin_of(local << 16u, control.need_focus)], need);
    }
    let freed = atomicLoad(&sh_freed[local]);
    if freed > 0u {
        atomicAdd(&histogram[BINS + bin_of(local << 16u, control.freed_focus)], freed);
    }
}

fn count_need(key: u32) {
    let bucket = key >> 16u;
    if bucket == control.need_focus {
        atomicAdd(&histogram[bin_of(key, control.need_focus)], 1u);
    } else {
        atomicAdd(&sh_need[bucket], 1u);
    }
}

fn count_freed(key: u32) {
    let bucket = key >> 16u;
    if bucket != 0u && bucket == control.freed_focus {
        atomicAdd(&histogram[BINS + bin_of(key, control.freed_focus)], 2u);
    } else {
        atomicAdd(&sh_freed[bucket], 2u);
    }
}

// The even child with the smaller heap id represents the diamond: one writer, counted once.
fn count_diamond(p0: u32) {
    let id = heap[p0];
    if depth(id) == 0u || is_odd_child(id) {
        return;
    }
    let around = diamond(p0);
    if !around.complete || !is_below(id, heap[around.q0]) {
        return;
    }
    var members = array<u32, 4>(p0, around.p1, around.q0, around.q1);
    var keep = max(state[p0], state[around.q0]);
    for (var member = 0u; member < 4u; member++) {
        for (var mark = 0u; mark < 3u; mark++) {
            keep = max(keep, atomicLoad(&marks[3u * members[member] + mark]));
        }
    }
    count_freed(keep);
    for (var member = 0u; member < 4u; member++) {
        state[members[member]] = keep | IN_DIAMOND;
    }
}
