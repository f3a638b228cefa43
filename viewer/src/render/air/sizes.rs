//! How large are the tables of the air that shaders read, and what do they span? `shaders/viewer/air_sizes.wgsl` is generated
//! from this file, which a test compares.

use glam::Vec3;
use kernels::device;

/// Texels of the table of the view by azimuth to the sun.
#[device]
pub const VIEW_AZIMUTHS: u32 = 32;
/// The same by zenith angle, half of them below the horizon.
#[device]
pub const VIEW_ZENITHS: u32 = 64;

/// Texels of the light on the ground by the sun's zenith angle.
#[device]
pub const LIGHT_SUNS: u32 = 128;
/// The same by height.
#[device]
pub const LIGHT_HEIGHTS: u32 = 4;
/// Cosine of the sun's zenith angle in the first column: deep twilight.
#[device]
pub const LOWEST_SUN_COS: f32 = -0.25;
/// Height of the last row, metres.
#[device]
pub const HIGHEST_LIGHT_M: f32 = 12_000.0;
/// Colour of the sky's light, green 1.
#[device]
pub const SKY_COLOUR: Vec3 = Vec3::new(0.6, 1.0, 1.9);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        const SIZES: &str = device::module!(
            VIEW_AZIMUTHS,
            VIEW_ZENITHS,
            LIGHT_SUNS,
            LIGHT_HEIGHTS,
            LOWEST_SUN_COS,
            HIGHEST_LIGHT_M,
            SKY_COLOUR
        );
        let header = "// How large are the tables of the air, and what do they span?\n\
                      // Generated from viewer/src/render/air/sizes.rs: ./x generate";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shaders/viewer/air_sizes.wgsl");
        device::check_generated(path, header, SIZES).unwrap();
    }
}
