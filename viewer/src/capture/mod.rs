//! Pictures and paths in files: from a texture of the GPU to PNG files and GIF films, from a recording to JSON.

mod film;
mod picture;
mod plugin;
mod save;
mod whole;
mod world_file;

pub use film::{Film, FilmError, OutputName};
pub use picture::{Picture, PictureError, PictureFormat};
pub use plugin::{CapturePlugin, Captures};
pub use save::{save_markers, save_path, save_picture, save_scene};
pub(crate) use whole::WholeFile;
pub use world_file::WorldFile;
