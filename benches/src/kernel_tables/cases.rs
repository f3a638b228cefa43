//! What is timed: random items, and the operators, predicates and bins that the rows use.

use kernels::{Binning, Predicate, device};

/// Half of random words.
pub struct HalfPredicate;

#[device]
impl Predicate for HalfPredicate {
    type Item = u32;
    const NAME: &'static str = "lower half";
    fn keep(stored: u32, _item: u32) -> bool {
        stored < 0x8000_0000
    }
}

/// The highest byte.
pub struct HighByteBin;

#[device]
impl Binning for HighByteBin {
    type Item = u32;
    const BINS: u32 = 256;
    const NAME: &'static str = "highest byte";
    fn bin(stored: u32, _item: u32) -> u32 {
        stored >> 24
    }
}

/// The primitives with the bytes that each must move for an item: what is read and what is written, once.
pub const REDUCE_SUM: (&str, f64) = ("reduce sum u32", 4.0);
/// See [`REDUCE_SUM`].
pub const REDUCE_FLOAT: (&str, f64) = ("reduce sum f32", 4.0);
/// See [`REDUCE_SUM`].
pub const SCAN: (&str, f64) = ("scan exclusive u32", 8.0);
/// See [`REDUCE_SUM`].
pub const COMPACT: (&str, f64) = ("compact half u32", 6.0);
/// See [`REDUCE_SUM`].
pub const HISTOGRAM: (&str, f64) = ("histogram 256", 4.0);
/// See [`REDUCE_SUM`]: items are words of a bitfield; a level of sums as large is written, and the levels above it.
pub const PYRAMID: (&str, f64) = ("pyramid popcount", 8.0);
/// See [`REDUCE_SUM`].
pub const SORT_KEYS: (&str, f64) = ("sort keys u32", 8.0);
/// See [`REDUCE_SUM`].
pub const SORT_PAIRS: (&str, f64) = ("sort pairs u32", 16.0);
