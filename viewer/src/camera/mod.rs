//! The camera: one state, and the ways that it can go: by hand, by flight, along a path, never under the ground.

mod arrival;
mod flight;
pub mod fly;
pub(crate) mod glide;
pub mod globe;
pub mod ground;
mod north;
pub mod path;
pub mod record;
mod state;

pub use arrival::{Destination, Extent, GroundData, home, looking_at, pitch_from_deg};
pub use flight::Flight;
pub use fly::{Speed, Thrust};
pub use foreign::place;
pub use north::Heading;
pub use state::{Attitude, Camera, Lens, Pose};
