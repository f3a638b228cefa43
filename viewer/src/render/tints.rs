//! Which colours have steepness, aspect and hours of sun? `shaders/viewer/tints.wgsl` is generated from this file, which a test compares.

use glam::{Vec2, Vec3};
use kernels::device;

/// Colour in linear light of ground that rises `steepness` metres a metre: green is level, then yellow at 5 degrees, orange at 15, red at
/// 30, violet at 45 and beyond.
#[device]
pub fn slope_tint(steepness: f32) -> Vec3 {
    let angle_deg = steepness.atan() * 57.29578;
    let yellow = (angle_deg / 5.0).clamp(0.0, 1.0);
    let orange = ((angle_deg - 5.0) / 10.0).clamp(0.0, 1.0);
    let red = ((angle_deg - 15.0) / 15.0).clamp(0.0, 1.0);
    let violet = ((angle_deg - 30.0) / 15.0).clamp(0.0, 1.0);
    Vec3::new(0.30, 0.45, 0.22)
        .lerp(Vec3::new(0.80, 0.74, 0.22), yellow)
        .lerp(Vec3::new(0.85, 0.38, 0.06), orange)
        .lerp(Vec3::new(0.55, 0.04, 0.03), red)
        .lerp(Vec3::new(0.16, 0.01, 0.22), violet)
}

/// Colour in linear light of ground by a part of the hours of sun, 0 to 1. It goes from violet black over violet and orange to pale yellow.
#[device]
pub fn sun_tint(part: f32) -> Vec3 {
    let violet = (3.0 * part).clamp(0.0, 1.0);
    let orange = (3.0 * part - 1.0).clamp(0.0, 1.0);
    let yellow = (3.0 * part - 2.0).clamp(0.0, 1.0);
    Vec3::new(0.02, 0.01, 0.06)
        .lerp(Vec3::new(0.15, 0.02, 0.22), violet)
        .lerp(Vec3::new(0.72, 0.14, 0.04), orange)
        .lerp(Vec3::new(1.0, 0.86, 0.30), yellow)
}

/// Colour in linear light of ground by the way in which it falls, metres a metre to the north and to the east: grey is level, then red to the
/// north, yellow-green to the east, cyan to the south, violet to the west, all equally light (OKLab, B. Ottosson, 2020).
#[device]
pub fn aspect_tint(fall: Vec2) -> Vec3 {
    let steepness = fall.length();
    // Level ground faces nowhere; from six in a hundred on colours are full.
    let part = (steepness / 0.06).clamp(0.0, 1.0);
    let chroma = 0.13 * part * part * (3.0 - 2.0 * part);
    let hue = fall / steepness.max(1e-9);
    // Hue 30 degrees is red.
    let a = chroma * (0.866 * hue.x - 0.5 * hue.y);
    let b = chroma * (0.5 * hue.x + 0.866 * hue.y);
    let by_a = Vec3::new(0.3963378, -0.1055613, -0.0894842) * a;
    let by_b = Vec3::new(0.2158038, -0.0638542, -1.2914855) * b;
    let lms = Vec3::splat(0.7) + by_a + by_b;
    let cubed = lms * lms * lms;
    let red = cubed.dot(Vec3::new(4.0767417, -3.3077116, 0.2309699));
    let green = cubed.dot(Vec3::new(-1.268_438, 2.6097574, -0.3413194));
    let blue = cubed.dot(Vec3::new(-0.0041961, -0.7034186, 1.7076147));
    Vec3::new(red, green, blue).clamp(Vec3::ZERO, Vec3::ONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        const TINTS: &str = device::module!(slope_tint, aspect_tint, sun_tint);
        let header = "// Which colours have steepness, aspect and hours of sun?\n\
                      // Generated from viewer/src/render/tints.rs: ./x generate";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shaders/viewer/tints.wgsl");
        device::check_generated(path, header, TINTS).unwrap();
    }

    /// Law: more sun is lighter, for everybody: so it is in grey, and without red or green.
    #[test]
    fn more_sun_is_lighter() {
        for weights in [[0.2126, 0.7152, 0.0722], [1.0, 0.0, 0.05], [0.0, 1.0, 0.05]].map(Vec3::from) {
            let light: Vec<f32> = (0..=96).map(|k| sun_tint(k as f32 / 96.0).dot(weights)).collect();
            assert!(light.is_sorted_by(|a, b| a < b), "{weights}: {light:?}");
        }
    }

    /// Law: level ground is grey, and all other ground is as light, in the colours of the four winds.
    #[test]
    fn aspects_are_equally_light() {
        let light = |rgb: Vec3| rgb.dot(Vec3::new(0.2126, 0.7152, 0.0722));
        let level = aspect_tint(Vec2::ZERO);
        assert!(level.max_element() - level.min_element() < 0.01, "{level}");
        let winds = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)].map(|(north, east)| Vec2::new(north, east));
        for wind in winds {
            assert!((light(aspect_tint(0.2 * wind)) - light(level)).abs() < 0.1, "{wind}");
        }
        let [north, east, south, west] = winds.map(|wind| aspect_tint(0.2 * wind));
        assert!(north.x > north.y && east.y > east.z && south.z > south.x && west.z > west.y);
    }
}
