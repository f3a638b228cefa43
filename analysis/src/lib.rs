//! What is seen and lit on the surface of the Earth?
//!
//! | question | module |
//! |---|---|
//! | Which ground does an eye see? How high must a target be? How many eyes see it? | [`viewshed`] |
//! | How high does the ground stand against the sky? | [`horizon`] |
//! | The same, from each cell of a raster? | [`horizons`] |
//! | Which are the longest lines of sight of an area? | [`sightlines`] |
//! | How much of the sky does ground see? | [`sky_view`] |
//! | Where is the sun? | [`sun`] |
//! | How bright is a clear sky? | [`clear_sky`] |
//! | How much light does the ground receive? | [`insolation`] |
//! | When does the sun shine on a place? | [`sunlight`] |
//! | Which few triangles are the ground? | [`mesh`] |
//!
//! Every answer is one of [`elevation::surface::Surface`], the surface that is drawn. No window and no device is needed;
//! with the feature `gpu` a device finds the horizons of rasters, and the longest lines of sight.

pub mod calendar;
pub mod clear_sky;
mod degrees;
pub mod horizon;
pub mod horizons;
pub mod insolation;
mod memory;
pub mod mesh;
mod option;
#[cfg(test)]
mod random;
pub mod sightlines;
pub mod sky_view;
pub mod sun;
pub mod sunlight;
#[cfg(test)]
mod terrains;
pub mod viewshed;

pub use horizon::{Horizon, HorizonError, HorizonOptions, HorizonPoint};
#[cfg(feature = "gpu")]
pub use horizons::device::{DeviceHorizonGround, DeviceHorizonsError};
pub use horizons::{Grid, HorizonGround, Horizons, HorizonsOptions};
pub use insolation::{Insolation, InsolationError, InsolationOptions};
pub use memory::MemoryError;
pub use mesh::Mesh;
pub use option::OptionError;
pub use sightlines::{Sightline, Sightlines, SightlinesOptions};
pub use sky_view::SkyView;
pub use sun::{SunError, SunPosition};
pub use sunlight::{Sunlight, SunlightDay};
pub use viewshed::{
    DecisionCounts, HeightReference, NeededHeights, Observer, ObserverCounts, Viewshed, ViewshedError, ViewshedOptions,
    count_observers,
};

// The example of the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
