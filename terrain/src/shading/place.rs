//! Where on the cube is a pixel? What the GPU knows of one eye for that, as device functions. `shaders/terrain/shading_place.wgsl` is
//! generated from this file, which a test compares.
//!
//! Near the eye a place in f32 metres from it is far more precise than its normal: there face coordinates are a polynomial of it.

use crate::device;
use bytemuck::{Pod, Zeroable};
use glam::{IVec2, UVec2, Vec2, Vec3, Vec3Swizzles, Vec4, Vec4Swizzles};

/// Level of the coarsest tiles: their texels are as fine as the map of the whole Earth.
#[device]
pub const FIRST_LEVEL: u32 = 3;

/// Metres between texels of a tile of level 0, on average.
#[device]
pub const LEVEL_0_TEXEL_M: f32 = 39_136.0;

/// Texels along the square of a tile.
#[device]
pub const SQUARE_TEXELS: f32 = 256.0;

/// Those of its rim on each side.
#[device]
pub const RIM_TEXELS: f32 = 2.0;

/// Integer face coordinates around an eye: their first and second derivatives by metres on ECEF axes.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub struct FaceUnderEye {
    /// Of both coordinates, by x, y, z.
    pub linear: [Vec4; 2],
    /// By x^2, y^2, z^2.
    pub squares: [Vec4; 2],
    /// By xy, yz, zx.
    pub products: [Vec4; 2],
    /// Those of the eye itself.
    pub anchor: IVec2,
    /// Which face.
    pub face: u32,
    /// Metres from the eye within which they are used.
    pub near_m: f32,
}

/// What the GPU needs to find the tiles of a view.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct ShadingView {
    /// The three faces that are nearest to the eye, first the one below it.
    pub near: [FaceUnderEye; 3],
    /// Radians that a texel covers which is as large as a pixel.
    pub texel_rad: f32,
    /// Level of the finest tile that is there.
    pub deepest: u32,
    /// Fills the struct to a multiple of 16 bytes.
    pub padding: UVec2,
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

/// Integer face coordinates of a unit normal that leans to a face.
#[device]
pub fn far_place(n: Vec3, face: u32) -> UVec2 {
    let mut next = n.yz();
    let mut along = n.x;
    if face >> 1 == 1 {
        next = n.zx();
        along = n.y;
    } else if face >> 1 == 2 {
        next = n.xy();
        along = n.z;
    }
    // On far sides both are swapped.
    let gnomonic: Vec2 = if face & 1 == 0 { next / along } else { Vec2::new(next.y, next.x) / -along };
    let quarters = Vec2::new(arc_tangent(gnomonic.x), arc_tangent(gnomonic.y)) * std::f32::consts::FRAC_1_PI;
    // 1 is pi / 4, and half of the face.
    let units: Vec2 = (2.0 * quarters + 0.5).clamp(Vec2::ZERO, Vec2::ONE) * 1073741824.0;
    let u: f32 = units.x;
    let v: f32 = units.y;
    UVec2::new(u as u32, v as u32)
}

/// Change of a face coordinate at metres from the eye.
#[device]
pub fn change_at(position_m: Vec3, linear: Vec4, squares: Vec4, products: Vec4) -> f32 {
    let second = squares.xyz().dot(position_m * position_m) + products.xyz().dot(position_m * position_m.yzx());
    linear.xyz().dot(position_m) + second
}

/// Integer face coordinates of a place near the eye, metres from it.
#[device]
pub fn near_place(position_m: Vec3, under: FaceUnderEye) -> UVec2 {
    let u: f32 = change_at(position_m, under.linear[0], under.squares[0], under.products[0]);
    let v: f32 = change_at(position_m, under.linear[1], under.squares[1], under.products[1]);
    // The far edge of the face.
    let across: i32 = 1073741824;
    let at_u: i32 = (under.anchor.x + u as i32).clamp(0, across);
    let at_v: i32 = (under.anchor.y + v as i32).clamp(0, across);
    UVec2::new(at_u as u32, at_v as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        const PLACE: &str = device::module!(
            FIRST_LEVEL,
            LEVEL_0_TEXEL_M,
            SQUARE_TEXELS,
            RIM_TEXELS,
            ShadingView,
            face_at,
            far_place,
            near_place
        );
        let question = "Where on the cube is a pixel, and what is known of the eye for that?";
        crate::generated::check("shading_place.wgsl", question, "shading/place", PLACE);
    }

    #[test]
    fn texels_are_those_of_the_tiles() {
        assert_eq!(f64::from(LEVEL_0_TEXEL_M), crate::tile::posting_m(0).round());
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
