//! [`foreign_fuzz::values`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| foreign_fuzz::values(bytes));
