//! The head-up display: a line of figures, markers and what lies between them, the list of keys, the field for a place,
//! the panel of settings and times.

mod chooser;
mod cursor;
mod figures;
mod frame_history;
mod goto;
mod graphs;
mod help;
mod layer_list;
mod layout;
mod listing;
mod measure;
mod memo;
mod memory;
mod panel;
mod picked;
mod pin_visibility;
mod place_menu;
mod placemark_form;
mod plot;
mod plugin;
mod screen;
mod skyline;
mod state;
mod sun_box;
mod times;
mod toolbar;
mod visible_ground;

pub use figures::FrameTimes;
pub use plugin::HudPlugin;
pub use state::{Hud, HudInput, HudOutput, LoadRequests, QuitState};
pub use times::PartTimes;
