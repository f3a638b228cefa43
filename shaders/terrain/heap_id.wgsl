// What is a bisector's path? 64-bit heap ids as vec2u(low word, high word): root r is 16 + r, child b of h is 2 h + b.
// Generated from elevation/src/bisection/heap_id.rs: ./x generate

//!once elevation::bisection::heap_id::MAX_DEPTH
// Deepest bisector whose id fits 64 bits and whose own midpoint is still an exact integer point.
const MAX_DEPTH: u32 = 58u;
//!end

//!once kernels::device::u64_less
// `a < b` of low and high word.
fn u64_less(a: vec2u, b: vec2u) -> bool {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}
//!end

//!once kernels::device::u64_leading_zeros
// Zeros above the highest set bit of low and high word; 64 of zero.
fn u64_leading_zeros(value: vec2u) -> u32 {
    return select(countLeadingZeros(value.y), 32u + countLeadingZeros(value.x), value.y == 0u);
}
//!end

//!once elevation::bisection::heap_id::depth
// Number of bisections from the root; 0 for numbers below 16, which name no bisector.
fn depth(id: vec2u) -> u32 {
    return 59u - select(u64_leading_zeros(id), 59u, u64_less(id, vec2u(0x10u, 0x0u)));
}
//!end

//!once kernels::device::u64_shr
// `value >> by` of low and high word, by less than 64.
fn u64_shr(value: vec2u, by: u32) -> vec2u {
    let part = by & 31u;
    let high = value.y >> part;
    // A shift by 32 in two, where `part` is 0.
    let low = (value.x >> part) | ((value.y << 1u) << (31u - part));
    return select(vec2u(low, high), vec2u(high, 0u), by >= 32u);
}
//!end

//!once elevation::bisection::heap_id::parent
// The bisector that was cut to make this one.
fn parent(id: vec2u) -> vec2u {
    return u64_shr(id, 1u);
}
//!end

//!once kernels::device::u64_shl
// `value << by` of low and high word, by less than 64.
fn u64_shl(value: vec2u, by: u32) -> vec2u {
    let part = by & 31u;
    let low = value.x << part;
    // A shift by 32 in two, where `part` is 0.
    let high = (value.y << part) | ((value.x >> 1u) >> (31u - part));
    return select(vec2u(low, high), vec2u(0u, low), by >= 32u);
}
//!end

//!once elevation::bisection::heap_id::child
// Child 0 or 1.
fn child(id: vec2u, b: u32) -> vec2u {
    return u64_shl(id, 1u) | vec2u(b, 0u);
}
//!end

//!once elevation::bisection::heap_id::is_odd_child
// True for child 1 of a parent, false for child 0 and for roots.
fn is_odd_child(id: vec2u) -> bool {
    return depth(id) > 0 && (id.x & 1u) == 1u;
}
//!end

//!once elevation::bisection::heap_id::is_below
// The order of ids as numbers.
fn is_below(a: vec2u, b: vec2u) -> bool {
    return u64_less(a, b);
}
//!end

//!once elevation::bisection::heap_id::root_of
// The root it descends from.
fn root_of(id: vec2u) -> u32 {
    return u64_shr(id, u32(depth(id))).x - 16u;
}
//!end

//!once elevation::bisection::heap_id::face_of
// Face of the cube that the bisector lies on.
fn face_of(id: vec2u) -> u32 {
    return root_of(id) >> 1u;
}
//!end

//!once elevation::bisection::heap_id::left_aligned
// The id without its leading bit, moved up: root in the top four bits, then the path, then zeros. Ids in this order are the
// leaves of the bisection from first to last.
fn left_aligned(id: vec2u) -> vec2u {
    return u64_shl(id, u32(60 - depth(id)));
}
//!end
