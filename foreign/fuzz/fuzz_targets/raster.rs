//! [`foreign_fuzz::raster`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| foreign_fuzz::raster(bytes));
