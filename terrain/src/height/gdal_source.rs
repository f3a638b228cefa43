//! How does a file become a layer? What fits the budget is read once, and only arrays are kept; the rest is read in windows.
//!
//! GDAL's handles may not be shared between threads, so none is kept by a layer. `AREA_OR_POINT` needs no care here: GDAL's
//! drivers already shift the geotransform of point-registered files so that it always refers to texel corners.

use std::{
    collections::BTreeSet,
    ffi::{CStr, CString},
    marker::PhantomData,
    path::{Path, PathBuf},
    sync::Once,
};

use gdal::{Dataset, DatasetOptions, GdalOpenFlags, Metadata, errors::GdalError, raster::RasterBand};

use super::{
    error::HeightError,
    fingerprint::Fingerprint,
    gdal_place::{Place, place},
    gdal_read::{Window, read_heights, read_parallel, to_heights},
    kept::TEXEL_BYTES,
    layer::{Layer, LayerInfo, Placed, Source, statistics},
    options::OpenOptions,
    raster::BORDER,
    suspect,
    windows::Windows,
};
use crate::progress::Stage;

/// What a file says of itself, before its heights are read.
#[derive(Debug)]
pub(crate) struct Described {
    /// Without range and voids.
    pub info: LayerInfo,
    pub place: Place,
    /// Of the files behind it, so that no others are read in their place later.
    pub fingerprint: Fingerprint,
}

/// Opens one file as a layer: in memory, or in windows if it is larger than the budget.
pub(crate) fn open_layer(file: &Path, options: &OpenOptions) -> Result<Layer, HeightError> {
    let size = describe_file(file, &OpenOptions { layer_bytes: usize::MAX, ..options.clone() })?.info.size;
    if fit_budget((size[0], size[1]), options.layer_bytes) == (size[0], size[1]) {
        let (placed, info, opened) = open_raster(file, options)?;
        return Ok(Layer { source: Source::Raster(placed), info, opened: Some(opened) });
    }
    let (windows, info) = Windows::open(file.into(), options)?;
    Ok(Layer { source: Source::Windows(Box::new(windows)), info, opened: None })
}

/// Opens one file in memory, averaged if it is larger than the budget; with what it was when it was opened.
pub(crate) fn open_raster(file: &Path, options: &OpenOptions) -> Result<(Placed, LayerInfo, Fingerprint), HeightError> {
    let _stage = Stage::begin("reading elevation", 0);
    let _quiet = QuietErrors::new();
    let dataset = open_dataset(file)?;
    let Described { mut info, place, fingerprint } = describe(file, &dataset, options)?;
    let unreadable = |e: GdalError| HeightError::Read { file: file.into(), reason: message(&e) };
    let band = dataset.rasterband(options.band).map_err(unreadable)?;
    let grid = (info.grid[0], info.grid[1]);
    let values = if grid == (info.size[0], info.size[1]) {
        let mut raw = Vec::new();
        let bytes = grid.0.saturating_mul(grid.1).saturating_mul(TEXEL_BYTES);
        let no_memory = |_| HeightError::NoMemory { file: file.into(), bytes };
        raw.try_reserve_exact(grid.0 * grid.1).map_err(no_memory)?;
        raw.resize(grid.0 * grid.1, 0f32);
        read_parallel(file, options.band, grid, &mut raw).map_err(unreadable)?;
        to_heights(&band, options, Window::all(&band), grid, raw, &mut info.notes)
    } else {
        read_heights(&band, options, Window::all(&band), grid, &mut info.notes)
    };
    let values = values.map_err(unreadable)?;
    // Half of one state and half of another would be cliffs.
    fingerprint.look()?;
    (info.range_m, info.void_share) = statistics(&values);
    info.notes.extend(suspect::heights(&values, &info));
    let placed = place.with_heights(values, options.feather_texels, info.grid);
    Ok((placed, info, fingerprint))
}

