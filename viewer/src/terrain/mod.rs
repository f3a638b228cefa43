//! The mesh of the planet in the world of the program.

mod budget;
mod mesh;
mod plugin;

pub use budget::{DEFAULT_FRAME_MS, FrameBudget};
pub use mesh::make_mesh;
pub(crate) use plugin::layer_title;
pub use plugin::{NextPool, Pace, Planet, REACH_M, TerrainPlugin};
#[cfg(test)]
pub(crate) use plugin::{flat, hills};
