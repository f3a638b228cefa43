//! The gazetteer: names of places and summits that ship with the program, found as people type them.

mod names;
mod search;

pub use names::{Entry, Kind, entries};
pub use search::{Found, search};
