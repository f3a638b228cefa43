//! The window: event loop, surface, and when to draw the next frame.

mod flight;
mod run;
mod surface;

pub use flight::Limit;
pub use run::{Choices, FlyOptions, run};
