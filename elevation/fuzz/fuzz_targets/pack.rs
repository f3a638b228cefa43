//! [`elevation_fuzz::laws::pack`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| elevation_fuzz::laws::pack::law(bytes));
