//! The mesh of the planet in the world of the program.

mod budget;
mod feature_labels;
mod first_frame;
mod imagery;
mod mesh;
mod occlusion;
mod pace;
mod planet;
mod plugin;
mod shading_map;
mod vectors;

pub use budget::{DEFAULT_FRAME_MS, FrameBudget};
pub(crate) use feature_labels::FeatureLabels;
pub use imagery::{ImageryFile, ImageryLayers, OpenedPicture};
pub use mesh::make_mesh;
pub(crate) use occlusion::{LOOK_EVERY, OcclusionTolerance, is_hidden};
pub use pace::Pace;
pub(crate) use planet::layer_title;
pub use planet::{COARSE_M, GroundTiles, Planet, REACH_M, surely_land_m};
#[cfg(test)]
pub(crate) use planet::{flat, hills};
pub use plugin::{NextPool, TerrainPlugin};
pub use shading_map::ShadingMap;
pub use vectors::{VectorFile, VectorLayer, bbox_of_vectors};
