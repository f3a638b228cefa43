//! What is seen and lit on the surface of the Earth?
//!
//! | question | module |
//! |---|---|
//! | Which ground does an eye see? How high must a target be? How many eyes see it? | [`viewshed`] |
//!
//! Every answer is one of [`elevation::surface::Surface`], the surface that is drawn. No window and no device is needed.

#[cfg(test)]
#[path = "../../elevation/tests/random/mod.rs"]
mod random;
#[cfg(test)]
mod terrains;
pub mod viewshed;

pub use viewshed::{
    Above, NeededHeights, Observer, ObserverCounts, Steps, Viewshed, ViewshedError, ViewshedOptions, count_observers,
};

// The example of the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
