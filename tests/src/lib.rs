//! Tests that cross crates; see the `tests` folder beside this file.
