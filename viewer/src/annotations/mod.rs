//! What is written at the edges of a picture: compass, scale bar, sources, legend, title. The window writes it in flight, a map that goes into
//! a report for good.

mod legend;
mod map;
mod marks;
mod numbers;
mod panel;

pub use legend::{legend, sources};
pub use map::MapPlugin;
pub use marks::{VisibleGround, layers_in_view, marks};
pub use numbers::{MONTHS, Units, place, thousands};
pub use panel::{GAP, LEGEND, MARGIN_PT, MARKS, Panel, show_panel};
