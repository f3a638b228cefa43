//! What is on the ground? Names of places, heights along index contours, degrees along meridians and parallels.
//!
//! A label belongs to a place of the ground, lies along its line and stays there while it can be read. Spots for new ones are
//! functions of the ground alone (`names`, `contours`, `graticule`). Those that are there go first (`placement`). So
//! nothing flickers in motion. Rays of the surface tell which of them are behind a mountain.

mod anchor;
mod contours;
mod graticule;
mod label_view;
mod names;
mod oriented_rect;
mod paint;
mod placement;
mod plugin;
mod style;
mod subject;

pub use placement::Labels;
pub use plugin::LabelsPlugin;
pub(crate) use plugin::draw_labels;
