//! Points of the integer cube as device functions: what CPU and GPU compute from one source, with which
//! `shaders/terrain/bisection.wgsl` begins.

use crate::device;
use glam::UVec3;

/// Integer coordinate of the far side of the cube: 2^30 units per edge, about 9.3 mm on the Earth.
#[device]
pub const ONE: u32 = 1 << 30;

/// A point by face and integer face coordinates, each 0 ..= `ONE`.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, bytemuck::Pod, bytemuck::Zeroable)]
pub struct FacePoint {
    /// Face `2 axis + side`: axis 0..3 for x, y, z; side 0 where that coordinate is `ONE`, 1 where it is 0.
    pub face: u32,
    /// First face coordinate.
    pub u: u32,
    /// Second face coordinate.
    pub v: u32,
}

/// Cube point of face coordinates.
#[device]
#[inline]
pub fn cube_point(p: FacePoint) -> UVec3 {
    let axis: u32 = p.face >> 1;
    let next: u32 = (axis + 1) % 3;
    let last: u32 = (axis + 2) % 3;
    let mut point = UVec3::ZERO;
    if p.face & 1 == 0 {
        point[axis as usize] = ONE;
        point[next as usize] = p.u;
        point[last as usize] = p.v;
    } else {
        point[last as usize] = p.u;
        point[next as usize] = p.v;
    }
    point
}

/// Whether the point lies on the face.
#[device]
#[inline]
pub fn is_on(point: UVec3, face: u32) -> bool {
    let side: u32 = if face & 1 == 0 { ONE } else { 0 };
    point[(face >> 1) as usize] == side
}

/// The coordinates of a point on a face that it lies on.
#[device]
#[inline]
pub fn on(point: UVec3, face: u32) -> FacePoint {
    let axis = face >> 1;
    let next = point[((axis + 1) % 3) as usize];
    let last = point[((axis + 2) % 3) as usize];
    if face & 1 == 0 { FacePoint { face, u: next, v: last } } else { FacePoint { face, u: last, v: next } }
}

/// The lowest face that contains the point, with its coordinates there.
#[device]
#[inline]
pub fn on_face(point: UVec3) -> FacePoint {
    for face in 0u32..6 {
        if is_on(point, face) {
            return on(point, face);
        }
    }
    FacePoint { face: 0, u: 0, v: 0 }
}

/// The same point on the lowest face that holds it.
#[device]
#[inline]
pub fn canonical(p: FacePoint) -> FacePoint {
    if p.u > 0 && p.u < ONE && p.v > 0 && p.v < ONE {
        return p;
    }
    on_face(cube_point(p))
}
