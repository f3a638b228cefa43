//!import terrain/half_edge
//!import terrain/pool/buffers
// Which leaves can be merged without a T-junction? Four round a vertex, two sibling pairs.

struct Diamond {
    complete: bool,
    // Slots of the children of one parent and of the other, even child first.
    p0: u32,
    p1: u32,
    q0: u32,
    q1: u32,
}

// The diamond of the even child in slot p0, which is not a root. Complete iff each left leg meets a right leg: a
// hypotenuse says that a member is subdivided further.
fn diamond(p0: u32) -> Diamond {
    let to_p1 = neighbour(p0, EDGE_LEFT);
    let p1 = slot_of(to_p1);
    if edge_of(to_p1) != EDGE_RIGHT {
        return Diamond(false, p0, p1, p0, p0);
    }
    let to_q0 = neighbour(p1, EDGE_LEFT);
    let q0 = slot_of(to_q0);
    if edge_of(to_q0) != EDGE_RIGHT {
        return Diamond(false, p0, p1, q0, p0);
    }
    let to_q1 = neighbour(q0, EDGE_LEFT);
    return Diamond(edge_of(to_q1) == EDGE_RIGHT, p0, p1, q0, slot_of(to_q1));
}
