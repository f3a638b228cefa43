//! How high is the Earth here? Elevation data, from the files a user has down to the embedded global relief.
//!
//! - [`Relief`] answers the height at a place from ordered layers: any raster that GDAL opens, in any coordinate system.
//! - [`Lattice`] tabulates heights, saturated errors and height ranges on the vertices of the bisection's coarse levels.
//! - [`ShadeCube`] holds heights and slopes as a filtered cube map for shading.
//!
//! Heights are metres above whatever vertical datum the data use ([`LayerInfo::datum`] says which, if the file does).

mod angle;
mod error;
#[cfg(feature = "gdal")]
mod gdal_place;
#[cfg(feature = "gdal")]
mod gdal_source;
mod grid;
mod kernel;
mod lattice;
mod layer;
#[cfg(feature = "gdal")]
mod options;
mod placement;
mod raster;
mod relief;
mod shade_cube;
#[cfg(feature = "gdal")]
mod warp_table;

pub use error::HeightError;
pub use grid::{GlobalGrid, Registration};
pub use kernel::monotone_cubic;
pub use lattice::{HEIGHT_STEP_M, Lattice, decode_error_m, encode_error, quantise_m};
pub use layer::LayerInfo;
#[cfg(feature = "gdal")]
pub use options::OpenOptions;
pub use relief::{Relief, Sample};
pub use shade_cube::{ShadeCube, surface_normal};
