//! [`foreign_fuzz::text`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| foreign_fuzz::text(bytes));
