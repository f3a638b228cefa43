//! How high is the Earth here? Elevation data, from the files a user has down to the embedded global relief.
//!
//! - [`Relief`] answers the height at a place from ordered layers: any raster that GDAL opens, in any coordinate system,
//!   packs of tiles ([`crate::pack`]), and any [`ElevationSource`] of another crate.
//! - [`CoarseErrors`] tabulates saturated errors and height ranges on the vertices of the bisection's coarse levels.
//! - [`ImageryLayer`] is any raster of colours that GDAL opens, with its place.
//! - [`ShadeCube`] holds heights and slopes as a filtered cube map for shading.
//!
//! Heights are not rounded here: the mesh places its vertices in f64. Tiles round them to 1/512 m, which every height on
//! Earth has in 24 bits ([`crate::tile`]), packs to a power of two of that that suits their finest level.
//!
//! Heights are metres above whatever vertical datum the data use ([`LayerInfo::datum`] says which, if the file does), or,
//! on request ([`OpenOptions::vertical`]), above one datum for all.

mod angle;
mod array;
mod cells;
#[cfg(feature = "gdal")]
mod checked_reads;
mod datum_name;
#[cfg_attr(not(feature = "gdal"), path = "height/no_datum_shift.rs")]
mod datum_shift;
#[cfg(feature = "gdal")]
mod datum_table;
#[cfg(feature = "gdal")]
mod decimate;
mod diagnostics;
mod elevation_source;
#[cfg(feature = "earth")]
mod embedded;
#[cfg(feature = "earth")]
mod embedded_picture;
mod error;
mod filled_quads;
#[cfg(feature = "gdal")]
mod fingerprint;
#[cfg(feature = "gdal")]
mod folder;
#[cfg(feature = "gdal")]
mod gdal_blocks;
#[cfg(feature = "gdal")]
mod gdal_file;
#[cfg(feature = "gdal")]
mod gdal_georeference;
#[cfg(feature = "gdal")]
mod gdal_height_encoding;
#[cfg(feature = "gdal")]
mod gdal_imagery;
#[cfg(feature = "gdal")]
mod gdal_open;
#[cfg(feature = "gdal")]
mod gdal_read;
#[cfg(feature = "gdal")]
mod gdal_source;
#[cfg(feature = "gdal")]
mod gdal_system;
#[cfg(feature = "gdal")]
mod gdal_vectors;
#[cfg(feature = "gdal")]
mod gdal_vrt_units;
mod georeference;
mod grid;
#[cfg(feature = "gdal")]
mod headers;
mod imagery_layer;
mod kernel;
mod layer;
mod layer_info;
#[cfg(feature = "gdal")]
mod mosaic;
#[cfg(feature = "gdal")]
mod netcdf_classic;
mod options;
mod pack_surface;
#[cfg(feature = "gdal")]
mod parts;
mod patch;
#[cfg(feature = "gdal")]
mod picture_folder;
mod placement;
#[cfg(feature = "gdal")]
mod proj;
mod raster;
#[cfg(feature = "gdal")]
mod raster_cache;
mod region;
mod relief;
mod resample;
mod shade_cube;
mod source;
#[cfg(feature = "gdal")]
mod special_files;
mod synthetic;
mod values;
mod vertical_axis;
#[cfg(feature = "gdal")]
mod vrt_sources;
mod warp_table;
#[cfg(feature = "gdal")]
mod windows;
#[cfg(feature = "gdal")]
mod xyz;

pub(crate) use angle::lon_lat_deg;
pub use array::{ArraySystem, RasterArray};
pub(crate) use cells::{Grid, Pyramid, bounds as cell_bounds};
pub use elevation_source::{Elevation, ElevationSource, Location, Spacing};
pub use error::HeightError;
pub use foreign::{unit::metres_per_unit, vertical::VerticalDatum};
#[cfg(feature = "gdal")]
pub(crate) use gdal_georeference::{degrees_of, transform};
#[cfg(feature = "gdal")]
pub use gdal_imagery::ImageryError;
#[cfg(feature = "gdal")]
pub(crate) use gdal_open::{Session, forget_failure, last_failure, message, prepare};
#[cfg(feature = "gdal")]
pub use gdal_open::{allow_drivers, share_block_cache};
#[cfg(feature = "gdal")]
pub(crate) use gdal_vectors::{FetchGuard, open_vectors};
pub use grid::{GlobalGrid, Registration};
pub(crate) use imagery_layer::Part;
pub use imagery_layer::{ColourAdjustment, ImageryLayer};
pub use kernel::{Interpolation, monotone_cubic};
pub(crate) use layer_info::{Area, MemberFile};
pub use layer_info::{LayerInfo, MemoryUse};
pub use options::{LayerOptions, Network, OpenOptions, RemotePacks, is_remote};
pub(crate) use patch::Patch;
#[cfg(feature = "gdal")]
pub(crate) use proj::installed_grids;
pub use raster::FILL_TEXELS;
pub(crate) use region::Rect;
pub use region::{HeightBounds, Region};
pub(crate) use relief::root_errors;
pub use relief::{CoarseErrors, Relief, Sample, SourceAt};
pub use shade_cube::{ShadeBlock, ShadeCube, ShadeTexel};
#[cfg(feature = "gdal")]
pub use source::files_of_raster;
pub(crate) use source::{read_through, source_files};
pub(crate) use synthetic::{COARSE_M, Synthetic};
