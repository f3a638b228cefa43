//! How urgent is a bisector? Quarter-octave buckets, tie-breaking keys, and the adaptive histogram over them.
//!
//! A key is `bucket << 16 | hash16`. The bucket orders by projected error. The hash (salted anew every update) breaks ties,
//! so that a full pool can cut through the middle of a bucket. The histogram gives the *focus* bucket, where the previous
//! update cut, 4096 bins and every other bucket one.

use crate::{
    key_words::{self, FOCUS_BINS, salt_of},
    metric,
};

/// Bucket of a bisector that may be merged away.
pub const BUCKET_MERGE: u8 = 0;
/// Bucket of a bisector that stays as it is: the hysteresis band.
pub const BUCKET_KEEP: u8 = 1;
/// Lowest bucket that asks for a bisection.
pub const BUCKET_SPLIT: u8 = key_words::BUCKET_SPLIT as u8;

/// Number of histogram bins: one for each of 256 buckets, one of them widened, rounded up to a multiple of the workgroup.
pub(super) const BINS: usize = (256 + FOCUS_BINS) as usize;

/// Bucket of a ratio of projected to tolerated error: 0 below 0.95, 1 up to 1, then four buckets an octave.
///
/// NaN counts as no error, infinity as the largest.
///
/// ```
/// use terrain::pool::bucket_of_ratio;
/// assert_eq!([0.5, 0.97, 1.0, 2.0, f64::NAN, f64::INFINITY].map(bucket_of_ratio), [0, 1, 2, 6, 0, 255]);
/// ```
pub fn bucket_of_ratio(ratio: f64) -> u8 {
    metric::bucket_of_ratio(ratio as f32) as u8
}

/// Priority of a mark or diamond; 0 = none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key(pub u32);

impl Key {
    /// Key of a bisector: bucket first, then a hash of its id.
    pub fn new(bucket: u8, heap_id: u64, salt: u32) -> Self {
        Self(key_words::key_of(bucket.into(), heap_id, salt))
    }
}

/// The bucket that gets fine bins in the histogram of needed and of freed slots; 0 = none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Focus {
    pub need: u32,
    pub freed: u32,
}

/// Histogram bin of a key, monotone in the key, for a focus bucket.
pub(super) fn bin_of(key: Key, focus: u32) -> usize {
    key_words::bin_of(key.0, focus) as usize
}

/// Smallest key that falls into a bin.
pub(super) fn low_key(bin: usize, focus: u32) -> u32 {
    key_words::low_key(bin as u32, focus)
}

/// Largest key that falls into a bin.
pub(super) fn high_key(bin: usize, focus: u32) -> u32 {
    key_words::high_key(bin as u32, focus)
}

/// Bucket that a bin belongs to.
pub(super) fn bucket_of_bin(bin: usize, focus: u32) -> u32 {
    key_words::bucket_of_bin(bin as u32, focus)
}

/// Salt of the tie-breaking hash for one update.
pub(super) fn salt(update: u32) -> u32 {
    salt_of(update)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Bins are monotone in the key, and [low, high] of a bin holds exactly the keys that map to it.
        #[test]
        fn bins_are_monotone_and_invertible(a in 1u32..256 << 16, b in 1u32..256 << 16, focus in 0u32..256) {
            let (a, b) = (Key(a.min(b)), Key(a.max(b)));
            prop_assert!(bin_of(a, focus) <= bin_of(b, focus));
            let bin = bin_of(a, focus);
            prop_assert!(bin < BINS);
            prop_assert!((low_key(bin, focus)..=high_key(bin, focus)).contains(&a.0));
            prop_assert_eq!(bucket_of_bin(bin, focus), a.0 >> 16);
        }

        #[test]
        fn buckets_are_monotone(a in 0.0f64..1e6, b in 0.0f64..1e6) {
            prop_assert_eq!(bucket_of_ratio(a) <= bucket_of_ratio(b), bucket_of_ratio(a) == bucket_of_ratio(b) || a < b);
        }
    }
}
