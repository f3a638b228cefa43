//! Where may better elevation and pictures come from? Public servers of tiles, whose tiles of a place become one file.
//!
//! `Catalogue` knows servers and their terms. `Fetch` downloads the tiles of an `Area` beside the file that is to be, continues after
//! an interruption, and writes a GeoTIFF that any program reads. `Surroundings` are several of them around a place, kept in a folder.
//! Nothing is requested before `Fetch::run` or `Surroundings::download_to`. All of these need the feature `gdal`.
//!
//! [`remote_packs`] opens packs of tiles on any server that gives parts of files, and on object storage, in every build.
//! [`Destination`] is where a pack goes, a file or an object, [`Upload`] puts any file on object storage.
#![forbid(unsafe_code)]

#[cfg(feature = "gdal")]
mod area;
#[cfg(feature = "gdal")]
mod catalogue;
mod client;
mod destination;
#[cfg(feature = "gdal")]
mod error;
#[cfg(feature = "gdal")]
mod fetch;
mod parts;
#[cfg(test)]
mod random;
mod remote_pack;
mod s3;
mod signature;
#[cfg(feature = "gdal")]
mod surroundings;
#[cfg(feature = "gdal")]
mod tile;
#[cfg(feature = "gdal")]
mod tile_address;
mod upload;

#[cfg(feature = "gdal")]
pub use area::Area;
#[cfg(feature = "gdal")]
pub use catalogue::{Catalogue, Kind, Source};
pub use client::Network;
pub use destination::{Destination, DestinationError};
#[cfg(feature = "gdal")]
pub use error::SourceError;
#[cfg(feature = "gdal")]
pub use fetch::{Fetch, Outcome, Progress};
pub use remote_pack::{RemoteOptions, remote_packs};
pub use s3::S3Options;
#[cfg(feature = "gdal")]
pub use surroundings::{METRES_PER_DEGREE, SurroundingRasters, Surroundings, box_around, cached_rasters};
#[cfg(feature = "gdal")]
pub use tile_address::TileAddress;
pub use upload::{Upload, UploadError};

// The example of the README runs as a test.
#[cfg(all(doctest, feature = "gdal"))]
#[doc = include_str!("../README.md")]
struct Readme;
