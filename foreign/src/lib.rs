//! What others wrote: how is it read, and how is it shown?
//!
//! Files, pipes, arguments and the names inside of files come from anybody. This crate needs no GPU, no window and no GDAL, so that
//! what reads them can be fuzzed within a minute. Here is the one way to take in a small file
//! ([`read_small`]) and the one way to print text and numbers from elsewhere ([`shown`], [`escaped`], [`number`]).
#![forbid(unsafe_code)]

pub mod list;
mod notation;
pub mod path;
pub mod place;
pub mod points;
pub mod raster;
mod read;
pub mod settings;
pub mod spline;
mod text;
pub mod unit;
pub mod values;

pub use read::{open_regular, read_small, read_small_text};
pub use text::{Number, Shown, escaped, number, sentence, shown};
