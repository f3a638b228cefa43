//! Do the laws of the fuzz targets hold of their seeds, and of ten thousand mutations of each? Memory is counted for the whole
//! process, so one target follows the other.

#[path = "../fuzz/src/lib.rs"]
#[allow(dead_code, unused_imports, reason = "a fuzzer and its seeds use the rest")]
mod fuzz;
#[path = "../../foreign/fuzz/src/replay.rs"]
mod replay;

use fuzz::laws;

#[test]
fn the_laws_of_packs_and_caches() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    let holds = |target: &str, law: fn(&[u8])| {
        let begun = std::time::Instant::now();
        replay::replay(&folder.join(target), 10_000, law);
        println!("{target}: {:.1} s", begun.elapsed().as_secs_f64());
    };
    holds("pack", laws::pack::law);
    holds("merge", laws::merge::law);
    holds("tile", laws::tile::law);
    holds("tile_cache", laws::tile_cache::law);
    std::fs::remove_dir_all(fuzz::folder()).unwrap();
}
