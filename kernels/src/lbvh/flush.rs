//! Numbers that no device flushes its own way, as device functions: what CPU and GPU compute from one source.
//! `shaders/kernels/lbvh/flush.wgsl` is generated from this file, which a test compares.

use crate::device;

/// Coordinates are clamped to this, 2^120, so that no sum or difference of two overflows.
#[device]
pub const AABB_LIMIT: f32 = 1.329_228e36;

/// The largest number.
#[device]
pub const AABB_LARGEST: f32 = f32::MAX;

/// Bits of the smallest normal number.
#[device]
pub const AABB_SMALLEST_NORMAL: u32 = 0x0080_0000;

/// Whether it is not a number, by bits.
#[device]
#[inline]
pub fn aabb_is_nan(value: f32) -> bool {
    value.to_bits() & 0x7fff_ffff > 0x7f80_0000
}

/// Zero for both zeros and subnormals, which devices may or may not flush; by bits, so that none does it its own way.
#[device]
#[inline]
pub fn aabb_flush(value: f32) -> f32 {
    let magnitude = value.to_bits() & 0x7fff_ffff;
    if magnitude < AABB_SMALLEST_NORMAL {
        return 0.0;
    }
    value
}

/// The same, away from the inside of a box: down for `way` -1, up for 1.
#[device]
#[inline]
pub fn aabb_flush_outward(value: f32, way: f32) -> f32 {
    let bits = value.to_bits();
    let magnitude = bits & 0x7fff_ffff;
    if magnitude >= AABB_SMALLEST_NORMAL {
        return value;
    }
    if magnitude != 0 && (bits >> 31 == 1) == (way < 0.0) {
        return way * f32::from_bits(AABB_SMALLEST_NORMAL);
    }
    0.0
}

/// The WGSL of this file.
#[cfg(test)]
pub(super) const MODULE: &str =
    device::module!(AABB_LIMIT, AABB_LARGEST, AABB_SMALLEST_NORMAL, aabb_is_nan, aabb_flush, aabb_flush_outward);

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use super::*;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        let question = "Which numbers may a box have? None that a device may flush.";
        super::super::generated::check("flush.wgsl", question, "flush", &[], MODULE);
        assert_eq!(AABB_LIMIT.to_bits(), (120 + 127) << 23);
    }

    /// Law: bit-equal on the device for numbers that it may not flush; what it may flush becomes what Rust says, too.
    #[test]
    fn numbers_are_flushed_alike() {
        let gpu = gpu::Gpu::new(&Default::default()).unwrap();
        let kernels = crate::Kernels::new(&gpu.device);
        let rows: Vec<_> = (0..=255u32)
            .flat_map(|exponent| [0, 1, 0x7f_ffff].map(|mantissa| exponent << 23 | mantissa))
            .filter(|bits| *bits <= 0x7f80_0000)
            .flat_map(|bits| [bits, bits | 1 << 31])
            .flat_map(|bits| [-1.0, 1.0].map(|way| (f32::from_bits(bits), way)))
            .collect();
        crate::testing::check_function::<aabb_flush_outward>(&kernels, &gpu, &rows, |a, b| a.to_bits() == b.to_bits())
            .unwrap();
        let values: Vec<_> = rows.iter().map(|row| (row.0,)).collect();
        crate::testing::check_function::<aabb_flush>(&kernels, &gpu, &values, |a, b| a.to_bits() == b.to_bits())
            .unwrap();
    }
}
