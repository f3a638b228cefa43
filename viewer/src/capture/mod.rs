//! Pictures and paths in files: from a texture of the GPU to PNG files, GeoTIFFs, GIF films and videos, from a recording to JSON.

mod atomic_file;
mod exr_file;
mod film;
mod geotiff;
mod image_file;
mod orthoimage;
mod pictures_folder;
mod plugin;
mod save;
mod small_picture;
mod video;
mod world_file;

pub(crate) use atomic_file::{AtomicFile, lock_folder};
pub use film::{Film, FilmError, OutputName};
pub use image_file::{FrameImage, ImageError, ImageFormat, ReadbackTexture};
pub use orthoimage::{Orthoimage, OrthoimageError, PixelGrid};
pub use pictures_folder::PicturesFolder;
pub use plugin::{CapturePlugin, CaptureRequests};
pub use save::{save_features, save_image, save_path, save_scene, saved_message, write_png};
pub use small_picture::SMALL_PX;
pub use video::{VideoError, VideoFormat};
pub use world_file::WorldFile;
