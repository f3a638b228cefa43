//! [`foreign_fuzz::points`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| foreign_fuzz::points(bytes));
