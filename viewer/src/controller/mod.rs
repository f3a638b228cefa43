//! The camera controller: systems that move the camera by input, by flights and by paths, and record where it goes.

mod plugin;
mod recorder;

pub use plugin::{CameraPlugin, Moving, start_flight};
pub use recorder::Recorder;
