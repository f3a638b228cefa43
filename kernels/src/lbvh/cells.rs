//! How are the bits of a Morton code shared out among the axes? As device functions: what CPU and GPU compute from one source.
//! `shaders/kernels/lbvh/cells.wgsl` is generated from this file, which a test compares.

use crate::device;
use glam::{IVec3, UVec3, Vec3};

/// 2^-90: extents below get no bits, so that no subnormal number is ever scaled.
#[device]
pub const SMALLEST_EXTENT: f32 = 8.077_936e-28;

/// Bits of a cell's number, the most that an axis gets; coordinates have 24 that count.
#[device]
pub const CELL_BITS: u32 = 32;

/// Smaller than any exponent: of an axis that gets no bits, or no more.
#[device]
pub const NO_BITS: i32 = -1000;

/// Where the bits of each axis go, in the words of a code, and the power of two from coordinates to cells.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SharedBits {
    /// Bits 0 to 31.
    pub low: UVec3,
    /// Fills 16 bytes.
    pub spare: u32,
    /// Bits 32 to 63.
    pub high: UVec3,
    /// As above.
    pub spare_2: u32,
    /// 0 for an axis without bits.
    pub scale: Vec3,
    /// As above.
    pub spare_3: u32,
}

/// extent < 2^exponent
#[device]
pub fn extent_exponent(extent: f32) -> i32 {
    if extent >= SMALLEST_EXTENT {
        return (extent.to_bits() >> 23 & 255) as i32 - 126;
    }
    NO_BITS
}

/// The power of two from coordinates to cells, where an axis of this extent has so many bits.
#[device]
pub fn cell_scale(extent: f32, bits: u32) -> f32 {
    if extent >= SMALLEST_EXTENT {
        let power: i32 = bits as i32 - extent_exponent(extent);
        return f32::from_bits(((power + 127) as u32) << 23);
    }
    0.0
}

/// Shares out the highest `bits` bits of a code: each further one halves the cells along the axis in which they are longest.
#[device]
pub fn share_bits(extent: Vec3, bits: u32) -> SharedBits {
    let mut exponent: IVec3 =
        IVec3::new(extent_exponent(extent.x), extent_exponent(extent.y), extent_exponent(extent.z));
    let mut low = UVec3::ZERO;
    let mut high = UVec3::ZERO;
    let mut count = UVec3::ZERO;
    for bit in (0..bits).rev() {
        let longest = exponent.x.max(exponent.y).max(exponent.z);
        if longest == NO_BITS {
            break;
        }
        let x = (exponent.x == longest) as u32;
        let y = (exponent.y == longest) as u32 & (1 - x);
        let axis: UVec3 = UVec3::new(x, y, 1 - x - y);
        if bit < 32 {
            low |= axis * (1u32 << bit);
        } else {
            high |= axis * (1u32 << (bit - 32));
        }
        count += axis;
        exponent -= axis.as_ivec3();
        // A full axis gets no more.
        if count.x == CELL_BITS {
            exponent.x = NO_BITS;
        }
        if count.y == CELL_BITS {
            exponent.y = NO_BITS;
        }
        if count.z == CELL_BITS {
            exponent.z = NO_BITS;
        }
    }
    let scale: Vec3 =
        Vec3::new(cell_scale(extent.x, count.x), cell_scale(extent.y, count.y), cell_scale(extent.z, count.z));
    SharedBits { low, spare: 0, high, spare_2: 0, scale, spare_3: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        let question = "How are the bits of a Morton code shared out among the axes?";
        super::super::generated::check("cells.wgsl", question, "cells", &[], device::module!(share_bits));
        assert_eq!(SMALLEST_EXTENT.to_bits(), (127 - 90) << 23);
    }
}
