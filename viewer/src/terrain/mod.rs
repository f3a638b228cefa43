//! The mesh of the planet in the world of the program.

mod budget;
mod feature_labels;
mod first_frame;
mod hidden;
mod mesh;
mod pace;
mod pictures;
mod plugin;
mod shading_map;
mod vectors;

pub use budget::{DEFAULT_FRAME_MS, FrameBudget};
pub(crate) use feature_labels::FeatureLabels;
pub(crate) use hidden::{LOOK_EVERY, Tolerance, is_hidden};
pub use mesh::make_mesh;
pub use pace::Pace;
pub(crate) use pictures::picture_box_deg;
pub use pictures::{PictureFile, Pictures};
pub(crate) use plugin::layer_title;
pub use plugin::{DrawnGround, NextPool, Planet, REACH_M, TerrainPlugin};
#[cfg(test)]
pub(crate) use plugin::{flat, hills};
pub use shading_map::ShadingMap;
pub use vectors::{VectorFile, VectorLayer};
