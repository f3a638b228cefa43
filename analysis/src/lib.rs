//! What is seen and lit on the surface of the Earth?
//!
//! | question | module |
//! |---|---|
//! | Which ground does an eye see? | [`viewshed`] |
//! | How high does the ground stand against the sky? | [`horizon`] |
//! | The same, from each cell of a raster? | [`horizons`] |
//!
//! Every answer is one of [`elevation::surface::Surface`], the surface that is drawn. No window and no device is needed.

pub mod horizon;
pub mod horizons;
#[cfg(test)]
#[path = "../../elevation/tests/random/mod.rs"]
mod random;
#[cfg(test)]
mod terrains;
pub mod viewshed;

pub use horizon::{Horizon, HorizonError, HorizonOptions, HorizonPoint};
pub use horizons::{Grid, Horizons, HorizonsOptions};
pub use viewshed::{Viewshed, ViewshedError, ViewshedOptions};

// The example of the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
