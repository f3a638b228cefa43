//! [`foreign_fuzz::path`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| foreign_fuzz::path(bytes));
