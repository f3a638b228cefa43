//! What is a file: a pack of tiles, which every build reads, or a raster, which GDAL has to open?

#[cfg(feature = "gdal")]
use std::sync::LazyLock;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    error::HeightError,
    layer::Layer,
    options::{LayerOptions, Network, OpenOptions},
};
use crate::pack::{Pack, PackError, is_pack, is_pack_address};

/// Opens files as layers, in their order.
pub(crate) fn open_all(files: &[PathBuf], options: &OpenOptions) -> Result<Vec<Layer>, HeightError> {
    #[cfg(feature = "gdal")]
    if options.online() {
        super::gdal_open::allow_web_services();
    }
    // What is said of all rasters would be said of none.
    if let Some(file) = files.first().filter(|_| options.has_raster_options() && files.iter().all(|file| is_pack(file)))
    {
        return Err(HeightError::PackOptions { file: file.clone() });
    }
    let open = |(k, file): (usize, &PathBuf)| {
        if !is_pack(file) {
            return raster(file, &options.of_layer(k, file));
        }
        // What its heights are above may be said of a pack too.
        let own = options.layers.get(k).cloned().unwrap_or_default();
        if own != LayerOptions::default().with_src_vertical(own.src_vertical) {
            return Err(HeightError::PackOptions { file: file.clone() });
        }
        Layer::pack(options.open_pack(file)?.whole()?, own.src_vertical, options.pack_level)
    };
    files.iter().enumerate().map(open).collect()
}

/// An address without what stands behind a question mark, which may be a key.
fn without_query(address: &Path) -> PathBuf {
    address.to_string_lossy().split(['?', '#']).next().unwrap_or_default().into()
}

impl OpenOptions {
    /// Opens a pack or one of its shards, from a disk or a server.
    ///
    /// ```
    /// use elevation::{height::{Network, OpenOptions}, pack::PackError};
    /// let offline = OpenOptions::default().with_network(Network::Never);
    /// let refused = offline.open_pack("https://example.org/alps.pack?key=1".as_ref());
    /// // What may be a key is not repeated.
    /// assert!(matches!(refused, Err(PackError::Remote { file, .. }) if file.ends_with("alps.pack")));
    /// ```
    ///
    /// # Errors
    /// As [`Pack::open_any`]; [`PackError::Remote`] if the server does not give it, or may not be asked.
    pub fn open_pack(&self, file: &Path) -> Result<Pack, PackError> {
        let Some(address) = file.to_str().filter(|_| is_pack_address(file)) else { return Pack::open_any(file) };
        let refused = |reason: &str| PackError::Remote { file: without_query(file), reason: reason.to_owned() };
        match &self.remote {
            _ if self.network == Network::Never => {
                let way_out = "leave out --offline, or download the pack and give the file";
                Err(refused(&format!("nothing is read from the network: {way_out}")))
            }
            Some(remote) => remote.open(address),
            None => Err(refused("packs on servers are not read here: download it and give the file")),
        }
    }
}

/// All files that a source consists of, by its own options.
pub(crate) fn source_files(file: &Path, options: &OpenOptions) -> Result<Vec<PathBuf>, HeightError> {
    if is_pack_address(file) {
        let reason = "what is made of it reads all of it: download it and give the file".to_owned();
        return Err(PackError::Remote { file: without_query(file), reason }.into());
    }
    if is_pack(file) { Ok(vec![file.into()]) } else { raster_files(file, options) }
}

#[cfg(feature = "gdal")]
pub(crate) use super::gdal_open::read_through;
#[cfg(feature = "gdal")]
use super::{
    folder::{self, FolderRasters, damaged, is_multi_file},
    gdal_open::files_of,
    gdal_source::{describe_file, fit_budget, open_raster},
    headers::Header,
    mosaic::{CheckSampling, Mosaic},
    windows::Windows,
};

/// The files that a raster consists of, as far as none is on the network: itself, its header, the sources of a virtual raster, and
/// what those consist of. Of a folder the same of the virtual rasters in it, those that GDAL opens.
///
/// ```
/// use elevation::height::files_of_raster;
/// let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/jacksboro.tif");
/// assert_eq!(files_of_raster(&file)?, [file]);
/// # Ok::<(), elevation::height::HeightError>(())
/// ```
///
/// # Errors
/// A file that GDAL does not open, a folder that cannot be read.
#[cfg(feature = "gdal")]
pub fn files_of_raster(file: &Path) -> Result<Vec<PathBuf>, HeightError> {
    if !file.is_dir() {
        return files_of(file, false);
    }
    let mut all = folder::files_of(file)?;
    all.retain(|file| file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("vrt")));
    Ok(all.iter().flat_map(|file| files_of(file, false).unwrap_or_default()).collect())
}

