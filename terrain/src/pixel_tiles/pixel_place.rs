//! Where on the cube is a pixel? What the GPU knows of one eye for that, as device functions. `shaders/terrain/pixel_place.wgsl` is
//! generated from this file, which a test compares.
//!
//! Near the eye a place in f32 metres from it is far more precise than its normal: there face coordinates are told by angles from the
//! eye's.

use crate::device;
use bytemuck::{Pod, Zeroable};
use glam::{IVec2, IVec4, UVec2, Vec3, Vec3Swizzles, Vec4, Vec4Swizzles};

/// Metres between texels of a tile of level 0, on average.
#[device]
pub const LEVEL_0_TEXEL_M: f32 = 39_136.0;

/// Texels along the square of a tile.
#[device]
pub const SQUARE_TEXELS: f32 = 256.0;

/// Those of its rim on each side.
#[device]
pub const RIM_TEXELS: f32 = 2.0;

/// What the GPU needs to find the tiles of a view.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct PixelView {
    /// Unit geodetic normal at the eye; metres from the eye within which places are told from it.
    pub up: Vec4,
    /// Change of a normal by metres across the axis of the Earth (x) and along it (y), the latter's by metres of height and of z (z); z of
    /// the eye in metres (w). See `normal_change`.
    pub change: Vec4,
    /// The eye's integer coordinates on the face of each axis that is nearer to it, as x and y.
    pub anchors: [IVec4; 3],
    /// Radians that a texel covers which is as large as a pixel.
    pub texel_rad: f32,
    /// Level of the finest tile that is there.
    pub deepest: u32,
    /// Level of the coarsest tiles.
    pub first: u32,
    /// Fills the struct to a multiple of 16 bytes.
    pub padding: u32,
}

/// The face that a unit normal leans to most.
#[device]
pub fn face_at(n: Vec3) -> u32 {
    let a = n.abs();
    let mut axis: u32 = 2;
    let mut along = n.z;
    if a.x >= a.y && a.x >= a.z {
        axis = 0;
        along = n.x;
    } else if a.y >= a.z {
        axis = 1;
        along = n.y;
    }
    if along < 0.0 { 2 * axis + 1 } else { 2 * axis }
}

/// Arc tangent of a number from -1 to 1: the builtin's precision is not specified. Its power series, of less than tan(pi/8).
#[device]
pub fn arc_tangent(x: f32) -> f32 {
    let a = x.abs();
    let is_large = a > 0.414_213_57;
    let y: f32 = if is_large { (a - 1.0) / (a + 1.0) } else { a };
    let z = y * y;
    let first = 1.0 + z * (-1.0 / 3.0 + z * (1.0 / 5.0 + z * (-1.0 / 7.0 + z * (1.0 / 9.0))));
    let rest = z * z * z * z * z * (-1.0 / 11.0 + z * (1.0 / 13.0 + z * (-1.0 / 15.0)));
    let start: f32 = if is_large { std::f32::consts::FRAC_PI_4 } else { 0.0 };
    let angle = start + y * (first + rest);
    if x < 0.0 { -angle } else { angle }
}

/// How far a vector along the normal of a place is from that of the eye, which has length 1: without the rounding of a normal.
///
/// Geodetic normals are along `(x, y, s z)` with `s = (v + h) / ((1 - e^2) v + h)`, where v is the radius of curvature across the meridian
/// and h the height. From the eye on s changes by the height alone: v changes it by e^2 h / v as much.
#[device]
pub fn normal_change(position_m: Vec3, view: PixelView) -> Vec3 {
    let up = view.up.xyz();
    let along_m = up.dot(position_m);
    // The ground bends away.
    let rise_m = along_m + 0.5 * view.change.x * (position_m.dot(position_m) - along_m * along_m);
    let stretch = view.change.z * rise_m * (1.0 - view.change.y * rise_m) * (view.change.w + position_m.z);
    Vec3::new(position_m.x * view.change.x, position_m.y * view.change.x, position_m.z * view.change.y + stretch)
}

/// Integer coordinates on a face of a place in metres from the eye, whose unit normal leans to it: by angles from the eye's normal where it
/// is near, from the middle of the face elsewhere.
#[device]
pub fn face_place(position_m: Vec3, n: Vec3, face: u32, view: PixelView) -> UVec2 {
    let axis = face >> 1;
    let is_far_side = face & 1 == 1;
    let side: f32 = if is_far_side { -1.0 } else { 1.0 };
    // First along the axis of the face, then along the two after it.
    let mut turned = n;
    let mut up = view.up.xyz();
    let mut change = normal_change(position_m, view);
    let mut anchor = IVec2::new(view.anchors[0].x, view.anchors[0].y);
    if axis == 1 {
        turned = turned.yzx();
        up = up.yzx();
        change = change.yzx();
        anchor = IVec2::new(view.anchors[1].x, view.anchors[1].y);
    }
    if axis == 2 {
        turned = turned.zxy();
        up = up.zxy();
        change = change.zxy();
        anchor = IVec2::new(view.anchors[2].x, view.anchors[2].y);
    }
    if position_m.dot(position_m) >= view.up.w * view.up.w {
        up = Vec3::new(side, 0.0, 0.0);
        change = turned - up;
        anchor = IVec2::new(536870912, 536870912);
    }
    let across = up.yz() * change.x;
    let both = up.x * (up.x + change.x) + up.yz() * (up.yz() + change.yz());
    let tangents = (change.yz() * up.x - across) / both;
    // 2^30 over a right angle.
    let quarter: f32 = 683565275.6;
    let u: f32 = arc_tangent(tangents.x) * quarter;
    let v: f32 = arc_tangent(tangents.y) * quarter;
    // On far sides both are swapped.
    let by_u: i32 = if is_far_side { -(v as i32) } else { u as i32 };
    let by_v: i32 = if is_far_side { -(u as i32) } else { v as i32 };
    // The far edge of the face.
    let last: i32 = 1073741824;
    let at_u: i32 = (anchor.x + by_u).clamp(0, last);
    let at_v: i32 = (anchor.y + by_v).clamp(0, last);
    UVec2::new(at_u as u32, at_v as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geodesy::Ellipsoid;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        const PLACE: &str = device::module!(LEVEL_0_TEXEL_M, SQUARE_TEXELS, RIM_TEXELS, PixelView, face_at, face_place);
        let question = "Where on the cube is a pixel, and what is known of the eye for that?";
        crate::generated::check("pixel_place.wgsl", question, "pixel_tiles/pixel_place", PLACE);
    }

    #[test]
    fn texels_are_those_of_the_tiles() {
        assert_eq!(f64::from(LEVEL_0_TEXEL_M), crate::tile::posting_m(Ellipsoid::WGS84, 0).round());
        assert_eq!((SQUARE_TEXELS as u32, RIM_TEXELS as u32), (crate::tile::TILE_QUADS, crate::shading_tile::RIM));
    }

    /// Law: the arc tangent is that of f64 to two units in the last place of its largest value.
    #[test]
    fn arc_tangents_are_precise() {
        for i in -20_000..=20_000 {
            let x = i as f32 / 20_000.0;
            let off = f64::from(arc_tangent(x)) - f64::from(x).atan();
            assert!(off.abs() < 1.3e-7, "{x}: {off}");
        }
    }
}
