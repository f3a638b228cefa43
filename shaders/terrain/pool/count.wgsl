//!import terrain/heap_id
//!import terrain/half_edge
//!import terrain/pool/buffers
//!import terrain/pool/key
// Pass 2: how many slots would each priority take, how many would each complete diamond give back, and how many are free
// in each block? Twin of terrain/src/pool/count.rs.

const IN_DIAMOND: u32 = 0x80000000u;

@compute @workgroup_size(BLOCK)
fn count(
    @builtin(global_invocation_id) invocation: vec3u,
    @builtin(workgroup_id) block: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    if local == 0u {
        count_free(block.x);
    }
    let slot = invocation.x;
    if !is_live(slot) {
        return;
    }
    for (var mark = 0u; mark < 3u; mark++) {
        let key = atomicLoad(&marks[3u * slot + mark]);
        if key != 0u {
            atomicAdd(&histogram[bin_of(key, control.need_focus)], 1u);
        }
    }
    count_diamond(slot);
}

fn count_free(block: u32) {
    var live = 0u;
    let slots = min(BLOCK, control.capacity - BLOCK * block);
    for (var word = 0u; word < slots / 32u; word++) {
        live += countOneBits(atomicLoad(&bits[block * (BLOCK / 32u) + word]));
    }
    ranks[4u * block + 2u] = slots - live;
}

// The even child with the smaller heap id represents the diamond: one writer, counted once.
fn count_diamond(p0: u32) {
    let id = heap[p0];
    if depth(id) == 0u || is_odd_child(id) {
        return;
    }
    let to_p1 = neighbour(p0, EDGE_LEFT);
    if edge_of(to_p1) != EDGE_RIGHT {
        return;
    }
    let to_q0 = neighbour(slot_of(to_p1), EDGE_LEFT);
    if edge_of(to_q0) != EDGE_RIGHT {
        return;
    }
    let to_q1 = neighbour(slot_of(to_q0), EDGE_LEFT);
    if edge_of(to_q1) != EDGE_RIGHT {
        return;
    }
    let q0 = slot_of(to_q0);
    if !is_below(id, heap[q0]) {
        return;
    }
    var members = array<u32, 4>(p0, slot_of(to_p1), q0, slot_of(to_q1));
    var keep = max(state[p0], state[q0]);
    for (var member = 0u; member < 4u; member++) {
        for (var mark = 0u; mark < 3u; mark++) {
            keep = max(keep, atomicLoad(&marks[3u * members[member] + mark]));
        }
    }
    atomicAdd(&histogram[BINS + bin_of(keep, control.freed_focus)], 2u);
    for (var member = 0u; member < 4u; member++) {
        state[members[member]] = keep | IN_DIAMOND;
    }
}
