//! Do the laws of the fuzz targets hold of their seeds, and of ten thousand mutations of each?

#[path = "../fuzz/src/lib.rs"]
mod laws;
#[path = "../fuzz/src/replay.rs"]
mod replay;

use replay::replay;

fn holds(target: &str, law: fn(&[u8])) {
    replay(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target), 10_000, law);
}

#[test]
fn notation() {
    holds("notation", laws::notation);
}

#[test]
fn path() {
    holds("path", laws::path);
}

#[test]
fn points() {
    holds("points", laws::points);
}

#[test]
fn list() {
    holds("list", laws::list);
}

#[test]
fn text() {
    holds("text", laws::text);
}

#[test]
fn settings() {
    holds("settings", laws::settings);
}

#[test]
fn scene() {
    holds("scene", laws::scene);
}

#[test]
fn values() {
    holds("values", laws::values);
}

#[test]
fn raster() {
    holds("raster", laws::raster);
}

#[test]
fn style() {
    holds("style", laws::style);
}
