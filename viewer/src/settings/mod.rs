//! Settings: what the user has chosen in the window, kept from one flight to the next.

mod file;
mod plugin;
mod values;

pub use file::{OpenedSettings, SettingsFile};
pub use plugin::{SettingsPlugin, SettingsStore};
pub use values::{Settings, overlay_names, overlays};
