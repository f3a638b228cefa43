//! What are the heights in a part of a file? Values as GDAL reads them, voids as NaN, the rest in metres.
//!
//! What a file declares is honoured: mask bands and no-data values, scale, offset and units.

use std::{cell::RefCell, num::NonZeroUsize, path::Path};

use gdal::{
    Dataset,
    errors::GdalError,
    raster::{RasterBand, ResampleAlg},
};
use lru::LruCache;
use rayon::prelude::*;

use super::{
    error::HeightError,
    gdal_blocks::read_to_the_end,
    gdal_meaning::Meaning,
    gdal_open::{Session, message, open_dataset},
    options::OpenOptions,
    values::Rule,
};

/// A rectangle of texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub column: usize,
    pub row: usize,
    pub columns: usize,
    pub rows: usize,
}

/// Heights in metres of rectangles of a described file, NaN where void; with remarks on what was taken as void. Under one `serial`
/// there is one file.
pub(crate) fn read_windows(
    serial: u64,
    file: &Path,
    meaning: Meaning,
    options: &OpenOptions,
    windows: &[Window],
    remarks: &mut Vec<String>,
) -> Result<Vec<Vec<f32>>, HeightError> {
    with_open(serial, file, options.online(), |dataset| read_each((file, dataset), meaning, options, windows, remarks))
}

/// Hands a file to a function that reads from it. Under one `serial` there is one file, which stays open on this thread for the next time.
pub(super) fn with_open<T>(
    serial: u64,
    file: &Path,
    online: bool,
    read: impl FnOnce(&Dataset) -> Result<T, HeightError>,
) -> Result<T, HeightError> {
    /// Datasets that a thread keeps open: places close together lie in few, around a corner of theirs.
    const OPEN: NonZeroUsize = NonZeroUsize::new(8).unwrap();
    thread_local! {
        /// The files that this thread read last stay open: the next window is likely to be of one of them.
        static LAST: RefCell<LruCache<u64, Dataset>> = RefCell::new(LruCache::new(OPEN));
    }
    let _session = Session::begin(online);
    // Taken out while it is used: nothing here comes back for it, but a panic would leave it in an unknown state.
    let last = LAST.with_borrow_mut(|last| last.pop(&serial));
    let dataset = last.map_or_else(|| open_to_read(file), Ok)?;
    let found = read(&dataset)?;
    // What it takes the place of is closed when nothing is borrowed any more.
    let _oldest = LAST.with_borrow_mut(|last| last.push(serial, dataset));
    Ok(found)
}

/// A file that is whole.
fn open_to_read(file: &Path) -> Result<Dataset, HeightError> {
    let dataset = open_dataset(file)?;
    read_to_the_end(file, &dataset)?;
    Ok(dataset)
}

/// The same of a file that is opened for this alone.
pub(crate) fn read_once(
    file: &Path,
    meaning: Meaning,
    options: &OpenOptions,
    windows: &[Window],
    remarks: &mut Vec<String>,
) -> Result<Vec<Vec<f32>>, HeightError> {
    let _session = Session::begin(options.online());
    let dataset = open_to_read(file)?;
    read_each((file, &dataset), meaning, options, windows, remarks)
}

/// The same of an open file.
pub(super) fn read_each(
    (file, dataset): (&Path, &Dataset),
    meaning: Meaning,
    options: &OpenOptions,
    windows: &[Window],
    remarks: &mut Vec<String>,
) -> Result<Vec<Vec<f32>>, HeightError> {
    let read = |w: &Window| read_heights(dataset, meaning, options, *w, (w.columns, w.rows), remarks);
    let windows: Result<_, GdalError> = windows.iter().map(read).collect();
    windows.map_err(|e| HeightError::Read { file: file.into(), reason: message(&e) })
}

impl Window {
    /// All of a raster of so many columns and rows.
    pub fn all([columns, rows]: [usize; 2]) -> Self {
        Self { column: 0, row: 0, columns, rows }
    }

    /// Rectangles of a raster, `most` a column and row of so many texels along a side, evenly spread from its first corner to its last;
    /// along an axis of fewer texels one that has all.
    pub fn spread(grid: [usize; 2], most: usize, side: usize) -> Vec<Self> {
        let along = |count: usize| -> Vec<(usize, usize)> {
            if count <= most * side {
                return vec![(0, count)];
            }
            (0..most).map(|k| ((count - side) * k / (most - 1), side)).collect()
        };
        let [across, down] = grid.map(along);
        let window =
            |(row, rows): (usize, usize), (column, columns): (usize, usize)| Self { column, row, columns, rows };
        down.into_iter().flat_map(|row| across.iter().map(move |column| window(row, *column))).collect()
    }

