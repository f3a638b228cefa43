//!import terrain/heap_id
//!import terrain/half_edge
//!import terrain/pool/buffers
//!import terrain/pool/key
//!import terrain/pool/priority
//!variant buckets terrain/pool/priority=terrain/pool/priority_buckets
//!variant edge_length terrain/pool/priority=terrain/pool/priority_edge_length
// Pass 1: every leaf that wants to be cut marks all cuts it needs with its priority; twin of terrain/src/pool/classify.rs.

const CENTER: u32 = 0u;
const LEFT: u32 = 1u;
const RIGHT: u32 = 2u;

@compute @workgroup_size(BLOCK)
fn classify(@builtin(global_invocation_id) invocation: vec3u) {
    let slot = invocation.x;
    if !is_live(slot) {
        return;
    }
    let id = heap[slot];
    let salt = salt_of(control.update);
    var parent_key = 0u;
    if depth(id) > 0u && !is_odd_child(id) {
        parent_key = key_of(parent_bucket(slot, id), parent(id), salt);
    }
    state[slot] = parent_key;
    let own = bucket(slot, id);
    if own >= BUCKET_SPLIT && depth(id) < control.max_depth {
        mark_chain(slot, key_of(own, id, salt));
    }
}

// Raises the marks along the twin chain; stops where a chain of at least this priority already passes.
fn mark_chain(slot: u32, key: u32) {
    if raise(slot, CENTER, key) >= key {
        return;
    }
    var current = slot;
    for (var hop = 0u; hop <= MAX_DEPTH; hop++) {
        let across = neighbour(current, EDGE_TWIN);
        let twin = slot_of(across);
        if edge_of(across) == EDGE_TWIN {
            raise(twin, CENTER, key);
            return;
        }
        // Before the early exit: two chains may enter the same twin through different legs.
        raise(twin, select(RIGHT, LEFT, edge_of(across) == EDGE_LEFT), key);
        if raise(twin, CENTER, key) >= key {
            return;
        }
        current = twin;
    }
}

fn raise(slot: u32, mark: u32, key: u32) -> u32 {
    return atomicMax(&marks[3u * slot + mark], key);
}
