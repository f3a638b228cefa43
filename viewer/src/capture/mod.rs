//! Pictures and paths in files: from a texture of the GPU to PNG files, GeoTIFFs, GIF films and videos, from a recording to JSON.

mod film;
mod geotiff;
mod orthoimage;
mod picture;
mod plugin;
mod save;
mod video;
mod whole;
mod world_file;

pub use film::{Film, FilmError, OutputName};
pub use orthoimage::{Orthoimage, OrthoimageError, PixelGrid};
pub use picture::{Picture, PictureError, PictureFormat};
pub use plugin::{CapturePlugin, Captures};
pub use save::{save_markers, save_path, save_picture, save_scene};
pub use video::{VideoError, VideoFormat};
pub(crate) use whole::WholeFile;
pub use world_file::WorldFile;
