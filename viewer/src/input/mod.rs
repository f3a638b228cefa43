//! From keys, buttons and sticks to what the user wants.

pub mod bindings;
mod devices;
mod fingers;
mod gamepad;
mod key_names;
mod keymap;
mod plugin;

pub use devices::{Click, Devices, Drag};
pub use fingers::Gesture;
pub use gamepad::{Gamepad, Pad, Wake};
pub use keymap::{KeyLine, Keymap};
pub(crate) use plugin::read_devices;
pub use plugin::{Controls, Held, InputPlugin};
