//!import cbt/edit
//!import terrain/heap_id
//!import terrain/half_edge
//!import terrain/pool/buffers
//!import terrain/pool/plan_word
//!variant tree cbt/layout=cbt/compact/layout cbt/storage=cbt/compact/read_write
// Pass 5: new heap ids, new half-edges, new bits; twin of terrain/src/pool/commit.rs. The tree's sums want a reduction afterwards.

// Which end of an old half-edge is asked for.
const START: u32 = 0u;
const FINISH: u32 = 1u;

// The slots of a splitting bisector's leaves: itself, and one per pattern bit (unused ones are the slot itself).
struct ChildSlots {
    own: u32,
    center: u32,
    left: u32,
    right: u32,
}

@compute @workgroup_size(BLOCK)
fn commit(@builtin(global_invocation_id) invocation: vec3u) {
    let slot = invocation.x;
    if slot >= control.capacity {
        return;
    }
    let plan = state[slot];
    if (plan & DEAD) != 0u {
        return;
    }
    if (plan & PATTERN) != 0u {
        commit_split(slot, plan);
    } else if (plan & MERGE) != 0u {
        if (plan & ODD) != 0u {
            heap[slot] = vec2u(0u);
            cbt_clear_bit(slot);
        } else {
            commit_merge(slot);
        }
    } else {
        for (var edge = 0u; edge < 3u; edge++) {
            let old = neighbour(slot, edge);
            let now = successor(old, START);
            if now != old {
                set_neighbour(slot, edge, now);
            }
        }
    }
}

// The half-edge that owns, after the update, the part of an old half-edge next to its start or its finish.
fn successor(old: u32, end: u32) -> u32 {
    let slot = slot_of(old);
    let plan = state[slot];
    if (plan & MERGE) != 0u && (plan & PATTERN) == 0u {
        // Only hypotenuses of a diamond's members face the outside: they become the parent's legs.
        if (plan & ODD) != 0u {
            return half_edge(slot_of(neighbour(slot, EDGE_RIGHT)), EDGE_RIGHT);
        }
        return half_edge(slot, EDGE_LEFT);
    }
    if (plan & PATTERN) == 0u {
        return old;
    }
    let slots = child_slots_of(slot, plan);
    let left = (plan & CUT_LEFT) != 0u;
    let right = (plan & CUT_RIGHT) != 0u;
    switch edge_of(old) {
        case 0u: {
            if !left {
                return half_edge(slots.own, 2u);
            }
            return select(half_edge(slots.own, 1u), half_edge(slots.left, 0u), end == START);
        }
        case 1u: {
            if !right {
                return half_edge(slots.center, 2u);
            }
            return select(half_edge(slots.center, 1u), half_edge(slots.right, 0u), end == START);
        }
        default: {
            if end == START {
                return half_edge(slots.center, select(0u, 2u, right));
            }
            return select(half_edge(slots.own, 1u), half_edge(slots.left, 2u), left);
        }
    }
}

fn child_slots_of(slot: u32, plan: u32) -> ChildSlots {
    var slots = ChildSlots(slot, slot, slot, slot);
    if (plan & CUT) != 0u {
        slots.center = new_slot(slot, plan, CUT);
    }
    if (plan & CUT_LEFT) != 0u {
        slots.left = new_slot(slot, plan, CUT_LEFT);
    }
    if (plan & CUT_RIGHT) != 0u {
        slots.right = new_slot(slot, plan, CUT_RIGHT);
    }
    return slots;
}

fn commit_split(slot: u32, plan: u32) {
    let id = heap[slot];
    let n0 = neighbour(slot, 0u);
    let n1 = neighbour(slot, 1u);
    let n2 = neighbour(slot, 2u);
    let slots = child_slots_of(slot, plan);
    let cut_left = (plan & CUT_LEFT) != 0u;
    let cut_right = (plan & CUT_RIGHT) != 0u;
    // The two sides of the new internal edge v1-m.
    let inner_left = half_edge(slots.own, select(0u, 2u, cut_left));
    let inner_right = select(half_edge(slots.center, 1u), half_edge(slots.right, 2u), cut_right);
    // Opposite halves run the other way: what is next to my start is next to their finish.
    let child0 = child(id, 0u);
    let child1 = child(id, 1u);
    let v0 = corner(slot, 0u);
    let v1 = corner(slot, 1u);
    let v2 = corner(slot, 2u);
    let m = (v0 + v2) >> vec2u(1u);
    if cut_left {
        let middle = (v0 + v1) >> vec2u(1u);
        put(slots.own, child(child0, 0u), half_edge(slots.left, 1u), successor(n0, START), inner_right);
        set_corners(slots.own, m, middle, v1);
        put(slots.left, child(child0, 1u), successor(n0, FINISH), half_edge(slots.own, 0u), successor(n2, START));
        set_corners(slots.left, v0, middle, m);
    } else {
        put(slots.own, child0, inner_right, successor(n2, START), successor(n0, START));
        set_corners(slots.own, v1, m, v0);
    }
    if cut_right {
        let middle = (v1 + v2) >> vec2u(1u);
        put(slots.center, child(child1, 0u), half_edge(slots.right, 1u), successor(n1, START), successor(n2, FINISH));
        set_corners(slots.center, m, middle, v2);
        put(slots.right, child(child1, 1u), successor(n1, FINISH), half_edge(slots.center, 0u), inner_left);
        set_corners(slots.right, v1, middle, m);
    } else {
        put(slots.center, child1, successor(n2, FINISH), inner_left, successor(n1, START));
        set_corners(slots.center, v2, m, v1);
    }
}

// The even child `p0` of a merging diamond becomes its parent again, in the slot the parent had.
fn commit_merge(p0: u32) {
    let p1 = slot_of(neighbour(p0, EDGE_LEFT));
    let q0 = slot_of(neighbour(p1, EDGE_LEFT));
    let leg0 = successor(neighbour(p0, EDGE_TWIN), START);
    let leg1 = successor(neighbour(p1, EDGE_TWIN), START);
    // Child 0 = (v1, m, v0) and child 1 = (v2, m, v1) of the parent.
    let v1 = corner(p0, 0u);
    let v0 = corner(p0, 2u);
    let v2 = corner(p1, 0u);
    put(p0, parent(heap[p0]), leg0, leg1, half_edge(q0, EDGE_TWIN));
    set_corners(p0, v0, v1, v2);
}

fn put(slot: u32, id: vec2u, n0: u32, n1: u32, n2: u32) {
    heap[slot] = id;
    set_neighbour(slot, 0u, n0);
    set_neighbour(slot, 1u, n1);
    set_neighbour(slot, 2u, n2);
    cbt_set_bit(slot);
}
