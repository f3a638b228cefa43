//! The surface of the whole Earth, from any elevation data.
//!
//! | step | modules |
//! |---|---|
//! | The planet is a cube whose faces carry the tangent warp of the WGS84 geodetic normal. | [`cube`], [`geodesy`] |
//! | Its vertices are those of the longest-edge bisection of twelve right-isosceles triangles. | [`bisection`] |
//! | Heights come from ordered elevation layers. | [`height`] |
//! | A tile holds heights and saturated errors of one square of a face. | [`tile`] |
//! | Another holds gradients and heights to shade it by. | [`shading_tile`] |
//! | Another holds colours of pictures, with points, lines and areas on them. | [`imagery_tile`], [`features`] |
//! | Features are written for other programs. | [`feature_writer`] |
//! | Outlines tell land, sea and lakes, lines where countries end. | [`water`], [`borders`] |
//! | Large data can be prepared as packs of tiles. | [`bake`], [`pack`] |
//! | Heights, slopes, profiles, rays and sight lines are answered in f64. | [`surface`] |
//!
//! No window and no device is needed: the crate compiles without wgpu, and without GDAL where its feature `gdal` is off.

use kernels::device;

pub mod bake;
pub mod bisection;
pub mod borders;
mod change_time;
pub mod cube;
#[cfg(feature = "gdal")]
pub mod feature_file;
pub mod feature_writer;
pub mod features;
#[cfg(test)]
mod generated;
pub mod geodesy;
#[cfg(feature = "gdal")]
pub mod geotiff;
pub mod height;
pub mod imagery_tile;
mod light;
#[cfg(feature = "gdal")]
pub mod outline_file;
mod outlines;
pub mod pack;
mod pack_parts;
pub mod progress;
#[cfg(test)]
#[path = "../tests/random/mod.rs"]
mod random;
mod record_log;
pub mod sample_spacing;
pub mod shading_tile;
pub mod slope;
pub mod surface;
pub mod tile;
mod tile_build;
mod tile_cache;
#[cfg(feature = "gdal")]
pub mod vector_file;
pub mod water;

pub use pack_parts::PackParts;
pub use tile_cache::TileCache;

// The example of the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
