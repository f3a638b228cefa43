//! From keys and buttons to what the user wants.

pub mod bindings;
mod devices;
mod plugin;

pub use devices::{Devices, Drag};
pub(crate) use plugin::read_devices;
pub use plugin::{Controls, InputPlugin};
