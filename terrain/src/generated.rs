//! Are the shaders that have a source in Rust what that source generates? For each crate that includes this file.

/// Compares `shaders/terrain/FILE` with the WGSL of device items in `src/SOURCE.rs` of the crate and the files below it, whose unit
/// tests write it anew with `OROGEN_BLESS=1`.
pub(crate) fn check(file: &str, question: &str, source: &str, wgsl: &str) {
    let header = format!("// {question}\n// Generated from {}/src/{source}.rs: ./x generate", env!("CARGO_CRATE_NAME"));
    let path = format!("{}/../shaders/terrain/{file}", env!("CARGO_MANIFEST_DIR"));
    kernels::device::check_generated(path, &header, wgsl).unwrap();
}
