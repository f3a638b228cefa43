//! From keys, buttons and sticks to what the user wants.

pub mod bindings;
mod devices;
mod gamepad;
mod plugin;

pub use devices::{Click, Devices, Drag};
pub use gamepad::{Gamepad, Pad, Wake};
pub(crate) use plugin::read_devices;
pub use plugin::{Controls, Held, InputPlugin};
