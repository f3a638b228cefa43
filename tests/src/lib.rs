//! What the tests that cross crates share; the tests themselves are in the `tests` folder beside this one.

pub mod picture;
pub mod program;
#[path = "../../terrain/tests/random/mod.rs"]
pub mod random;
pub mod source;
