//! Measuring: markers on the ground, the path along them, and what it surrounds.

mod enclosed;
mod geojson;
mod leg;
mod markers;
mod plugin;
mod sight;

pub use leg::{GroundPoint, Leg, thinned};
pub use markers::{MOST_MARKERS, Markers, PIN_PT, name_of};
pub use plugin::MeasurePlugin;
pub use sight::{EYE_M, Sight};
