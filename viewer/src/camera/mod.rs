//! The camera: one state, moved by hand, by flight or by a path, never under the ground.

mod flight;
pub mod fly;
mod glide;
pub mod globe;
pub mod ground;
pub mod path;
mod plugin;
pub mod record;
mod recorder;
mod state;

pub use flight::Flight;
pub use fly::{Speed, Thrust};
pub use foreign::place;
pub use plugin::{CameraPlugin, Lens, Moving, start_flight};
pub use recorder::Recorder;
pub use state::{Attitude, Camera, Pose};
