// What is a bisector's path? 64-bit heap ids as vec2u(low word, high word): root r is 16 + r, child b of h is 2 h + b.

const MAX_DEPTH: u32 = 58u;

fn depth(id: vec2u) -> u32 {
    return select(firstLeadingBit(id.x), 32u + firstLeadingBit(id.y), id.y != 0u) - 4u;
}

fn parent(id: vec2u) -> vec2u {
    return vec2u(id.x >> 1u | id.y << 31u, id.y >> 1u);
}

fn child(id: vec2u, b: u32) -> vec2u {
    return vec2u(id.x << 1u | b, id.y << 1u | id.x >> 31u);
}

fn is_odd_child(id: vec2u) -> bool {
    return depth(id) > 0u && (id.x & 1u) == 1u;
}

fn is_below(a: vec2u, b: vec2u) -> bool {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

// Face of the cube that the bisector lies on.
fn face_of(id: vec2u) -> u32 {
    return (ancestor_bits(id, depth(id)) - 16u) >> 1u;
}

// Low word of the id shifted right.
fn ancestor_bits(id: vec2u, by: u32) -> u32 {
    if by == 0u {
        return id.x;
    }
    if by < 32u {
        return id.x >> by | id.y << (32u - by);
    }
    return id.y >> (by - 32u);
}

// The id without its leading bit, moved up: root in the top four bits, then the path, then zeros. Ids in this order are the
// leaves of the bisection from first to last.
fn left_aligned(id: vec2u) -> vec2u {
    // 2 to 60: the leading bit leaves at the top.
    let by = 60u - depth(id);
    if by < 32u {
        return vec2u(id.x << by, id.y << by | id.x >> (32u - by));
    }
    return vec2u(0u, id.x << (by - 32u));
}
