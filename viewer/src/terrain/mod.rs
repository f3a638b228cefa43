//! The mesh of the planet in the world of the program.

mod engine;
mod plugin;
mod sea;

pub use engine::{Engine, MeshOn, MeshTimes};
#[cfg(test)]
pub(crate) use plugin::flat;
pub use plugin::{Pace, Planet, REACH_M, TerrainPlugin};
pub use sea::Sea;
#[cfg(feature = "gdal")]
pub(crate) use sea::face_direction;
