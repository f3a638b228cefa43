//! Eight numbers at a time.

use glam::Vec4;
use std::ops::{Mul, Sub};

/// Children of a node at most.
pub(super) const LANES: usize = 8;

/// A number for each child of a node.
#[derive(Clone, Copy)]
pub(super) struct Lanes([Vec4; 2]);

impl Lanes {
    #[inline(always)]
    pub fn load(values: &[f32; LANES]) -> Self {
        let [a, b, c, d, e, f, g, h] = *values;
        Self([Vec4::new(a, b, c, d), Vec4::new(e, f, g, h)])
    }

    #[inline(always)]
    pub fn splat(value: f32) -> Self {
        Self([Vec4::splat(value); 2])
    }

    #[inline(always)]
    pub fn to_array(self) -> [f32; LANES] {
        bytemuck::cast(self.0)
    }

    #[inline(always)]
    pub fn min(self, other: Self) -> Self {
        self.each(other, Vec4::min)
    }

    #[inline(always)]
    pub fn max(self, other: Self) -> Self {
        self.each(other, Vec4::max)
    }

    /// A bit for each number that is at most the other's.
    #[inline(always)]
    pub fn at_most(self, other: Self) -> u32 {
        self.0[0].cmple(other.0[0]).bitmask() | self.0[1].cmple(other.0[1]).bitmask() << 4
    }

    #[inline(always)]
    fn each(self, other: Self, of: impl Fn(Vec4, Vec4) -> Vec4) -> Self {
        Self([of(self.0[0], other.0[0]), of(self.0[1], other.0[1])])
    }
}

impl Sub for Lanes {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.each(other, Vec4::sub)
    }
}

impl Mul for Lanes {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.each(other, Vec4::mul)
    }
}
