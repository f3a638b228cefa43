//! Which data are worked on? Well-mixed words, the same on every run.

use rayon::prelude::*;

/// 64 well-mixed bits of a number (SplitMix64's finaliser).
pub fn mixed(number: u64) -> u64 {
    let x = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// `n` words, other ones for each seed.
pub fn words(seed: u64, n: u32) -> Vec<u32> {
    let word = |i: u32| (mixed((seed << 32 | u64::from(i)).wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> 16) as u32;
    (0..n).into_par_iter().map(word).collect()
}

/// `n` floats in 0..1.
///
/// ```
/// let floats = benches::random::floats(1, 1000);
/// assert!(floats.iter().all(|x| (0.0..1.0).contains(x)) && floats == benches::random::floats(1, 1000));
/// assert_ne!(floats, benches::random::floats(2, 1000));
/// ```
pub fn floats(seed: u64, n: u32) -> Vec<f32> {
    words(seed, n).into_iter().map(|word| (word >> 8) as f32 / (1 << 24) as f32).collect()
}
