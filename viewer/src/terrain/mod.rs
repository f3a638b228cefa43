//! The mesh of the planet in the world of the program.

mod plugin;

pub use plugin::{Pace, Planet, TerrainPlugin};
