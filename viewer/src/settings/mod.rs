//! Settings: what the user has chosen in the window, kept from one flight to the next.

mod file;
mod plugin;

pub use foreign::settings::Settings;

pub use file::{OpenedSettings, SettingsFile};
pub use plugin::{SettingsPlugin, SettingsStore};
