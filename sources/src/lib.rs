//! Where may better elevation and pictures come from? Public servers of tiles, whose tiles of a place become one file.
//!
//! [`Catalogue`] knows servers and their terms. [`Fetch`] downloads the tiles of an [`Area`] beside the file that is to be, continues after
//! an interruption, and writes a GeoTIFF that any program reads. [`Surroundings`] are several of them around a place, kept in a folder.
//! [`remote_packs`] opens packs of tiles on any server that gives parts of files.
//! Nothing is requested before [`Fetch::run`] or [`Surroundings::keep_in`].
#![forbid(unsafe_code)]

mod area;
mod catalogue;
mod client;
mod error;
mod fetch;
mod parts;
mod remote_pack;
mod surroundings;
mod tile;
mod tile_address;

pub use area::Area;
pub use catalogue::{Catalogue, Kind, Source};
pub use client::Network;
pub use error::SourceError;
pub use fetch::{Fetch, Outcome, Progress};
pub use remote_pack::{RemoteOptions, remote_packs};
pub use surroundings::{METRES_PER_DEGREE, Rasters, Surroundings, box_around, kept};
pub use tile_address::TileAddress;

// The example of the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
