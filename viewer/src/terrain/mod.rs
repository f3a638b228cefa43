//! The mesh of the planet in the world of the program.

mod engine;
mod plugin;

pub use engine::{Engine, MeshOn};
pub use plugin::{Pace, Planet, TerrainPlugin};
