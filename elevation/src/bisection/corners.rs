//! Corners of bisectors as device functions: what CPU and GPU compute from one source. `shaders/terrain/bisection.wgsl` is
//! generated from this file and `cube/face.rs`, which a test compares.

use super::heap_id::{depth, root_of};
use crate::cube::face::{FacePoint, ONE};
use crate::device;
use glam::UVec2;

/// Corners (v0, v1, v2) on the face of the bisector's root, right angle at v1, counter-clockwise seen from outside.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Corners {
    /// The first acute corner.
    pub v0: UVec2,
    /// The right-angle corner.
    pub v1: UVec2,
    /// The second acute corner.
    pub v2: UVec2,
}

/// Exact middle of two corners, between which there is an integer point.
#[device]
#[inline]
pub fn middle(a: UVec2, b: UVec2) -> UVec2 {
    (a + b) >> 1
}

/// Roots 2 f and 2 f + 1 are the halves of face f on its diagonal (1, 0)-(0, 1).
#[device]
#[inline]
pub fn root_corners(root: u32) -> Corners {
    if root & 1 == 0 {
        Corners { v0: UVec2::new(0, ONE), v1: UVec2::ZERO, v2: UVec2::new(ONE, 0) }
    } else {
        Corners { v0: UVec2::new(ONE, 0), v1: UVec2::new(ONE, ONE), v2: UVec2::new(0, ONE) }
    }
}

/// Child 0 = (v1, m, v0) or child 1 = (v2, m, v1), where m is the middle of the hypotenuse.
#[device]
#[inline]
pub fn child_corners(t: Corners, b: u32) -> Corners {
    let m = middle(t.v0, t.v2);
    if b == 0 { Corners { v0: t.v1, v1: m, v2: t.v0 } } else { Corners { v0: t.v2, v1: m, v2: t.v1 } }
}

/// Corners of the bisector, decoded from the root down.
#[device]
pub fn corners(id: u64) -> Corners {
    let mut t: Corners = root_corners(root_of(id));
    for level in (0u32..depth(id)).rev() {
        t = child_corners(t, (id >> level) as u32 & 1);
    }
    t
}

/// The edge whose bisection inserts a vertex: its two ends on the face of the vertex. It does not exist for the corners of the
/// cube, which no bisection inserts.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BisectedEdge {
    /// False for the corners of the cube.
    pub exists: bool,
    /// One end.
    pub start: FacePoint,
    /// The other end.
    pub end: FacePoint,
}

/// The edge that a vertex bisects, of a vertex on its lowest face.
///
/// With `s` the largest power of two that divides both face coordinates, a vertex is either the centre of a cell of side 2s,
/// where it cuts the cell's diagonal, or the middle of a cell's side.
#[device]
#[inline]
pub fn bisected_edge(p: FacePoint) -> BisectedEdge {
    let power_u: u32 = p.u.trailing_zeros().min(30);
    let power_v: u32 = p.v.trailing_zeros().min(30);
    let k = power_u.min(power_v);
    if k >= 30 {
        return BisectedEdge { exists: false, start: p, end: p };
    }
    let s = 1u32 << k;
    let mut start = UVec2::new(p.u, p.v);
    let mut end = start;
    if power_u <= power_v {
        start.x -= s;
        end.x += s;
    }
    if power_v < power_u {
        start.y -= s;
        end.y += s;
    }
    if power_u == power_v {
        // Diagonals alternate like a chessboard, except the one of the whole face.
        let odd = ((p.u - s) >> (k + 1) ^ (p.v - s) >> (k + 1)) & 1;
        if odd == 1 || 2 * s == ONE {
            start.y += s;
            end.y -= s;
        } else {
            start.y -= s;
            end.y += s;
        }
    }
    BisectedEdge {
        exists: true,
        start: FacePoint { face: p.face, u: start.x, v: start.y },
        end: FacePoint { face: p.face, u: end.x, v: end.y },
    }
}

/// Depth of the bisectors that have a vertex on its lowest face as their right-angle corner.
///
/// The lower power of two in the two coordinates tells the side of the square whose middle (both have it) or whose edge's
/// middle (one has it) the vertex is.
#[device]
#[inline]
pub fn birth_depth(p: FacePoint) -> u32 {
    let power_u: u32 = p.u.trailing_zeros().min(30);
    let power_v: u32 = p.v.trailing_zeros().min(30);
    let halvings = 30 - power_u.min(power_v);
    if halvings > 0 && power_u == power_v { 2 * halvings - 1 } else { 2 * halvings }
}
