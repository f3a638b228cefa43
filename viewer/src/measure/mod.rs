//! Measuring: markers on the ground, and what lies between two of them.

mod markers;
mod measurement;
mod plugin;

pub use markers::{Marker, Markers};
pub use measurement::{EYE_M, Measurement, Sight};
pub use plugin::MeasurePlugin;