/// Opens a file and reads what it says of itself.
pub(crate) fn describe_file(file: &Path, options: &OpenOptions) -> Result<Described, HeightError> {
    let _quiet = QuietErrors::new();
    describe(file, &open_dataset(file)?, options)
}

fn describe(file: &Path, dataset: &Dataset, options: &OpenOptions) -> Result<Described, HeightError> {
    let count = dataset.raster_count();
    if count == 0 {
        return Err(HeightError::NoBand { file: file.into(), subdatasets: subdatasets(dataset) });
    }
    if options.band == 0 || options.band > count {
        return Err(HeightError::BandOutOfRange { file: file.into(), asked: options.band, count });
    }
    let unreadable = |e: GdalError| HeightError::Read { file: file.into(), reason: message(&e) };
    let band = dataset.rasterband(options.band).map_err(unreadable)?;
    let mut notes = Vec::new();
    let size = band.size();
    let grid = fit_budget(size, options.layer_bytes);
    if grid != size {
        notes.push(format!(
            "{} x {} texels are averaged to {} x {} to fit {} MiB",
            size.0,
            size.1,
            grid.0,
            grid.1,
            options.layer_bytes >> 20
        ));
    }
    let place = place(file, dataset, options, size, grid, &mut notes)?;
    if count >= 3 && band.band_type().name() == "Byte" {
        notes.push(format!("{count} bands of bytes: this looks like a picture, not elevation"));
    }
    // GDAL takes alpha for a mask in bytes and u16 alone; `gdalwarp -dstalpha` writes it in any type.
    let is_alpha = |k: &usize| {
        // SAFETY: the band is alive. (The binding's own question panics at interpretations that it does not know.)
        let meaning = |band: RasterBand| unsafe { gdal_sys::GDALGetRasterColorInterpretation(band.c_rasterband()) };
        dataset.rasterband(*k).is_ok_and(|band| meaning(band) == gdal_sys::GDALColorInterp::GCI_AlphaBand)
    };
    if let Some(alpha) = (1..=count).find(is_alpha).filter(|_| band.mask_flags().is_ok_and(|m| m.is_all_valid())) {
        notes.push(format!(
            "band {alpha} tells where there is data, but not in a way that GDAL reads: what lies outside counts as heights; \
             warp it with `gdalwarp -dstnodata -32768` in place of -dstalpha"
        ));
    }
    let info = LayerInfo {
        name: file.display().to_string(),
        driver: dataset.driver().short_name(),
        crs: place.crs.clone(),
        datum: place.datum.clone(),
        size: [size.0, size.1],
        grid: [grid.0, grid.1],
        posting_m: place.posting_m,
        bbox_deg: place.bbox_deg,
        nodata: band.no_data_value(),
        void_share: 0.0,
        range_m: (0.0, 0.0),
        notes,
    };
    let parts_of = |name: &Path| {
        let parts = if name == file { Ok(parts(dataset)) } else { direct_files_of(name) };
        // What cannot be read says so when its heights are.
        parts.unwrap_or_default()
    };
    Ok(Described { info, place, fingerprint: Fingerprint::of(file, &parts_of) })
}

/// Keeps GDAL's cache of blocks from taking a share of all memory, which is its default: heights are kept here, and a window is
/// seldom read twice. Who sets `GDAL_CACHEMAX` decides.
fn bound_block_cache() {
    const MOST_BYTES: i64 = 128 << 20;
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if std::env::var_os("GDAL_CACHEMAX").is_none() {
            // SAFETY: both take and return a number, from any thread.
            unsafe { gdal_sys::GDALSetCacheMax64(gdal_sys::GDALGetCacheMax64().min(MOST_BYTES)) };
        }
    });
}

