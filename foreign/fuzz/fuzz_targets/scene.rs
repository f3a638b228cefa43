//! [`foreign_fuzz::scene`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| foreign_fuzz::scene(bytes));
