//! How does a file become a layer? GDAL reads the heights once; only arrays are kept.
//!
//! GDAL's handles may not be shared between threads, so none survives the opening. What a file declares is honoured: mask
//! bands and no-data values, scale, offset and units. `AREA_OR_POINT` needs no care here: GDAL's drivers already shift the
//! geotransform of point-registered files so that it always refers to texel corners.

use std::{
    cell::RefCell,
    ffi::{CStr, CString},
    marker::PhantomData,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicU32, Ordering},
    },
};

use gdal::{
    Dataset, DatasetOptions, GdalOpenFlags, Metadata,
    errors::GdalError,
    raster::{RasterBand, ResampleAlg},
    vsi,
};
use rayon::prelude::*;

use super::{
    error::HeightError,
    gdal_place::{Place, place},
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
}

/// A rectangle of texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub column: usize,
    pub row: usize,
    pub columns: usize,
    pub rows: usize,
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
    let Described { mut info, place } = describe(file, &dataset, options)?;
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
    let placed = place.with_heights(values, options.feather_texels, info.grid);
    Ok((placed, info))
}

/// Heights in metres of rectangles of a described file, NaN where void. Under one `serial` there is one file.
pub(crate) fn read_windows(
    serial: u64,
    file: &Path,
    options: &OpenOptions,
    windows: &[Window],
) -> Result<Vec<Vec<f32>>, HeightError> {
    thread_local! {
        /// The file that this thread read last stays open: the next window is likely to be of the same.
        static LAST: RefCell<Option<(u64, Dataset)>> = const { RefCell::new(None) };
    }
    let _quiet = QuietErrors::new();
    let unreadable = |e: GdalError| HeightError::Read { file: file.into(), reason: message(&e) };
    // Taken out while it is used: nothing here comes back for it, but a panic would leave it in an unknown state.
    let last = LAST.take().filter(|(last, _)| *last == serial);
    let dataset = last.map_or_else(|| open_dataset(file), |(_, dataset)| Ok(dataset))?;
    let band = dataset.rasterband(options.band).map_err(unreadable)?;
    let read = |w: &Window| read_heights(&band, options, *w, (w.columns, w.rows), &mut Vec::new()).map_err(unreadable);
    let heights = windows.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    LAST.set(Some((serial, dataset)));
    Ok(heights)
}

/// Opens a file and reads what it says of itself.
pub(crate) fn describe_file(file: &Path, options: &OpenOptions) -> Result<Described, HeightError> {
    let _quiet = QuietErrors::new();
    describe(file, &open_dataset(file)?, options)
}

/// Heights in metres of a described file, averaged to a grid, NaN where void.
pub(crate) fn read_member(file: &Path, options: &OpenOptions, grid: (usize, usize)) -> Result<Vec<f32>, HeightError> {
    let _quiet = QuietErrors::new();
    let dataset = open_dataset(file)?;
    let unreadable = |e: GdalError| HeightError::Read { file: file.into(), reason: message(&e) };
    let band = dataset.rasterband(options.band).map_err(unreadable)?;
    read_heights(&band, options, Window::all(&band), grid, &mut Vec::new()).map_err(unreadable)
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
    Ok(Described { info, place })
}

