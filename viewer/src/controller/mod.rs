//! The camera controller: systems that move the camera by input, flights and paths, and record where it goes.

mod hand_state;
mod held_keys;
mod jumps;
mod pilot;
mod plugin;
mod recorder;
mod tilt;
mod view_history;

pub use hand_state::CameraInMotion;
pub use pilot::{CameraPilot, fly_to};
pub use plugin::{CameraPlugin, Paused};
pub use recorder::Recorder;
pub use tilt::is_map_view;
pub use view_history::ViewHistory;
