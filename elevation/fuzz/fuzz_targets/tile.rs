//! [`elevation_fuzz::laws::tile`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| elevation_fuzz::laws::tile::law(bytes));