/// Opens one file as a layer: in memory, or in windows if it is larger than the budget.
#[cfg(feature = "gdal")]
fn open_layer(file: &Path, options: &OpenOptions) -> Result<Layer, HeightError> {
    let size = describe_file(file, options)?.info.size.into();
    if fit_budget(size, options.layer_bytes) == size {
        let (placed, info, opened) = open_raster(file, options, options.layer_bytes)?;
        let feather = options.feather(info.posting_m);
        return Ok(Layer { opened: Some(opened), feather, ..Layer::of(placed, info) });
    }
    let (windows, info) = Windows::open(file.into(), options)?;
    Ok(Layer { feather: options.feather(info.posting_m), ..Layer::of(windows, info) })
}

/// A raster, or a folder or list of rasters as one layer.
#[cfg(feature = "gdal")]
fn raster(file: &Path, options: &OpenOptions) -> Result<Layer, HeightError> {
    if !is_multi_file(file) {
        return open_layer(file, options);
    }
    // Some formats are folders.
    let alone = if file.is_dir() { open_layer(file, options).ok() } else { None };
    if let Some(layer) = alone {
        return Ok(layer);
    }
    let FolderRasters { files, left_out, bad } = members(file, options)?;
    let notes = (left_out > 0).then(|| format!("{left_out} files in it are no rasters in a place"));
    let bodies = || files.iter().map(|(_, header)| header.info.ellipsoid);
    if let Some((other, first)) =
        bodies().zip(bodies().skip(1)).position(|(a, b)| a != b).and_then(|k| files.get(k + 1).zip(files.first()))
    {
        let bodies = [other, first].map(|(_, header)| header.info.ellipsoid);
        return Err(HeightError::OtherBody { file: other.0.clone(), bodies });
    }
    let coarsest_m = files.iter().map(|(_, header)| header.info.posting_m).fold(0.0, f64::max);
    let mosaic = Mosaic::of(files, options.clone());
    let mut info = mosaic.info(file, notes.into_iter().collect());
    info.remarks.extend(mosaic.disagreement());
    // What is missing is to be known before what looks odd.
    if let Some(remark) = damaged(&bad) {
        info.remarks.insert(0, remark);
    }
    Ok(Layer { feather: options.feather(info.posting_m), coarsest_m, ..Layer::of(mosaic, info) })
}

#[cfg(feature = "gdal")]
fn members(file: &Path, options: &OpenOptions) -> Result<FolderRasters, HeightError> {
    let below = LazyLock::new(|| bottom().ok());
    let look = |(k, of): (usize, usize), file: &Path, header: &Header| {
        CheckSampling::at(of).remarks(k, (file, header), options, || below.as_deref())
    };
    let found = folder::rasters_of(file, options, &look)?;
    if found.files.is_empty() {
        let reason = format!("no raster in it; {} other files", found.left_out);
        return Err(HeightError::CannotOpen { file: file.into(), reason });
    }
    Ok(found)
}

#[cfg(feature = "gdal")]
fn raster_files(file: &Path, options: &OpenOptions) -> Result<Vec<PathBuf>, HeightError> {
    let online = options.online();
    if !is_multi_file(file) || files_of(file, online).is_ok() {
        return files_of(file, online);
    }
    let found = members(file, options)?;
    let files = found.files.iter().map(|(file, _)| files_of(file, online)).collect::<Result<Vec<_>, _>>()?;
    Ok(files.concat())
}

/// The relief of the whole Earth that lies below everything else.
#[cfg(feature = "earth")]
pub(crate) fn bottom() -> Result<Arc<Layer>, HeightError> {
    super::embedded::layer()
}

/// The relief of the whole Earth that lies below everything else.
#[cfg(not(feature = "earth"))]
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
fn raster_files(file: &Path, _options: &OpenOptions) -> Result<Vec<PathBuf>, HeightError> {
    Err(HeightError::NeedsGdal { file: file.into() })
}

/// Remarks on a layer that fits the relief of the whole Earth elsewhere than where it says it is, or in feet.
#[cfg(feature = "gdal")]
pub(crate) fn compare(layer: &mut Layer, below: &Layer) {
    let remark = super::diagnostics::misfit_of(layer, below);
    layer.info.remarks.extend(remark);
}

/// There is nothing to compare with.
#[cfg(not(feature = "gdal"))]
pub(crate) fn compare(_: &mut Layer, _: &Layer) {}

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
