//! [`foreign_fuzz::list`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| foreign_fuzz::list(bytes));
