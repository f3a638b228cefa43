//! Measuring: markers on the ground, the path along them, and what it surrounds.

mod enclosed_area;
mod enclosed_ground;
mod feature_path;
mod leg;
mod line_of_sight;
mod markers;
mod named_features;
mod plugin;

pub use enclosed_ground::EnclosedGround;
pub use feature_path::measure_feature;
pub use leg::{GroundPoint, Leg, thinned};
pub use line_of_sight::{EYE_M, SightResult};
pub use markers::{MOST_MARKERS, Markers, PIN_PT, name_of};
pub use plugin::MeasurePlugin;
pub(crate) use plugin::handle_clicks;
