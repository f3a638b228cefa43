//! The gazetteer: names of places that ship with the program, on the globe, and found as people type them.

mod names;
mod search;

pub use names::{Entry, Kind, entries};
pub use search::{Found, search};
