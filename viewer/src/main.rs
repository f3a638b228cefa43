//! The `orogen` program.
fn main() {}