    /// Its corner and size as GDAL wants them.
    fn corner_and_size(self) -> ((isize, isize), (usize, usize)) {
        ((self.column as isize, self.row as isize), (self.columns, self.rows))
    }
}

/// Heights in metres of a part of a band at `grid` resolution, NaN where void.
pub(super) fn read_heights(
    dataset: &Dataset,
    meaning: Meaning,
    options: &OpenOptions,
    window: Window,
    grid: (usize, usize),
    remarks: &mut Vec<String>,
) -> Result<Vec<f32>, GdalError> {
    let (corner, size) = window.corner_and_size();
    let resample = (grid != size).then_some(ResampleAlg::Average);
    let mut raw = vec![0f32; grid.0 * grid.1];
    dataset.rasterband(options.band)?.read_into_slice(corner, size, grid, &mut raw, resample)?;
    to_heights(dataset, meaning, options, window, grid, raw, remarks)
}

/// Heights in metres, NaN where void, of the values that were read from a part of a band.
pub(super) fn to_heights(
    dataset: &Dataset,
    meaning: Meaning,
    options: &OpenOptions,
    window: Window,
    grid: (usize, usize),
    mut values: Vec<f32>,
    remarks: &mut Vec<String>,
) -> Result<Vec<f32>, GdalError> {
    let band = dataset.rasterband(options.band)?;
    let mask = mask(dataset, &band, meaning.alpha, window, grid)?;
    let rule = Rule {
        voids: [band.no_data_value(), options.nodata],
        scale: nonzero(band.scale()),
        offset: band.offset().unwrap_or(0.0),
        metres: meaning.metres,
        valid_range_m: meaning.valid_range_m,
    };
    remarks.extend(rule.apply(&mut values, mask.as_deref()));
    Ok(values)
}

/// Where a part of a band has values: 0 to 255, where there is a mask; no value where it is below 128.
fn mask(
    dataset: &Dataset,
    band: &RasterBand,
    alpha: Option<usize>,
    window: Window,
    grid: (usize, usize),
) -> Result<Option<Vec<u8>>, GdalError> {
    let (corner, size) = window.corner_and_size();
    let resample = (grid != size).then_some(ResampleAlg::Average);
    if let Some(alpha) = alpha {
        let mut shares = vec![0f32; grid.0 * grid.1];
        dataset.rasterband(alpha)?.read_into_slice(corner, size, grid, &mut shares, resample)?;
        // GDAL has averaged what lies outside with the rest, so only what is all inside is of use.
        let most = shares.iter().copied().fold(0.0, f32::max);
        let least = if grid == size { 0.0 } else { 0.999 * most };
        return Ok(Some(shares.into_iter().map(|share| if share > least { 255 } else { 0 }).collect()));
    }
    let flags = band.mask_flags()?;
    if flags.is_all_valid() || flags.is_nodata() {
        return Ok(None);
    }
    let mut mask = vec![0u8; grid.0 * grid.1];
    band.open_mask_band()?.read_into_slice(corner, size, grid, &mut mask, resample)?;
    Ok(Some(mask))
}

/// Reads a whole band by stripes of rows, each thread through a handle of its own.
///
/// GDAL's own threads (`NUM_THREADS`) serve GeoTIFF only and write their errors to stderr past a [`Session`].
pub(super) fn read_parallel(
    file: &Path,
    options: &OpenOptions,
    size: (usize, usize),
    values: &mut [f32],
) -> Result<(), HeightError> {
    /// Rows per stripe: a multiple of the usual tile heights.
    const STRIPE: usize = 512;
    values.par_chunks_mut(STRIPE * size.0).enumerate().try_for_each_init(
        || (Session::begin(options.online()), open_dataset(file)),
        |(_session, dataset), (stripe, values)| {
            let dataset = dataset.as_ref().map_err(Clone::clone)?;
            let rows = values.len() / size.0;
            let window = ((0, (stripe * STRIPE) as isize), (size.0, rows));
            let read = |band: RasterBand| band.read_into_slice(window.0, window.1, window.1, values, None);
            let unreadable = |e: GdalError| HeightError::Read { file: file.into(), reason: message(&e) };
            dataset.rasterband(options.band).and_then(read).map_err(unreadable)
        },
    )
}

/// A scale as declared; 0 and absence mean 1.
fn nonzero(scale: Option<f64>) -> f64 {
    scale.filter(|s| *s != 0.0).unwrap_or(1.0)
}
