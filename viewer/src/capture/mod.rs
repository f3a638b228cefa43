//! Pictures and paths in files: from a texture of the GPU to PNG files, GeoTIFFs, GIF films and videos, from a recording to JSON.

mod film;
mod geotiff;
mod orthoimage;
mod picture;
mod pictures_folder;
mod plugin;
mod save;
mod video;
mod whole;
mod world_file;

pub use film::{Film, FilmError, OutputName};
pub use orthoimage::{Orthoimage, OrthoimageError, PixelGrid};
pub use picture::{Picture, PictureError, PictureFormat};
pub use pictures_folder::PicturesFolder;
pub use plugin::{CapturePlugin, Captures};
pub use save::{keep_picture, save_markers, save_path, save_scene, told};
pub use video::{VideoError, VideoFormat};
pub(crate) use whole::WholeFile;
pub use world_file::WorldFile;
