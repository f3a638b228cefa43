//! Tiles and texels as device functions: what CPU and GPU compute from one source. `shaders/terrain/texel.wgsl` is generated from
//! this file, which a test compares.

use crate::device;
use glam::UVec2;

use crate::cube::FacePoint;

/// Quads on a side of a tile are 2 to this power.
#[device]
pub const TILE_QUADS_LOG2: u32 = 8;

/// Deepest tiles: texels are units of the integer cube, 9 mm apart.
#[device]
pub const MAX_TILE_LEVEL: u32 = 22;

/// Heights of texels are multiples of this, in metres.
#[device]
pub const HEIGHT_STEP_M: f32 = 1.0 / 512.0;

/// Height in metres of a texel whose high 24 bits are zero.
#[device]
pub const HEIGHT_BASE_M: f32 = -16_384.0;

/// Codes of an error that make an octave.
#[device]
pub const ERROR_CODES_PER_OCTAVE: f32 = 10.0;

/// Binary exponent of the error in metres whose code would be 0.
#[device]
pub const LOWEST_ERROR_EXPONENT: f32 = -10.0;

/// Level of the tile that a vertex is read from: the first whose texels have it, on its lowest face.
#[device]
#[inline]
pub fn birth_level(p: FacePoint) -> u32 {
    let finest: u32 = (p.u | p.v).trailing_zeros();
    MAX_TILE_LEVEL - finest.min(MAX_TILE_LEVEL)
}

/// Column and row of the tile of a level that holds a point; between two tiles the higher one, except at the far edge.
#[device]
#[inline]
pub fn tile_over(p: FacePoint, level: u32) -> UVec2 {
    let last = (1u32 << level) - 1;
    (UVec2::new(p.u, p.v) >> (30 - level)).min(UVec2::splat(last))
}

/// Column and row, in that tile, of the texel at or below a point.
#[device]
#[inline]
pub fn texel_over(p: FacePoint, level: u32, tile: UVec2) -> UVec2 {
    (UVec2::new(p.u, p.v) >> (MAX_TILE_LEVEL - level)) - (tile << TILE_QUADS_LOG2)
}

/// Height in metres of a texel, the high 24 bits; exact.
#[device]
#[inline]
pub fn height_of(texel: u32) -> f32 {
    (texel >> 8) as f32 * HEIGHT_STEP_M + HEIGHT_BASE_M
}

/// Error in metres of a code.
#[device]
#[inline]
pub fn error_of_code(code: u32) -> f32 {
    (code as f32 * (1.0 / ERROR_CODES_PER_OCTAVE) + LOWEST_ERROR_EXPONENT).exp2()
}

/// Error in metres of a texel, the low 8 bits. Code 0 is anything below the least error, which is let go.
#[device]
#[inline]
pub fn error_of(texel: u32) -> f32 {
    let code: u32 = texel & 0xff;
    if code == 0 {
        return 0.0;
    }
    error_of_code(code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernels::device::DeviceFunction;
    use rand::Rng;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        const TEXEL: &str = device::module!(birth_level, tile_over, texel_over, height_of, error_of);
        let question = "Which texel is a vertex, and what does it hold? Height in the high 24 bits, code of the error in the low 8.";
        crate::generated::check("texel.wgsl", question, "tile/texel", TEXEL);
    }

    /// Law: heights are bit-equal, and steps of 1/512 m; errors differ by what `exp2` may, 3 + 2 |x| units in the last place.
    #[test]
    fn texels_mean_the_same_on_the_device() {
        let gpu = gpu::Gpu::new(&Default::default()).unwrap();
        let kernels = kernels::Kernels::new(&gpu.device);
        let mut rng = crate::random::rng();
        let texels: Vec<(u32,)> = (0..20_000).map(|_| (rng.random(),)).chain([(0,), (u32::MAX,)]).collect();
        kernels::testing::check_function::<height_of>(&kernels, &gpu, &texels, |a, b| a == b).unwrap();
        for (texel,) in texels.iter().copied() {
            assert_eq!(f64::from(height_of(texel)), f64::from(texel >> 8) / 512.0 - 16_384.0);
        }
        let close = |a: &f32, b: &f32| (a - b).abs() <= 36.0 * f32::EPSILON * a;
        kernels::testing::check_function::<error_of>(&kernels, &gpu, &texels, close).unwrap();
        let places: Vec<_> = (0..5_000u32)
            .map(|i| {
                let mut coordinate = || (rng.random::<u32>() >> 2) >> (i % 31) << (i % 31);
                (FacePoint { face: i % 6, u: coordinate(), v: coordinate() }, i % (MAX_TILE_LEVEL + 1))
            })
            .collect();
        kernels::testing::check_function::<tile_over>(&kernels, &gpu, &places, |a, b| a == b).unwrap();
        let points: Vec<_> = places.iter().map(|(p, _)| (*p,)).collect();
        kernels::testing::check_function::<birth_level>(&kernels, &gpu, &points, |a, b| a == b).unwrap();
        let texels: Vec<_> = places.iter().map(|&(p, level)| (p, level, tile_over(p, level))).collect();
        kernels::testing::check_function::<texel_over>(&kernels, &gpu, &texels, |a, b| a == b).unwrap();
        assert!(texels.iter().all(|&row| texel_over::call(row).max_element() <= 1 << TILE_QUADS_LOG2));
    }
}
