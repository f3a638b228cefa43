//! What are the heights in a part of a file? Values as GDAL reads them, voids as NaN, the rest in metres.
//!
//! What a file declares is honoured: mask bands and no-data values, scale, offset and units.

use std::{cell::RefCell, path::Path};

use gdal::{
    Dataset,
    errors::GdalError,
    raster::{RasterBand, ResampleAlg},
};
use rayon::prelude::*;

use super::{
    error::HeightError,
    gdal_source::{QuietErrors, message, open_dataset},
    options::OpenOptions,
};

/// A rectangle of texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub column: usize,
    pub row: usize,
    pub columns: usize,
    pub rows: usize,
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

/// Heights in metres of a described file, averaged to a grid, NaN where void.
pub(crate) fn read_member(file: &Path, options: &OpenOptions, grid: (usize, usize)) -> Result<Vec<f32>, HeightError> {
    let _quiet = QuietErrors::new();
    let dataset = open_dataset(file)?;
    let unreadable = |e: GdalError| HeightError::Read { file: file.into(), reason: message(&e) };
    let band = dataset.rasterband(options.band).map_err(unreadable)?;
    read_heights(&band, options, Window::all(&band), grid, &mut Vec::new()).map_err(unreadable)
}

impl Window {
    /// All of a band.
    pub(super) fn all(band: &RasterBand) -> Self {
        let (columns, rows) = band.size();
        Self { column: 0, row: 0, columns, rows }
    }

    /// Its corner and size as GDAL wants them.
    fn corner_and_size(self) -> ((isize, isize), (usize, usize)) {
        ((self.column as isize, self.row as isize), (self.columns, self.rows))
    }
}

/// Heights in metres of a part of a band at `grid` resolution, NaN where void.
pub(super) fn read_heights(
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
pub(super) fn to_heights(
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
    // No value equals NaN, which stands for none.
    let voids = [band.no_data_value(), options.nodata].map(|v| v.map_or(f32::NAN, |v| v as f32));
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
    const CHUNK: usize = 1 << 14;
    let implausible: usize = values
        .par_chunks_mut(CHUNK)
        .enumerate()
        .map(|(chunk, values)| {
            if let Some(mask) = &mask {
                let masked = mask[chunk * CHUNK..].iter().map(|m| *m < 128);
                values.iter_mut().zip(masked).filter(|(_, masked)| *masked).for_each(|(v, _)| *v = f32::NAN);
            }
            let mut implausible = 0;
            for v in values {
                let valid = v.is_finite() & (*v != voids[0]) & (*v != voids[1]);
                let h = (f64::from(*v) * scale + offset) * metres;
                let plausible = (h >= low) & (h <= high);
                *v = if valid & plausible { h as f32 } else { f32::NAN };
                implausible += u32::from(valid & !plausible);
            }
            implausible as usize
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
pub(super) fn read_parallel(
    file: &Path,
    band: usize,
    size: (usize, usize),
    values: &mut [f32],
) -> Result<(), GdalError> {
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
