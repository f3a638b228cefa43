//! [`foreign_fuzz::settings`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| foreign_fuzz::settings(bytes));
