//! Are the shaders that have a source in Rust what that source generates?

/// Compares `shaders/terrain/FILE` with the WGSL of device items in `elevation/src/SOURCE.rs` and the files below it, whose unit
/// tests write it anew with `OROGEN_BLESS=1`.
pub(crate) fn check(file: &str, question: &str, source: &str, wgsl: &str) {
    let header = format!("// {question}\n// Generated from elevation/src/{source}.rs: ./x generate");
    let path = format!("{}/../shaders/terrain/{file}", env!("CARGO_MANIFEST_DIR"));
    kernels::device::check_generated(path, &header, wgsl).unwrap();
}

/// A word that looks random, the same for the same number: input of laws.
pub(crate) fn word(number: u32) -> u32 {
    use rand::{Rng, SeedableRng, rngs::StdRng};
    StdRng::seed_from_u64(number.into()).random()
}
