//! [`foreign_fuzz::style`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| foreign_fuzz::style(bytes));
