//! What do the colours of the views of the mesh mean? The ramp, and the numbers on it: `shaders/viewer/view_colours.wgsl` is
//! generated from this file, which a test compares.

use glam::{UVec2, Vec2, Vec3, Vec3Swizzles};
use kernels::device;

/// The last colour of the ramp, by number.
#[device]
const LAST_OF_RAMP: u32 = 7;

/// Colours of the ramp: red, green and blue of the picture.
#[device]
pub const RAMP: [Vec3; 8] = [
    Vec3::new(0.33, 0.16, 0.55),
    Vec3::new(0.22, 0.33, 0.78),
    Vec3::new(0.16, 0.58, 0.78),
    Vec3::new(0.20, 0.72, 0.50),
    Vec3::new(0.55, 0.80, 0.25),
    Vec3::new(0.93, 0.80, 0.22),
    Vec3::new(0.95, 0.52, 0.15),
    Vec3::new(0.80, 0.18, 0.14),
];

/// How many layers have colours of their own.
#[device]
const LAYERS: u32 = 7;

/// Colours of layers, the first on top, again and again (M. Okabe and K. Ito, 2008: told apart by everybody).
#[device]
const LAYER_COLOURS: [Vec3; 7] = [
    Vec3::new(0.90, 0.62, 0.00),
    Vec3::new(0.34, 0.71, 0.91),
    Vec3::new(0.00, 0.62, 0.45),
    Vec3::new(0.94, 0.89, 0.26),
    Vec3::new(0.00, 0.45, 0.70),
    Vec3::new(0.84, 0.37, 0.00),
    Vec3::new(0.80, 0.47, 0.65),
];

/// Colour of the last one, which is everywhere.
#[device]
const LAST_LAYER_COLOUR: Vec3 = Vec3::new(0.62, 0.64, 0.66);

/// The colour of a layer of so many.
pub fn layer_colour(layer: usize, layers: usize) -> Vec3 {
    if layer + 1 == layers { LAST_LAYER_COLOUR } else { LAYER_COLOURS[layer % LAYER_COLOURS.len()] }
}

/// Depth of a triangle at the end of the ramp.
#[device]
pub const DEEPEST: f32 = 42.0;
/// Distance there, decimal logarithm of metres.
#[device]
pub const FARTHEST_LOG10_M: f32 = 7.0;
/// Level of a tile there.
#[device]
pub const FINEST_TILE: f32 = 14.0;

/// Column and row of the tile of a level that a direction lies in, on the face of the cube that it meets.
#[device]
fn tile_of(direction: Vec3, level: u32) -> UVec2 {
    let a = direction.abs();
    let mut gnomonic: Vec2 = direction.yz() / direction.x;
    if a.y > a.x && a.y >= a.z {
        gnomonic = direction.zx() / direction.y;
    } else if a.z > a.x && a.z > a.y {
        gnomonic = direction.xy() / direction.z;
    }
    // The tangent warp, back.
    let s = Vec2::new(gnomonic.x.atan(), gnomonic.y.atan()) * (2.0 * std::f32::consts::FRAC_1_PI) + 0.5;
    (s.clamp(Vec2::ZERO, Vec2::ONE) * (1u32 << level) as f32).as_uvec2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        const COLOURS: &str = device::module!(
            LAST_OF_RAMP,
            RAMP,
            LAYERS,
            LAYER_COLOURS,
            LAST_LAYER_COLOUR,
            DEEPEST,
            FARTHEST_LOG10_M,
            FINEST_TILE,
            tile_of
        );
        let header = "// Which colours have the views of the mesh, which numbers stand at the end of their ramp, and in which tile is a direction?\n\
                      // Generated from viewer/src/render/view_colours.rs: ./x generate";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shaders/viewer/view_colours.wgsl");
        device::check_generated(path, header, COLOURS).unwrap();
    }

    /// Law: the middle of each tile lies in it, whichever face it is on: the fourth parts of a face are those of its parent.
    #[test]
    fn tiles_are_those_of_the_cube() {
        for face in 0..6 {
            for level in 0..9 {
                let tiles = f64::from(1u32 << level);
                for at in [0, (1 << level) / 3, (1 << level) - 1] {
                    let part = |tile: u32| (f64::from(tile) + 0.5) / tiles * 2.0 - 1.0;
                    let direction = terrain::cube::face_normal(face, part(at), part((1 << level) - 1 - at));
                    let found = tile_of(direction.as_vec3(), level);
                    // Faces of negative axes are turned.
                    let turned = |tile: u32| [tile, (1 << level) - 1 - tile];
                    let wanted = turned(at).into_iter().zip(turned((1 << level) - 1 - at));
                    let either = wanted.flat_map(|(x, y)| [UVec2::new(x, y), UVec2::new(y, x)]);
                    assert!(either.into_iter().any(|tile| tile == found), "{face} {level} {at}: {found}");
                }
            }
        }
    }

    /// Law: the ends that the shader draws with are on the legend's ramp, and layers have the colours that it takes.
    #[test]
    fn the_legend_is_that_of_the_shader() {
        assert_eq!((RAMP.len(), LAYER_COLOURS.len()), (LAST_OF_RAMP as usize + 1, LAYERS as usize));
        let colours = [layer_colour(8, 9), layer_colour(7, 9), layer_colour(0, 1)];
        assert_eq!(colours, [LAST_LAYER_COLOUR, LAYER_COLOURS[0], LAST_LAYER_COLOUR]);
    }
}
