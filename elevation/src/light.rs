//! How are colours kept? As sRGB, to be filtered and mixed in linear light (IEC 61966-2-1).

use std::sync::LazyLock;

use glam::Vec4;

/// Steps of linear light that have a colour each: 8 bits change every fourth step in the dark.
const STEPS: usize = 1 << 14;

/// Light of each colour.
static LIGHT: LazyLock<[f32; 256]> = LazyLock::new(|| {
    std::array::from_fn(|colour| {
        let c = colour as f64 / 255.0;
        (if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }) as f32
    })
});

/// The nearest colour of each step of light.
static COLOUR: LazyLock<Box<[u8]>> = LazyLock::new(|| {
    let colour = |step: usize| {
        let light = step as f64 / (STEPS - 1) as f64;
        let c = if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
        (255.0 * c).round() as u8
    };
    (0..STEPS).map(colour).collect()
});

/// Linear light times alpha, and alpha, of a colour that is not multiplied.
#[inline]
pub(crate) fn linear([red, green, blue, alpha]: [u8; 4]) -> Vec4 {
    let of = &*LIGHT;
    let light = Vec4::new(of[usize::from(red)], of[usize::from(green)], of[usize::from(blue)], 1.0);
    if alpha == 255 { light } else { light * (f32::from(alpha) / 255.0) }
}

/// The nearest texel: sRGB of light that is multiplied, and alpha.
#[inline]
pub(crate) fn encoded(light: Vec4) -> [u8; 4] {
    let steps = light.clamp(Vec4::ZERO, Vec4::ONE) * (STEPS - 1) as f32 + 0.5;
    let of = |light: f32| COLOUR[light as usize];
    [of(steps.x), of(steps.y), of(steps.z), (light.w.clamp(0.0, 1.0) * 255.0).round() as u8]
}

/// Means of four texels each, of a square.
pub(crate) fn halved(fine: &[Vec4], side: usize) -> Vec<Vec4> {
    let four = |at: usize| 0.25 * (fine[at] + fine[at + 1] + fine[at + side] + fine[at + side + 1]);
    (0..side / 2).flat_map(|y| (0..side / 2).map(move |x| 2 * y * side + 2 * x)).map(four).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: a colour comes back; half of light is brighter than half of a colour; black and white with half of alpha keep their light.
    #[test]
    fn colours_come_back() {
        for colour in 0..=255 {
            let [r, g, b, a] = encoded(linear([colour, colour, 0, 255]));
            assert_eq!([r, g, b, a], [colour, colour, 0, 255]);
        }
        let half = encoded(linear([255, 0, 255, 128]));
        assert!(half[0].abs_diff(188) <= 1 && half[1] == 0 && half[3] == 128, "{half:?}");
        let mean = encoded(halved(&[linear([0; 4]), Vec4::ONE, Vec4::ONE, linear([0; 4])], 2)[0]);
        assert_eq!(mean, [188, 188, 188, 128]);
    }
}
