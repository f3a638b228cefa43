//! Which random input does a test get? Another one in every run, or the same where `OROGEN_SEED` is set, as `./x test`
//! does.

use rand::{SeedableRng, rngs::StdRng};

/// A generator for a test. The seed is shown by a test that fails; with it in `OROGEN_SEED` it fails again.
///
/// # Panics
/// If `OROGEN_SEED` is no number.
pub fn rng() -> StdRng {
    let seed = match std::env::var("OROGEN_SEED") {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("OROGEN_SEED={text} is no number of 64 bits")),
        Err(_) => rand::random(),
    };
    println!("OROGEN_SEED={seed}");
    StdRng::seed_from_u64(seed)
}
