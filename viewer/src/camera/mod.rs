//! The camera: one state, moved by hand, by flight or by a path, never under the ground.

mod flight;
pub mod fly;
mod glide;
pub mod globe;
pub mod ground;
mod notation;
pub mod path;
pub mod place;
mod plugin;
pub mod record;
mod recorder;
mod spline;
mod state;

pub use flight::Flight;
pub use fly::{Speed, Thrust};
pub use plugin::{CameraPlugin, Lens, Moving, start_flight};
pub use recorder::Recorder;
pub use state::{Attitude, Camera, Pose};
