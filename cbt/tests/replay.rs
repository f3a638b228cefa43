//! Does the law of the fuzz target hold of its seeds, and of ten thousand mutations of them?

#[path = "../fuzz/src/lib.rs"]
mod laws;
#[path = "../../foreign/fuzz/src/replay.rs"]
mod replay;

#[test]
fn load() {
    let seeds = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds/load");
    replay::replay(&seeds, 10_000, laws::load);
}