pub(super) fn open_dataset(file: &Path) -> Result<Dataset, HeightError> {
    refuse_special(file)?;
    bound_block_cache();
    let options = DatasetOptions {
        open_flags: GdalOpenFlags::GDAL_OF_RASTER | GdalOpenFlags::GDAL_OF_VERBOSE_ERROR,
        ..Default::default()
    };
    Dataset::open_ex(file, options).map_err(|e| {
        // Names like /vsizip/a.zip/b.tif, NETCDF:a.nc:z or https://... are GDAL's, not paths.
        let name = file.to_string_lossy();
        if !name.starts_with("/vsi") && !name.contains(':') && !file.exists() {
            HeightError::Missing { file: file.into() }
        } else {
            HeightError::CannotOpen { file: file.into(), reason: message(&e) }
        }
    })
}

/// Refuses what would be waited for, or read without end.
fn refuse_special(file: &Path) -> Result<(), HeightError> {
    let Ok(found) = std::fs::metadata(file) else { return Ok(()) };
    if found.is_file() || found.is_dir() {
        return Ok(());
    }
    Err(HeightError::NoFile { file: file.into(), kind: kind_of(found.file_type()) })
}

/// What a name leads to that is neither a file nor a folder.
#[cfg(unix)]
fn kind_of(found: std::fs::FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    match () {
        () if found.is_fifo() => "a pipe",
        () if found.is_socket() => "a socket",
        () => "a device",
    }
}

/// What a name leads to that is neither a file nor a folder.
#[cfg(not(unix))]
fn kind_of(_found: std::fs::FileType) -> &'static str {
    "a device"
}

/// All files that a dataset consists of, as GDAL names them: an image's header, a virtual raster's sources, and what those
/// consist of.
pub(crate) fn files_of(file: &Path) -> Result<Vec<PathBuf>, HeightError> {
    let mut found: BTreeSet<PathBuf> = direct_files_of(file)?.into_iter().collect();
    let mut unseen: Vec<PathBuf> = found.iter().filter(|name| *name != file).cloned().collect();
    while let Some(name) = unseen.pop() {
        // A header is no dataset, and a source that cannot be read says so when heights are.
        let parts = direct_files_of(&name).unwrap_or_default();
        unseen.extend(parts.into_iter().filter(|part| found.insert(part.clone())));
    }
    Ok(found.into_iter().collect())
}

/// The files that a dataset names itself.
fn direct_files_of(file: &Path) -> Result<Vec<PathBuf>, HeightError> {
    let _quiet = QuietErrors::new();
    Ok(parts(&open_dataset(file)?))
}

/// The files that an open dataset names.
fn parts(dataset: &Dataset) -> Vec<PathBuf> {
    // SAFETY: the handle is alive; the list is GDAL's to make and ours to destroy.
    let mut names: Vec<PathBuf> = unsafe {
        let list = gdal_sys::GDALGetFileList(dataset.c_dataset());
        let count = gdal_sys::CSLCount(list);
        let names = (0..count).map(|k| CStr::from_ptr(gdal_sys::CSLGetField(list, k)));
        let names = names.map(|name| PathBuf::from(name.to_string_lossy().into_owned())).collect();
        gdal_sys::CSLDestroy(list);
        names
    };
    // What GDAL computes about a file and leaves beside it says nothing about its heights.
    names.retain(|name| !name.to_string_lossy().ends_with(".aux.xml"));
    names
}

/// Hands all bytes of a file of GDAL's file systems (a path, or /vsizip/... and the like) to `each`, piece by piece.
pub(crate) fn read_through(file: &Path, each: &mut dyn FnMut(&[u8])) -> Result<(), HeightError> {
    let _quiet = QuietErrors::new();
    let unreadable = |reason: &str| HeightError::Read { file: file.into(), reason: reason.to_owned() };
    let name = CString::new(file.to_string_lossy().as_bytes()).map_err(|_| unreadable("a name with a zero in it"))?;
    // SAFETY: the strings end in zeros.
    let handle = unsafe { gdal_sys::VSIFOpenL(name.as_ptr(), c"rb".as_ptr()) };
    if handle.is_null() {
        return Err(unreadable("it cannot be opened"));
    }
    let mut bytes = vec![0u8; 1 << 20];
    loop {
        // SAFETY: the handle is open and the buffer as long as is said.
        let read = unsafe { gdal_sys::VSIFReadL(bytes.as_mut_ptr().cast(), 1, bytes.len(), handle) };
        if read == 0 {
            break;
        }
        each(&bytes[..read]);
    }
    // SAFETY: the handle is open, and not used again.
    unsafe { gdal_sys::VSIFCloseL(handle) };
    Ok(())
}

