//! What is a file: a pack of tiles, which every build reads, or a raster, which GDAL has to open?

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{error::HeightError, layer::Layer, options::OpenOptions};
use crate::pack::{Pack, is_pack};

/// Opens a file as a layer.
pub(crate) fn open(file: &Path, options: &OpenOptions) -> Result<Layer, HeightError> {
    if is_pack(file) {
        return Ok(Layer::pack(Pack::open(file)?));
    }
    raster(file, options)
}

/// All files that a source consists of.
pub(crate) fn source_files(file: &Path) -> Result<Vec<PathBuf>, HeightError> {
    if is_pack(file) { Ok(vec![file.into()]) } else { raster_files(file) }
}

#[cfg(feature = "gdal")]
pub(crate) use super::gdal_source::read_through;
#[cfg(feature = "gdal")]
use super::gdal_source::{files_of as raster_files, open_layer as raster};

/// The relief of the whole Earth that lies below everything else.
#[cfg(feature = "gdal")]
pub(crate) fn bottom() -> Result<Arc<Layer>, HeightError> {
    super::gdal_source::embedded_layer()
}

/// The relief of the whole Earth that lies below everything else.
#[cfg(not(feature = "gdal"))]
pub(crate) fn bottom() -> Result<Arc<Layer>, HeightError> {
    Err(HeightError::NoRelief)
}

#[cfg(not(feature = "gdal"))]
fn raster(file: &Path, _options: &OpenOptions) -> Result<Layer, HeightError> {
    if file.exists() {
        Err(HeightError::NeedsGdal { file: file.into() })
    } else {
        Err(HeightError::Missing { file: file.into() })
    }
}

#[cfg(not(feature = "gdal"))]
fn raster_files(file: &Path) -> Result<Vec<PathBuf>, HeightError> {
    Err(HeightError::NeedsGdal { file: file.into() })
}

/// Hands all bytes of a file to `each`, piece by piece.
#[cfg(not(feature = "gdal"))]
pub(crate) fn read_through(file: &Path, each: &mut dyn FnMut(&[u8])) -> Result<(), HeightError> {
    use std::io::Read as _;
    let unreadable = |e: std::io::Error| HeightError::Read { file: file.into(), reason: e.to_string() };
    let mut open = std::fs::File::open(file).map_err(unreadable)?;
    let mut bytes = vec![0u8; 1 << 20];
    loop {
        match open.read(&mut bytes).map_err(unreadable)? {
            0 => return Ok(()),
            read => each(&bytes[..read]),
        }
    }
}
