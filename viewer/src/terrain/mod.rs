//! The mesh of the planet in the world of the program.

mod budget;
mod engine;
mod plugin;
mod sea;

pub use budget::{DEFAULT_FRAME_MS, FrameBudget};
pub use engine::{Engine, MeshOn, MeshTimes, Tiles};
pub use plugin::{NextPool, Pace, Planet, REACH_M, TerrainPlugin};
#[cfg(test)]
pub(crate) use plugin::{flat, hills};
pub use sea::Sea;
