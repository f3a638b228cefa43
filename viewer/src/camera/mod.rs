//! The camera: one state, and the ways that it can go: by hand, by flight, along a path, never under the ground.

mod destination;
mod flight;
pub mod fly;
pub mod globe;
pub mod ground;
mod north;
pub mod path;
pub mod recording;
pub(crate) mod spin_inertia;
mod state;

pub use destination::{Destination, Extent, GroundData, home, looking_at, pitch_from_deg};
pub use flight::Flight;
pub use fly::{Speed, Thrust};
pub use foreign::place;
pub use north::HeadingMode;
pub use state::{Attitude, Camera, Lens, Pose};
