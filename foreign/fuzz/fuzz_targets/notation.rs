//! [`foreign_fuzz::notation`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| foreign_fuzz::notation(bytes));
