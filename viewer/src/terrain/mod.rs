//! The mesh of the planet in the world of the program.

mod budget;
mod engine;
mod plugin;
mod sea;

pub use budget::{DEFAULT_FRAME_MS, FrameBudget};
pub use engine::{Engine, MeshOn, MeshTimes, Tiles};
#[cfg(test)]
pub(crate) use plugin::flat;
pub use plugin::{NextPool, Pace, Planet, REACH_M, TerrainPlugin};
pub use sea::Sea;
