//! How is a vertex's error kept in one byte? A tenth of an octave a step, rounded up so that order survives.
//!
//! `e = 2^(code/10 - 10)` metres: 1/1024 m to 46 km, at most 7.18 % more than what was encoded. Rounding up keeps a saturated
//! field saturated, since the code is monotone in the error. A vertex of code 0 is let go. So the least error has to be below
//! a pixel for the lowest eye, 2 m above the ground: there a pixel is 2 mm.

use std::sync::LazyLock;

use super::texel::{ERROR_CODES_PER_OCTAVE, LOWEST_ERROR_EXPONENT, error_of_code};

/// Codes per octave.
const PER_OCTAVE: f64 = ERROR_CODES_PER_OCTAVE as f64;
/// Binary exponent of code 0.
const LOWEST_EXPONENT: f64 = LOWEST_ERROR_EXPONENT as f64;

static DECODED: LazyLock<[f64; 256]> =
    LazyLock::new(|| std::array::from_fn(|code| f64::from(error_of_code(code as u32))));

/// Least code whose error is not below `e_m`, in metres. Saturates: 0 below 1/1024 m, 255 above 46 km and for NaN.
///
/// ```
/// use elevation::tile::{decode_error_m, encode_error};
/// let e = 123.4;
/// assert!((e..=1.072 * e).contains(&decode_error_m(encode_error(e))));
/// ```
pub fn encode_error(e_m: f64) -> u8 {
    if e_m.is_nan() {
        return u8::MAX;
    }
    let table = &*DECODED;
    // Octave from the exponent bits; the mantissa is at most log2-linear from below, so the guess is never too high.
    let bits = e_m.max(table[0]).to_bits();
    let exponent = (bits >> 52) as f64 - 1023.0;
    let mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52)) - 1.0;
    let guess = PER_OCTAVE * (exponent - LOWEST_EXPONENT + mantissa);
    let mut code = guess.min(255.0) as usize;
    while code < 255 && table[code] < e_m {
        code += 1;
    }
    code as u8
}

/// [`encode_error`] for many errors: nearly all of the work is a look-up by the leading bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ErrorCodes {
    first: &'static [u8; Self::BUCKETS],
    decoded: &'static [f64; 256],
}

impl ErrorCodes {
    /// Leading bits of the mantissa that tell a bucket: narrower than a step of the code.
    const MANTISSA_BITS: u32 = 6;
    const SHIFT: u32 = f32::MANTISSA_DIGITS - 1 - Self::MANTISSA_BITS;
    const BUCKETS: usize = 1 << (31 - Self::SHIFT);

    pub fn new() -> Self {
        static FIRST: LazyLock<[u8; ErrorCodes::BUCKETS]> = LazyLock::new(|| {
            std::array::from_fn(|bucket| encode_error(f64::from(f32::from_bits((bucket as u32) << ErrorCodes::SHIFT))))
        });
        Self { first: &FIRST, decoded: &DECODED }
    }

    /// The code of an error that is not negative.
    #[inline]
    pub fn encode(&self, e_m: f32) -> u8 {
        let first = self.first[(e_m.to_bits() << 1 >> (Self::SHIFT + 1)) as usize];
        // Within a bucket the code rises by one at most.
        first.saturating_add(u8::from(self.decoded[usize::from(first)] < f64::from(e_m)))
    }
}

/// Error in metres of a code.
pub fn decode_error_m(code: u8) -> f64 {
    DECODED[usize::from(code)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn codes_are_least_upper_bounds(log2 in -10.0..15.5f64) {
            let e = log2.exp2();
            let code = encode_error(e);
            prop_assert!(decode_error_m(code) >= e && decode_error_m(code) <= 1.072 * e);
            prop_assert!(code == 0 || decode_error_m(code - 1) < e);
        }

        #[test]
        fn codes_keep_order(a in 0.0..50_000.0f64, b in 0.0..50_000.0f64) {
            prop_assert!(encode_error(a.min(b)) <= encode_error(a.max(b)));
        }
    }

    /// Law: looked up, codes are those of the formula.
    #[test]
    fn look_ups_agree() {
        let codes = ErrorCodes::new();
        let mut bits = 0u32;
        while bits < f32::INFINITY.to_bits() {
            for bits in [bits, bits + 1, bits | 0xffff] {
                let e = f32::from_bits(bits);
                assert_eq!(codes.encode(e), encode_error(f64::from(e)), "{e}");
            }
            bits += 9_973;
        }
        for code in 0..=255u8 {
            let e = decode_error_m(code) as f32;
            for e in [e, f32::from_bits(e.to_bits() - 1), f32::from_bits(e.to_bits() + 1)] {
                assert_eq!(codes.encode(e), encode_error(f64::from(e)), "{e}");
            }
        }
        assert_eq!([codes.encode(f32::INFINITY), codes.encode(f32::NAN)], [255, 255]);
    }

    /// Law: what is let go is less than a pixel to an eye 2 m above the ground, with 45 degrees on 720 lines.
    #[test]
    fn what_is_let_go_is_not_seen() {
        let pixel_rad = 45f64.to_radians() / 720.0;
        assert!(decode_error_m(0) < 0.5 * 2.0 * pixel_rad);
    }

    #[test]
    fn ends() {
        assert_eq!((encode_error(0.0), encode_error(1.0 / 1024.0), encode_error(1e9)), (0, 0, 255));
        assert_eq!((encode_error(f64::NAN), encode_error(f64::INFINITY)), (255, 255));
        for code in 0..=255 {
            assert_eq!(encode_error(decode_error_m(code)), code);
        }
    }
}
