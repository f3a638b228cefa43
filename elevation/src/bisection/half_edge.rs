//! Half-edges as device functions: what CPU and GPU compute from one source. `shaders/terrain/half_edge.wgsl` is generated from
//! this file, which a test compares.

use crate::device;

/// Edge from v0 to v1, the "left" leg.
#[device]
pub const EDGE_LEFT: u32 = 0;

/// Edge from v1 to v2, the "right" leg.
#[device]
pub const EDGE_RIGHT: u32 = 1;

/// Edge from v2 to v0, the hypotenuse; the triangle across it is the *twin* that must be cut together with this one.
#[device]
pub const EDGE_TWIN: u32 = 2;

/// The edge `edge` (0..3) of the bisector in `slot`.
#[device]
#[inline]
pub const fn half_edge(slot: u32, edge: u32) -> u32 {
    slot << 2 | edge
}

/// Pool slot of the bisector that owns the edge.
#[device]
#[inline]
pub const fn slot_of(half_edge: u32) -> u32 {
    half_edge >> 2
}

/// Which of its edges it is.
#[device]
#[inline]
pub const fn edge_of(half_edge: u32) -> u32 {
    half_edge & 3
}
