//! Pictures in files: from a texture of the GPU to PNG files and GIF films.

mod film;
mod picture;
mod plugin;
mod whole;

pub use film::{Film, FilmError, OutputName};
pub use picture::{Picture, PictureError};
pub use plugin::{CapturePlugin, Captures};
pub(crate) use whole::WholeFile;
