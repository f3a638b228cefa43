//! What the GPU knows of one eye, and what it makes of face coordinates, as device functions. `shaders/terrain/place.wgsl` is
//! generated from this file, which a test compares. In f32, for the GPU alone: the CPU places in f64.

use crate::device;
use bytemuck::{Pod, Zeroable};
use glam::{UVec2, Vec2, Vec3, Vec4, Vec4Swizzles};

use crate::{
    cube::{FacePoint, ONE},
    geodesy::single::{AXIS_RATIO_SQUARED, SEMI_MAJOR_M},
};

/// One face of the cube as the GPU reads it.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct FaceExpansion {
    /// Position at the base height minus eye, metres: coefficients of 1, x, y, x^2, xy, y^2, x^3, x^2 y, x y^2, y^3, offsets
    /// in units of half a face.
    pub position: [Vec4; 10],
    /// Unit geodetic normal, likewise.
    pub normal: [Vec4; 10],
    /// Integer face coordinates of the anchor.
    pub anchor: UVec2,
    /// Offset in integer units up to which the expansion is used.
    pub reach: u32,
    /// Fills the struct to a multiple of 16 bytes.
    pub padding: u32,
}

/// What the GPU needs to place vertices for one eye.
///
/// ```
/// use terrain::{cube::face_of, expansion::PlanetView, geodesy::{Ellipsoid, Geodetic}};
/// let eye = Geodetic::from_degrees(46.0, 8.0, 1_000.0);
/// let view = PlanetView::at_base(Ellipsoid::WGS84, eye.to_ecef(Ellipsoid::WGS84), 250.0);
/// // The anchor of the face below the eye is straight below it, at the base height.
/// let face = &view.faces[face_of(eye.normal()).0 as usize];
/// let below_m = face.position[0].truncate();
/// assert!((below_m.as_dvec3() + 750.0 * eye.normal()).length() < 0.01);
/// ```
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct PlanetView {
    /// The six faces.
    pub faces: [FaceExpansion; 6],
    /// Eye, ECEF metres, for vertices far away.
    pub eye_m: Vec3,
    /// Height of positions that are given without one, metres above the ellipsoid.
    pub base_m: f32,
    /// What heights of texels are multiplied by: [`height_scale`](crate::tile::height_scale).
    pub height_scale: f32,
    /// Fills the struct, with the next one, to a multiple of 16 bytes.
    pub padding: u32,
    /// See there.
    pub more_padding: UVec2,
}

/// Sum of the terms of an expansion, small ones first.
#[device]
pub fn cubic(offset: Vec2, terms: [Vec4; 10]) -> Vec3 {
    let x = offset.x;
    let y = offset.y;
    let cubes: Vec4 = x * (x * (x * terms[6] + y * terms[7]) + y * y * terms[8]) + y * y * y * terms[9];
    let squares: Vec4 = x * (x * terms[3] + y * terms[4]) + y * y * terms[5];
    let sum: Vec4 = terms[0] + ((x * terms[1] + y * terms[2]) + (squares + cubes));
    sum.xyz()
}

/// tan(pi/4 s) of an integer face coordinate, as the quotient of the Taylor polynomials of sine and cosine: on |x| <= pi/4
/// they are exact to f32.
#[device]
pub fn warp(i: u32) -> f32 {
    let middle: u32 = ONE / 2;
    let offset = i as i32 - middle as i32;
    let x: f32 = offset as f32 * (std::f32::consts::FRAC_PI_2 / 1073741824.0);
    let z = x * x;
    let sine = x * (1.0 + z * (-1.0 / 6.0 + z * (1.0 / 120.0 + z * (-1.0 / 5040.0 + z * (1.0 / 362880.0)))));
    let cosine =
        1.0 + z * (-0.5 + z * (1.0 / 24.0 + z * (-1.0 / 720.0 + z * (1.0 / 40320.0 + z * (-1.0 / 3628800.0)))));
    sine / cosine
}

/// Unit geodetic normal of face coordinates.
#[device]
pub fn normal_of(p: FacePoint) -> Vec3 {
    let u = warp(p.u);
    let v = warp(p.v);
    let axis: u32 = p.face >> 1;
    let next: u32 = (axis + 1) % 3;
    let last: u32 = (axis + 2) % 3;
    let mut direction = Vec3::ZERO;
    if p.face & 1 == 0 {
        direction[axis as usize] = 1.0;
        direction[next as usize] = u;
        direction[last as usize] = v;
    } else {
        direction[axis as usize] = -1.0;
        direction[last as usize] = u;
        direction[next as usize] = v;
    }
    direction.normalize()
}

/// Point of the ellipsoid with a unit geodetic normal, ECEF metres.
#[device]
pub fn ellipsoid_m(normal: Vec3) -> Vec3 {
    let scaled = normal * Vec3::new(1.0, 1.0, AXIS_RATIO_SQUARED);
    scaled * (SEMI_MAJOR_M / scaled.dot(normal).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{cube::FACES, geodesy};

    #[test]
    fn the_shader_is_what_this_file_generates() {
        const PLACE: &str = device::module!(PlanetView, cubic, warp, normal_of, ellipsoid_m);
        let question = "What is known of the eye, and where are face coordinates, in f32? No builtin tan: its precision is not specified.";
        crate::generated::check("place.wgsl", question, "expansion/place", PLACE);
    }

    /// Law: the normal is that of f64 to three units in the last place, the point to a metre in six million.
    #[test]
    fn places_are_those_of_f64() {
        for i in 0..60_000u32 {
            let coordinate = |salt: u32| crate::key_words::mix32(2 * i + salt) >> 2;
            let p = FacePoint { face: i % FACES, u: coordinate(0), v: coordinate(1) };
            let exact = p.point().normal();
            let normal = normal_of(p);
            assert!((normal.as_dvec3() - exact).length() < 3.0 * f64::from(f32::EPSILON), "{p:?}");
            assert!(
                (ellipsoid_m(normal).as_dvec3() - geodesy::Ellipsoid::WGS84.ecef(exact, 0.0)).length() < 2.0,
                "{p:?}"
            );
        }
    }
}
