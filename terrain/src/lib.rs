//! Longest-edge bisection of the whole Earth over any elevation data.
//!
//! | step | modules |
//! |---|---|
//! | The planet is a cube whose faces carry the tangent warp of the WGS84 geodetic normal. | [`cube`], [`geodesy`] |
//! | Twelve right-isosceles triangles cover it and are bisected where the view needs it. | [`bisection`], [`pool`] |
//! | The criterion is projected geometric error. | [`mesh`], [`view`] |
//! | Heights come from ordered elevation layers. | [`height`] |
//! | Large data can be prepared as packs of tiles. | [`pack`] |
//!
//! [`Planet`] is the facade: it connects these modules and draws into any wgpu render pass.

// What only a mesh on a device asks for.
#![cfg_attr(not(feature = "gpu"), allow(dead_code, unused_imports))]

use kernels::device;

pub mod bisection;
#[cfg(feature = "gpu")]
mod cpu_terrain;
pub mod cube;
pub mod expansion;
#[cfg(all(test, feature = "gpu"))]
mod generated;
pub mod geodesy;
#[cfg(feature = "gpu")]
mod gpu_terrain;
pub mod height;
mod jet;
mod key_words;
#[cfg(feature = "gpu")]
mod library;
pub mod mesh;
mod metric;
#[cfg(feature = "gpu")]
mod options;
pub mod pack;
#[cfg(feature = "gpu")]
mod planet;
pub mod pool;
mod postings;
pub mod progress;
#[cfg(test)]
#[path = "../tests/random/mod.rs"]
mod random;
#[cfg(feature = "gpu")]
mod report;
mod slope;
pub mod streaming;
pub mod surface;
pub mod tile;
mod tile_build;
mod timings;
pub mod view;

#[cfg(feature = "gpu")]
pub use cpu_terrain::CpuTerrain;
#[cfg(feature = "gpu")]
pub use gpu_terrain::{GpuTerrain, GpuTimings, MeshRays, MeshRaysError};
#[cfg(feature = "gpu")]
pub use library::{WGSL, composer};
pub use mesh::{SHADING_MAP_TEXEL_M, TerrainVertex};
pub use metric::Quality;
#[cfg(feature = "gpu")]
pub use options::{Backend, DEFAULT_TILES, Options, PlanetError, TerrainError};
#[cfg(feature = "gpu")]
pub use planet::{Planet, Timings};
#[cfg(feature = "gpu")]
pub use report::Report;
pub use timings::CpuTimings;
pub use view::View;

// The example of the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
