//! The camera controller: systems that move the camera by input, flights and paths, and record where it goes.

mod held;
mod jumps;
mod pilot;
mod plugin;
mod recorder;
mod stations;

pub use pilot::{Pilot, fly_to};
pub use plugin::{CameraPlugin, Moving, Paused};
pub use recorder::Recorder;
pub use stations::Stations;
