//! [`elevation_fuzz::laws::merge`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| elevation_fuzz::laws::merge::law(bytes));
