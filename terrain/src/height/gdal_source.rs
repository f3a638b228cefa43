//! How does a file become a layer? What fits the budget is read once, and only arrays are kept; the rest is read in windows.
//!
//! GDAL's handles may not be shared between threads, so none is kept by a layer. `AREA_OR_POINT` needs no care here: GDAL's
//! drivers already shift the geotransform of point-registered files so that it always refers to texel corners.

use std::{
    collections::BTreeSet,
    ffi::{CStr, CString},
    marker::PhantomData,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, Once, PoisonError, Weak,
        atomic::{AtomicU32, Ordering},
    },
};

use gdal::{Dataset, DatasetOptions, GdalOpenFlags, Metadata, errors::GdalError, raster::RasterBand, vsi};

use super::{
    error::HeightError,
    fingerprint::Fingerprint,
    gdal_place::{Place, place},
    gdal_read::{Window, read_heights, read_parallel, to_heights},
    layer::{Layer, LayerInfo, Placed, Source, statistics},
    options::OpenOptions,
    suspect,
    windows::Windows,
};

/// The relief that ships with the program, see `data/README.md`.
pub(crate) static ETOPO5: &[u8] = include_bytes!("../../../data/etopo5.tif");

/// The embedded global relief as a layer; all reliefs that live at the same time share it.
pub(crate) fn embedded_layer() -> Result<Arc<Layer>, HeightError> {
    static SHARED: Mutex<Weak<Layer>> = Mutex::new(Weak::new());
    static COUNT: AtomicU32 = AtomicU32::new(0);
    // Not held while the file is read: a thread that waits for rayon may be given another task that comes here.
    let shared = || SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(layer) = shared().upgrade() {
        return Ok(layer);
    }
    let name = format!("/vsimem/orogen-etopo5-{}.tif", COUNT.fetch_add(1, Ordering::Relaxed));
    let file = Path::new(&name);
    let failed = |e: GdalError| HeightError::Read { file: file.into(), reason: message(&e) };
    vsi::create_mem_file(file, ETOPO5.to_vec()).map_err(failed)?;
    let opened = open_raster(file, &OpenOptions::default());
    vsi::unlink_mem_file(file).map_err(failed)?;
    let (placed, info) = opened?;
    let mut layer = Layer { source: Source::Raster(placed), info };
    if !layer.is_complete() {
        return Err(HeightError::Read { file: file.into(), reason: "the embedded relief has voids".to_owned() });
    }
    "ETOPO5 (embedded)".clone_into(&mut layer.info.name);
    "mean sea level".clone_into(&mut layer.info.datum);
    layer.info.notes.clear();
    let layer = Arc::new(layer);
    *shared() = Arc::downgrade(&layer);
    Ok(layer)
}

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
        let (placed, info) = open_raster(file, options)?;
        return Ok(Layer { source: Source::Raster(placed), info });
    }
    let (windows, info) = Windows::open(file.into(), options)?;
    Ok(Layer { source: Source::Windows(Box::new(windows)), info })
}

/// Opens one file in memory, averaged if it is larger than the budget.
pub(crate) fn open_raster(file: &Path, options: &OpenOptions) -> Result<(Placed, LayerInfo), HeightError> {
    let _quiet = QuietErrors::new();
    let dataset = open_dataset(file)?;
    let Described { mut info, place, .. } = describe(file, &dataset, options)?;
    let unreadable = |e: GdalError| HeightError::Read { file: file.into(), reason: message(&e) };
    let band = dataset.rasterband(options.band).map_err(unreadable)?;
    let grid = (info.grid[0], info.grid[1]);
    let values = if grid == (info.size[0], info.size[1]) {
        let mut raw = vec![0f32; grid.0 * grid.1];
        read_parallel(file, options.band, grid, &mut raw).map_err(unreadable)?;
        to_heights(&band, options, Window::all(&band), grid, raw, &mut info.notes)
    } else {
        read_heights(&band, options, Window::all(&band), grid, &mut info.notes)
    };
    let values = values.map_err(unreadable)?;
    (info.range_m, info.void_share) = statistics(&values);
    info.notes.extend(suspect::heights(&values, &info));
    let placed = place.with_heights(values, info.grid);
    Ok((placed, info))
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
///
/// GDAL reads nothing at the end of a file and after an error alike. The end is where it says so, and where the length is reached.
pub(crate) fn read_through(file: &Path, each: &mut dyn FnMut(&[u8])) -> Result<(), HeightError> {
    let _quiet = QuietErrors::new();
    let unreadable = |reason: &str| HeightError::Read { file: file.into(), reason: reason.to_owned() };
    let name = CString::new(file.to_string_lossy().as_bytes()).map_err(|_| unreadable("a name with a zero in it"))?;
    // SAFETY: the strings end in zeros.
    let handle = unsafe { gdal_sys::VSIFOpenL(name.as_ptr(), c"rb".as_ptr()) };
    if handle.is_null() {
        return Err(unreadable("it cannot be opened"));
    }
    const SET: i32 = 0;
    const END: i32 = 2;
    // A stream that is squeezed knows its length only when it has been read.
    let knows_length = !file.to_string_lossy().contains("/vsigzip/");
    // SAFETY: the handle is open.
    let length = unsafe {
        let length = (knows_length && gdal_sys::VSIFSeekL(handle, 0, END) == 0).then(|| gdal_sys::VSIFTellL(handle));
        gdal_sys::VSIFSeekL(handle, 0, SET);
        length
    };
    let mut bytes = vec![0u8; 1 << 20];
    let mut total = 0;
    loop {
        // SAFETY: the handle is open and the buffer as long as is said.
        let read = unsafe { gdal_sys::VSIFReadL(bytes.as_mut_ptr().cast(), 1, bytes.len(), handle) };
        if read == 0 {
            break;
        }
        total += read as u64;
        each(&bytes[..read]);
    }
    // SAFETY: the handle is open, and not used after it is closed.
    let at_end = unsafe {
        let at_end = gdal_sys::VSIFEofL(handle) != 0;
        gdal_sys::VSIFCloseL(handle);
        at_end
    };
    // Files of the system that are made as they are read have no length.
    let is_whole = length.filter(|length| *length > 0).map_or(at_end, |length| total >= length);
    if is_whole {
        return Ok(());
    }
    let of = length.map(|length| format!(" of {length}")).unwrap_or_default();
    Err(unreadable(&format!("reading failed after {total}{of} bytes")))
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
    // A height (f32) and a distance to the nearest void (u8).
    const TEXEL_BYTES: f64 = 5.0;
    let excess = (size.0 as f64 * size.1 as f64 * TEXEL_BYTES / bytes.max(1) as f64).sqrt();
    if excess <= 1.0 {
        return size;
    }
    let shrink = |n: usize| ((n as f64 / excess).floor() as usize).clamp(1, n);
    (shrink(size.0), shrink(size.1))
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
