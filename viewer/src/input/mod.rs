//! From keys, buttons and sticks to what the user wants.

pub mod bindings;
mod devices;
mod fingers;
mod gamepad;
mod key_names;
mod keymap;
mod plugin;

pub use devices::{Click, Devices};
pub use fingers::Gesture;
pub use gamepad::Gamepad;
pub use keymap::{KeyLine, Keymap};
pub(crate) use plugin::read_devices;
pub use plugin::{Controls, InputPlugin};
