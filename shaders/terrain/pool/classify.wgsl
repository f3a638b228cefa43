//!import terrain/heap_id
//!import terrain/half_edge
//!import terrain/pool/buffers
//!import terrain/pool/plan_bits
//!import terrain/pool/arguments
//!import terrain/pool/diamond
//!import terrain/pool/edge
//!import terrain/pool/key_words
//!import terrain/pool/priority
//!variant buckets terrain/pool/priority=terrain/pool/priority_buckets
//!variant edge_length terrain/pool/priority=terrain/pool/priority_edge_length
//!variant tiles terrain/pool/priority=terrain/pool/priority_tiles
// Pass 1: every leaf that wants to be cut marks all cuts it needs with its priority; twin of terrain/src/pool/classify.rs.
// Asks for the other passes only if there is anything to do: a mark, or a diamond that nobody wants any more.

// Not zero once a slot of this workgroup has something to do.
var<workgroup> sh_pending: atomic<u32>;

// Slots of a pool whose corners are asked for before it is known which of them are live, so that memory is waited for once. In larger
// ones those of free slots would take the place of others in the device's caches.
const EARLY_SLOTS: u32 = 1u << 18u;

fn corners_of(slots: u32, slot: u32) -> array<vec2u, 3> {
    return array<vec2u, 3>(corner_of(slots, slot, 0u), corner_of(slots, slot, 1u), corner_of(slots, slot, 2u));
}

@compute @workgroup_size(BLOCK)
fn classify(@builtin(global_invocation_id) invocation: vec3u) {
    let slot = invocation.x;
    // A free slot has no heap id.
    let slots = arrayLength(&heap);
    let at = min(slot, slots - 1u);
    let id = heap[at];
    var corners: array<vec2u, 3>;
    if slots <= EARLY_SLOTS {
        corners = corners_of(slots, at);
    }
    let salt = salt_of(control.update);
    if slot != at || all(id == vec2u(0u)) {
        return;
    }
    if slots > EARLY_SLOTS {
        corners = corners_of(slots, at);
    }
    // One store a workgroup: all go to the same word.
    if classify_live(slot, id, corners, salt) && atomicExchange(&sh_pending, 1u) == 0u {
        atomicStore(&arguments[COUNT_ARGUMENTS], block_count());
    }
}

// True if the slot's bisector wants to be cut, or may be merged.
fn classify_live(slot: u32, id: vec2u, corners: array<vec2u, 3>, salt: u32) -> bool {
    let levels = depth(id);
    let face = face_of(id);
    let v0 = corners[0];
    let v1 = corners[1];
    let v2 = corners[2];
    var parent_key = 0u;
    var pending = false;
    if levels > 0u && (id.x & 1u) == 0u {
        // Child 0 = (v1, m, v0) of the parent: the parent's hypotenuse runs through our apex.
        let edge = Edge(face, v2, v1, 2u * v1 - v2);
        parent_key = key_of(bucket(slot, true, edge), parent(id), salt);
        // Whether the other parent agrees is not known yet: count finds out.
        pending = parent_key == 0u && diamond(slot).complete;
    }
    state[slot] = parent_key;
    let own = bucket(slot, false, Edge(face, v2, (v0 + v2) >> vec2u(1u), v0));
    if own >= BUCKET_SPLIT && levels < control.max_depth {
        mark_chain(slot, key_of(own, id, salt));
        pending = true;
    }
    return pending;
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
