//! What is on the ground? Names of places, heights along index contours, degrees along meridians and parallels.
//!
//! A label belongs to a place of the ground, lies along its line and stays there while it can be read. Spots for new ones are
//! functions of the ground alone (`names`, `contours`, `graticule`). Those that are there go first (`placing`). So nothing
//! flickers in motion. Rays of the surface tell which of them are behind a mountain.

mod anchor;
mod contours;
mod eye;
mod graticule;
mod names;
mod paint;
mod placing;
mod plugin;
mod style;
mod subject;
mod tilted;

pub use placing::Labels;
pub use plugin::LabelsPlugin;
