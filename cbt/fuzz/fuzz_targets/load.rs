//! [`cbt_fuzz::load`]: `./x fuzz load`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| cbt_fuzz::load(bytes));
