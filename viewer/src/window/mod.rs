//! The window: event loop, surface, and when to draw the next frame.

mod flight;
mod losses;
mod picture;
mod run;
mod surface;

pub use flight::{Limit, Measured, WindowBench};
pub use run::{Choices, FlyOptions, run};
