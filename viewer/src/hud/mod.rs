//! The head-up display: a line of figures, markers and what lies between them, the list of keys, the field for a place.

mod cursor;
mod figures;
mod goto;
mod layout;
mod measure;
mod paint;
mod plugin;
mod state;
mod times;

pub use figures::{FrameTimes, figures};
pub use paint::Painter;
pub use plugin::HudPlugin;
pub use state::{Figures, Hud, HudInput, HudOutput};
pub use times::PartTimes;
