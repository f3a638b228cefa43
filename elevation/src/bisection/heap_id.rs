//! Heap ids as device functions: what CPU and GPU compute from one source. `shaders/terrain/heap_id.wgsl` is generated from this
//! file, which a test compares.

use crate::device;

/// Deepest bisector whose id fits 64 bits and whose own midpoint is still an exact integer point.
#[device]
pub const MAX_DEPTH: u32 = 58;

/// Number of bisections from the root; 0 for numbers below 16, which name no bisector.
#[device]
#[inline]
pub const fn depth(id: u64) -> u32 {
    59u32.wrapping_sub(if id < 16 { 59 } else { id.leading_zeros() })
}

/// The bisector that was cut to make this one.
#[device]
#[inline]
pub const fn parent(id: u64) -> u64 {
    id >> 1
}

/// Child 0 or 1.
#[device]
#[inline]
pub const fn child(id: u64, b: u32) -> u64 {
    id << 1 | b as u64
}

/// True for child 1 of a parent, false for child 0 and for roots.
#[device]
#[inline]
pub const fn is_odd_child(id: u64) -> bool {
    depth(id) > 0 && id as u32 & 1 == 1
}

/// The order of ids as numbers.
#[device]
#[inline]
pub const fn is_below(a: u64, b: u64) -> bool {
    a < b
}

/// The root it descends from.
#[device]
#[inline]
pub const fn root_of(id: u64) -> u32 {
    (id >> depth(id)) as u32 - 16
}

/// Face of the cube that the bisector lies on.
#[device]
#[inline]
pub const fn face_of(id: u64) -> u32 {
    root_of(id) >> 1
}

/// The id without its leading bit, moved up: root in the top four bits, then the path, then zeros. Ids in this order are the
/// leaves of the bisection from first to last.
#[device]
#[inline]
pub const fn left_aligned(id: u64) -> u64 {
    id << (60 - depth(id))
}
