//! Are the random functions and kernels of `device_random/` what their writer writes? `device_random` runs them.

#![cfg(feature = "gpu")]

mod common;
#[path = "device_random/writer.rs"]
mod writer;

use common::Words;
use writer::Writer;

#[test]
fn random_expressions_are_what_the_writer_writes() {
    for (name, written) in [
        ("functions", Writer(Words(9)).file()),
        ("kernels", Writer(Words(19)).kernels_file()),
        ("floats", Writer(Words(29)).floats_file()),
    ] {
        let path = format!("{}/tests/device_random/{name}.rs", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("OROGEN_BLESS").is_some() {
            std::fs::write(&path, &written).unwrap();
        }
        assert!(std::fs::read_to_string(&path).unwrap() == written, "OROGEN_BLESS=1 writes {path} anew");
    }
}