/// Names of the datasets inside a container.
fn subdatasets(dataset: &Dataset) -> Vec<String> {
    let entries = dataset.metadata_domain("SUBDATASETS").unwrap_or_default();
    entries
        .iter()
        .filter_map(|line| line.split_once('='))
        .filter(|(key, _)| key.ends_with("_NAME"))
        .map(|(_, name)| name.to_owned())
        .collect()
}

/// Columns and rows to keep so that values, distances and their copies stay within the budget.
fn fit_budget(size: (usize, usize), bytes: usize) -> (usize, usize) {
    let most = (bytes / TEXEL_BYTES).max(1) as f64;
    // With the border around it, which is most of a raster of one column.
    let with_border = |n: usize| n as f64 + 2.0 * BORDER as f64;
    let excess = (with_border(size.0) * with_border(size.1) / most).sqrt();
    if excess <= 1.0 {
        return size;
    }
    let shrink = |n: usize, by: f64| ((with_border(n) / by - 2.0 * BORDER as f64).floor() as usize).clamp(1, n);
    let kept = (shrink(size.0, excess), shrink(size.1, excess));
    // A side that cannot be less than a texel leaves the rest to the other.
    let rest = |n: usize, other: usize| shrink(n, (with_border(n) * with_border(other) / most).max(excess));
    (rest(size.0, kept.1), rest(size.1, kept.0))
}

/// GDAL's own words on one line, without the wrapping of the binding and whole definitions of coordinate systems.
pub(crate) fn message(e: &GdalError) -> String {
    const LONGEST: usize = 160;
    let text = match e {
        GdalError::CplError { msg, .. } | GdalError::NullPointer { msg, .. } if !msg.is_empty() => msg.clone(),
        other => other.to_string(),
    };
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// Keeps GDAL from writing to stderr on this thread: its errors come back as values.
pub(crate) struct QuietErrors(PhantomData<*const ()>);

impl QuietErrors {
    pub fn new() -> Self {
        // SAFETY: the handler is a static function of GDAL; it is popped on this thread, as the type is not Send.
        unsafe { gdal_sys::CPLPushErrorHandler(Some(gdal_sys::CPLQuietErrorHandler)) };
        Self(PhantomData)
    }
}

impl Drop for QuietErrors {
    fn drop(&mut self) {
        // SAFETY: pops what `new` pushed on this thread.
        unsafe { gdal_sys::CPLPopErrorHandler() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: what is kept fits the budget, border included, however long and thin the raster is; and where it need not shrink
    /// further it is nearly all of the budget.
    #[test]
    fn budgets_hold_for_every_shape() {
        for size in [(1, 1 << 31), (1 << 31, 1), (3, 1 << 40), (86_400, 43_200), (1 << 31, 1 << 31), (1000, 70_000)] {
            for bytes in [1 << 20, 16 << 20, 256 << 20] {
                let (columns, rows) = fit_budget(size, bytes);
                let taken = (columns + 2 * BORDER) * (rows + 2 * BORDER) * TEXEL_BYTES;
                assert!(
                    taken <= bytes && taken > bytes - bytes / 4,
                    "{size:?} in {bytes}: {columns} x {rows}, {taken}"
                );
            }
        }
        assert_eq!(fit_budget((1201, 1201), 256 << 20), (1201, 1201));
    }
}
