//! The mesh of the planet in the world of the program.

mod plugin;

#[cfg(test)]
pub(crate) use plugin::flat;
pub use plugin::{Pace, Planet, REACH_M, TerrainPlugin};
