//! How is untrusted input read, and how is it shown?
//!
//! Parsing and display of untrusted input: files, pipes, arguments, and names inside of files. [`read_small`] is the one way to
//! read a small file. [`sanitized`], [`escaped`] and [`number`] are the one way to print untrusted text and numbers.
//! The crate needs no GPU, no window and no GDAL, so that its parsers can be fuzzed within a minute.
#![forbid(unsafe_code)]

pub mod calendar;
mod grid_reference;
pub mod list;
mod notation;
mod options;
pub mod path;
pub mod place;
mod plus_code;
pub mod points;
pub mod raster;
mod read;
pub mod scene;
pub mod settings;
pub mod spline;
pub mod style;
pub mod sun;
mod text;
pub mod unit;
pub mod values;
pub mod vertical;

pub use read::{open_regular, read_small, read_small_text};
pub use text::{Number, SanitizedText, escaped, nearest, number, sanitized, sentence};

// The example of the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
