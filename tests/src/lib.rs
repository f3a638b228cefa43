//! What the tests that cross crates share; the tests themselves are in the `tests` folder beside this one.

pub mod picture;
pub mod program;
pub mod source;
