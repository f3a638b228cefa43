//! What are leaves sorted by? `lbvh/code32.wgsl` and `lbvh/code64.wgsl` say the same of as many bits.

use crate::RadixKey;

/// A code that leaves are sorted by, whose common prefixes are the tree: `u32` or `u64`.
///
/// Morton codes have 32 bits and 63. Boxes of one cell are told apart by their numbers alone, so cells should be no larger than
/// what is dense: in a cube, 32 bits give cells of 1/1600 of a side, 63 bits of 1/2 097 152, at twice the passes of sorting.
///
/// ```
/// use kernels::lbvh::Code;
/// assert_eq!((u32::MORTON_BITS, u64::MORTON_BITS), (32, 63)); // 63 are three times 21
/// ```
pub trait Code: RadixKey + sealed::Sealed {
    /// Bits of a Morton code.
    const MORTON_BITS: u32;
    /// The WGSL of `LbvhCode`.
    #[doc(hidden)]
    const MODULE: &'static str;

    /// The low bits.
    #[doc(hidden)]
    fn from_bits(bits: u64) -> Self;

    /// The bits of either.
    #[doc(hidden)]
    fn or(self, other: Self) -> Self;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u32 {}
    impl Sealed for u64 {}
}

impl Code for u32 {
    const MORTON_BITS: u32 = 32;
    const MODULE: &'static str = "kernels/lbvh/code32";

    #[inline]
    fn from_bits(bits: u64) -> Self {
        bits as u32
    }

    #[inline]
    fn or(self, other: Self) -> Self {
        self | other
    }
}

impl Code for u64 {
    const MORTON_BITS: u32 = 63;
    const MODULE: &'static str = "kernels/lbvh/code64";

    #[inline]
    fn from_bits(bits: u64) -> Self {
        bits
    }

    #[inline]
    fn or(self, other: Self) -> Self {
        self | other
    }
}
