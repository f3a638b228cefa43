//! The camera controller: systems that move the camera by input, flights and paths, and record where it goes.

mod hand_state;
mod held_keys;
mod jumps;
mod pilot;
mod plugin;
mod recorder;
mod view_history;

pub use hand_state::CameraInMotion;
pub use pilot::{CameraPilot, fly_to};
pub use plugin::{CameraPlugin, Paused};
pub use recorder::Recorder;
pub use view_history::ViewHistory;
