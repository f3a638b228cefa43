//! The gazetteer: names of places that ship with the program, on the globe, and found as people type them.

mod aliases;
mod meant;
mod names;
mod search;
mod spelling;

pub use meant::{Unclear, meant};
pub use names::{Entry, Kind, entries};
pub use search::{Fit, Found, nearest, search};
pub(crate) use spelling::folded;
