//! [`elevation_fuzz::laws::tile_cache`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| elevation_fuzz::laws::tile_cache::law(bytes));