fn open_dataset(file: &Path) -> Result<Dataset, HeightError> {
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

/// All files that a dataset consists of, as GDAL names them: a virtual raster's sources, an image's header.
pub(crate) fn files_of(file: &Path) -> Result<Vec<PathBuf>, HeightError> {
    let _quiet = QuietErrors::new();
    let dataset = open_dataset(file)?;
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
    names.sort();
    Ok(names)
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
    // A height (f32) and a distance to the nearest void (u8).
    const TEXEL_BYTES: f64 = 5.0;
    let excess = (size.0 as f64 * size.1 as f64 * TEXEL_BYTES / bytes.max(1) as f64).sqrt();
    if excess <= 1.0 {
        return size;
    }
    let shrink = |n: usize| ((n as f64 / excess).floor() as usize).clamp(1, n);
    (shrink(size.0), shrink(size.1))
}

impl Window {
    /// All of a band.
    fn all(band: &RasterBand) -> Self {
        let (columns, rows) = band.size();
        Self { column: 0, row: 0, columns, rows }
    }

    /// Its corner and size as GDAL wants them.
    fn corner_and_size(self) -> ((isize, isize), (usize, usize)) {
        ((self.column as isize, self.row as isize), (self.columns, self.rows))
    }
}

/// Heights in metres of a part of a band at `grid` resolution, NaN where void.
fn read_heights(
    band: &RasterBand,
    options: &OpenOptions,
    window: Window,
    grid: (usize, usize),
    notes: &mut Vec<String>,
) -> Result<Vec<f32>, GdalError> {
    let (corner, size) = window.corner_and_size();
    let resample = (grid != size).then_some(ResampleAlg::Average);
    let mut raw = vec![0f32; grid.0 * grid.1];
    band.read_into_slice(corner, size, grid, &mut raw, resample)?;
    to_heights(band, options, window, grid, raw, notes)
}

/// Heights in metres, NaN where void, of the values that were read from a part of a band.
fn to_heights(
    band: &RasterBand,
    options: &OpenOptions,
    window: Window,
    grid: (usize, usize),
    mut values: Vec<f32>,
    notes: &mut Vec<String>,
) -> Result<Vec<f32>, GdalError> {
    let (corner, size) = window.corner_and_size();
    let flags = band.mask_flags()?;
    let mask = if flags.is_all_valid() || flags.is_nodata() {
        None
    } else {
        let resample = (grid != size).then_some(ResampleAlg::Average);
        let mut mask = vec![0u8; grid.0 * grid.1];
        band.open_mask_band()?.read_into_slice(corner, size, grid, &mut mask, resample)?;
        Some(mask)
    };
    // Integers beyond 2^24 and doubles round on the way to f32; so must the values they are compared with.
    let voids = [band.no_data_value(), options.nodata].map(|v| v.map(|v| v as f32));
    let (scale, offset) = (nonzero(band.scale()), band.offset().unwrap_or(0.0));
    let unit = band.unit();
    let metres = metres_per_unit(&unit).unwrap_or_else(|| {
        notes.push(format!("unknown unit {unit:?}: taken as metres"));
        1.0
    });
    if metres != 1.0 {
        notes.push(format!("heights are converted from {unit:?} to metres"));
    }
    let (low, high) = options.valid_range_m;
    let implausible: usize = values
        .par_iter_mut()
        .enumerate()
        .map(|(i, v)| {
            let masked = mask.as_ref().is_some_and(|mask| mask[i] < 128);
            if masked || !v.is_finite() || voids.iter().flatten().any(|void| void == v) {
                *v = f32::NAN;
                return 0;
            }
            let h = (f64::from(*v) * scale + offset) * metres;
            let plausible = h >= low && h <= high;
            *v = if plausible { h as f32 } else { f32::NAN };
            usize::from(!plausible)
        })
        .sum();
    if implausible > 0 {
        notes.push(format!("{implausible} heights outside {low} to {high} m are taken as voids"));
    }
    Ok(values)
}

/// Reads a whole band by stripes of rows, each thread through a handle of its own.
///
/// GDAL's own threads (`NUM_THREADS`) serve GeoTIFF only and write their errors to stderr past [`QuietErrors`].
fn read_parallel(file: &Path, band: usize, size: (usize, usize), values: &mut [f32]) -> Result<(), GdalError> {
    /// Rows per stripe: a multiple of the usual tile heights.
    const STRIPE: usize = 512;
    values.par_chunks_mut(STRIPE * size.0).enumerate().try_for_each_init(
        || (QuietErrors::new(), Dataset::open(file)),
        |(_quiet, dataset), (stripe, values)| {
            let dataset = dataset.as_ref().map_err(Clone::clone)?;
            let rows = values.len() / size.0;
            let window = ((0, (stripe * STRIPE) as isize), (size.0, rows));
            dataset.rasterband(band)?.read_into_slice(window.0, window.1, window.1, values, None)
        },
    )
}

/// A scale as declared; 0 and absence mean 1.
fn nonzero(scale: Option<f64>) -> f64 {
    scale.filter(|s| *s != 0.0).unwrap_or(1.0)
}

/// Metres of one unit of height by its name in the file; no name means metres.
fn metres_per_unit(unit: &str) -> Option<f64> {
    match unit.trim().to_ascii_lowercase().as_str() {
        "" | "m" | "metre" | "metres" | "meter" | "meters" => Some(1.0),
        "ft" | "foot" | "feet" | "international foot" => Some(0.3048),
        "us-ft" | "ftus" | "us survey foot" | "us survey feet" | "survey foot" | "foot_us" => Some(1200.0 / 3937.0),
        "km" | "kilometre" | "kilometer" | "kilometres" | "kilometers" => Some(1000.0),
        "dm" | "decimetre" | "decimeter" | "decimetres" | "decimeters" => Some(0.1),
        "cm" | "centimetre" | "centimeter" | "centimetres" | "centimeters" => Some(0.01),
        "mm" | "millimetre" | "millimeter" | "millimetres" | "millimeters" => Some(0.001),
        "fathom" | "fathoms" => Some(1.8288),
        _ => None,
    }
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
