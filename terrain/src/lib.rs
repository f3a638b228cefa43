//! Longest-edge bisection of the whole Earth over any elevation data.
//!
//! | step | modules |
//! |---|---|
//! | The planet is a cube whose faces carry the tangent warp of the WGS84 geodetic normal. | [`cube`], [`geodesy`] |
//! | Twelve right-isosceles triangles cover it and are bisected where the view needs it. | [`bisection`], [`pool`] |
//! | The criterion is projected geometric error. | [`mesh`], [`view`] |
//!
//! [`Planet`] is the facade: it connects these modules and draws into any wgpu render pass.

// Whether types that hold a buffer of wgpu may go between threads is asked of more than 128 types in it.
#![recursion_limit = "256"]

use kernels::device;

mod cpu_terrain;
pub mod expansion;
#[cfg(test)]
mod generated;
mod gpu_terrain;
mod ground_pipeline;
mod imagery_tiles;
mod jet;
mod key_words;
mod library;
pub mod mesh;
mod metric;
mod options;
mod pixel_tiles;
mod planet;
pub mod pool;
#[cfg(test)]
mod random;
mod report;
mod shading;
pub mod streaming;
mod timings;
pub mod view;
mod water_tiles;

pub use cpu_terrain::CpuTerrain;
pub use elevation::{
    TileCache, bake, bisection, borders, cube, feature_writer, features, geodesy, height, imagery_tile, pack, progress,
    shading_tile, surface, tile, water,
};
#[cfg(feature = "gdal")]
pub use elevation::{feature_file, outline_file};
pub use gpu_terrain::{GpuTerrain, GpuTimings, MeshRays, MeshRaysError};
pub use ground_pipeline::GroundPipeline;
pub use imagery_tiles::{DEFAULT_IMAGERY_TILES, IMAGERY_TILE_BYTES, ImageryTiles};
pub use library::{WGSL, composer, composer_on};
pub use mesh::TerrainVertex;
pub use metric::Quality;
pub use options::{Backend, DEFAULT_TILES, Options, PlanetError, TILE_BYTES, TerrainError};
pub use pixel_tiles::{PixelTiles, TileBindings};
pub use planet::{Planet, Timings};
pub use report::UpdateReport;
pub use shading::{DEFAULT_SHADING_TILES, SHADING_TILE_BYTES, ShadingTiles};
pub use streaming::shading_map_texel_m;
pub use timings::CpuTimings;
pub use view::View;
pub use water_tiles::{WATER_TILE_BYTES, WaterTiles};

// The example of the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
