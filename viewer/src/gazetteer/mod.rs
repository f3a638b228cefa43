//! The gazetteer: names of places that ship with the program, on the globe, and found as people type them.

mod aliases;
mod names;
mod resolve;
mod search;
mod spelling;

pub use names::{PlaceEntry, PlaceKind, entries};
pub use resolve::{NameError, resolve};
pub use search::{MatchKind, PlaceMatch, nearest, search};
pub(crate) use spelling::folded;
