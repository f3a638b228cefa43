//! The camera controller: systems that move the camera by input, flights and paths, and record where it goes.

mod hand;
mod held;
mod jumps;
mod pilot;
mod plugin;
mod recorder;
mod stations;

pub use hand::Moving;
pub use pilot::{Pilot, fly_to};
pub use plugin::{CameraPlugin, Paused};
pub use recorder::Recorder;
