//! What are the heights in a part of a file? Values as GDAL reads them, voids as NaN, the rest in metres.
//!
//! What a file declares is honoured: mask bands and no-data values, scale, offset and units.

use std::{cell::RefCell, num::NonZeroUsize, path::Path};

use gdal::{
    Dataset,
    errors::GdalError,
    raster::{GdalDataType, GdalType, RasterBand, ResampleAlg},
};
use lru::LruCache;
use rayon::prelude::*;

use super::{
    checked_reads::{checked, is_untold, untold},
    error::{HeightError, is_lack_of_memory},
    gdal_blocks::read_to_the_end,
    gdal_height_encoding::HeightEncoding,
    gdal_open::{Session, message, open_dataset},
    options::{OpenOptions, is_remote},
    values::ValueScale,
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
    encoding: HeightEncoding,
    options: &OpenOptions,
    windows: &[Window],
    remarks: &mut Vec<String>,
) -> Result<Vec<Vec<f32>>, HeightError> {
    let read = with_open(serial, file, options.online(), |dataset| {
        read_each((file, dataset), encoding, options, windows, remarks)
    });
    void_if_damaged(read, file, options, windows, remarks)
}

/// What was read; of a file that is damaged as a whole voids, where that is asked for.
fn void_if_damaged(
    read: Result<Vec<Vec<f32>>, HeightError>,
    file: &Path,
    options: &OpenOptions,
    windows: &[Window],
    remarks: &mut Vec<String>,
) -> Result<Vec<Vec<f32>>, HeightError> {
    match read {
        Err(HeightError::Read { reason, .. }) if accepts_damaged(file, options) && !is_lack_of_memory(&reason) => {
            remarks.push(damage(&reason));
            Ok(windows.iter().map(|window| vec![f32::NAN; window.columns * window.rows]).collect())
        }
        read => read,
    }
}

/// Whether what cannot be read of a file is void. A network that fails is no damage.
pub(super) fn accepts_damaged(file: &Path, options: &OpenOptions) -> bool {
    options.skip_bad && !is_remote(file)
}

/// How a [`damage`] begins.
const DAMAGE: &str = "is damaged, and heights that cannot be read are voids: ";

/// The remark on a file of which a part cannot be read.
fn damage(reason: &str) -> String {
    format!("{DAMAGE}{reason}")
}

/// Whether a remark is on a part that cannot be read.
pub(super) fn is_on_damage(remark: &str) -> bool {
    remark.starts_with(DAMAGE)
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
    encoding: HeightEncoding,
    options: &OpenOptions,
    windows: &[Window],
    remarks: &mut Vec<String>,
) -> Result<Vec<Vec<f32>>, HeightError> {
    let _session = Session::begin(options.online());
    let read = open_to_read(file).and_then(|dataset| read_each((file, &dataset), encoding, options, windows, remarks));
    void_if_damaged(read, file, options, windows, remarks)
}

/// The same of an open file.
pub(super) fn read_each(
    (file, dataset): (&Path, &Dataset),
    encoding: HeightEncoding,
    options: &OpenOptions,
    windows: &[Window],
    remarks: &mut Vec<String>,
) -> Result<Vec<Vec<f32>>, HeightError> {
    let read = |w: &Window| read_heights((file, dataset), encoding, options, *w, (w.columns, w.rows), remarks);
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
    (file, dataset): (&Path, &Dataset),
    encoding: HeightEncoding,
    options: &OpenOptions,
    window: Window,
    grid: (usize, usize),
    remarks: &mut Vec<String>,
) -> Result<Vec<f32>, GdalError> {
    let resample = (grid != (window.columns, window.rows)).then_some(ResampleAlg::Average);
    let band = dataset.rasterband(options.band)?;
    let mut raw = vec![0.0; grid.0 * grid.1];
    read_numbers((file, &band), options, Part { window, grid, resample }, &mut raw, remarks)?;
    to_heights((file, dataset), encoding, options, window, grid, raw, remarks)
}

/// The numbers of a part of a band that [`to_heights`] makes heights: as they are in the file, or, where an offset would leave little of
/// them, with scale and offset and voids as NaN.
pub(super) fn read_numbers(
    (file, band): (&Path, &RasterBand),
    options: &OpenOptions,
    part: Part,
    values: &mut [f32],
    remarks: &mut Vec<String>,
) -> Result<(), GdalError> {
    let accepts_damaged = accepts_damaged(file, options);
    if !is_scaled_in_doubles(band) {
        return part.read_into(band, values, accepts_damaged.then_some(f32::NAN), remarks);
    }
    let voids = [band.no_data_value(), options.nodata];
    let (scale, offset) = scale_and_offset(band);
    let doubles = part.read(band, accepts_damaged.then_some(f64::NAN), remarks)?;
    for (value, double) in values.iter_mut().zip(doubles) {
        let is_void = voids.contains(&Some(double));
        *value = if is_void { f32::NAN } else { (double * scale + offset) as f32 };
    }
    Ok(())
}

/// Whether a band has numbers that f32 rounds and an offset that takes most of them away: radii of a body and its mean radius, say.
fn is_scaled_in_doubles(band: &RasterBand) -> bool {
    let kind = band.band_type();
    scale_and_offset(band).1 != 0.0 && kind != GdalDataType::Float32 && u32::from(kind.bits()) > f32::MANTISSA_DIGITS
}

/// What the numbers of a band are to be multiplied by, and what is added then.
fn scale_and_offset(band: &RasterBand) -> (f64, f64) {
    // A scale of 0 is none.
    (band.scale().filter(|scale| *scale != 0.0).unwrap_or(1.0), band.offset().unwrap_or(0.0))
}

/// A rectangle of a band on a grid of as many or fewer columns and rows.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub window: Window,
    pub grid: (usize, usize),
    pub resample: Option<ResampleAlg>,
}

impl Part {
    /// Its values. Blocks that cannot be read hold `void`, with a remark, if there is one.
    pub fn read<T: Copy + Default + GdalType>(
        self,
        band: &RasterBand,
        void: Option<T>,
        remarks: &mut Vec<String>,
    ) -> Result<Vec<T>, GdalError> {
        let mut values = vec![T::default(); self.grid.0 * self.grid.1];
        self.read_into(band, &mut values, void, remarks)?;
        Ok(values)
    }

    /// The same into a slice of that many values.
    pub fn read_into<T: Copy + Default + GdalType>(
        self,
        band: &RasterBand,
        values: &mut [T],
        void: Option<T>,
        remarks: &mut Vec<String>,
    ) -> Result<(), GdalError> {
        let (corner, size) = self.window.corner_and_size();
        let read = checked(|| band.read_into_slice(corner, size, self.grid, values, self.resample), untold);
        let Err(error) = read else { return Ok(()) };
        let reason = message(&error);
        let is_of_part = !is_lack_of_memory(&reason) && !is_untold(&error);
        let Some(void) = void.filter(|_| is_of_part) else { return Err(error) };
        if !remarks.iter().any(|remark| is_on_damage(remark)) {
            remarks.push(damage(&reason));
        }
        // What can be read is in one of its halves.
        let Some(halves) = self.halves(band.block_size()) else {
            values.fill(void);
            return Ok(());
        };
        for (half, (left, top)) in halves {
            let read = half.read(band, Some(void), remarks)?;
            for (k, row) in read.chunks_exact(half.grid.0).enumerate() {
                let at = (top + k) * self.grid.0 + left;
                values[at..at + half.grid.0].copy_from_slice(row);
            }
        }
        Ok(())
    }

    /// Two parts of a part of several blocks, and their first columns and rows in its grid. Blocks are cut only where there are fewer values
    /// than texels.
    fn halves(self, block: (usize, usize)) -> Option<[(Self, (usize, usize)); 2]> {
        let Window { column, row, columns, rows } = self.window;
        let block = (block.0.max(1), block.1.max(1));
        let blocks = |first: usize, texels: usize, block: usize| (first + texels - 1) / block - first / block + 1;
        let (across, down) = (blocks(column, columns, block.0), blocks(row, rows, block.1));
        let [can_across, can_down] = [across > 1 && self.grid.0 > 1, down > 1 && self.grid.1 > 1];
        if !(can_across || can_down) {
            return None;
        }
        let is_across = can_across && (across >= down || !can_down);
        let (first, texels, values, block, count) = if is_across {
            (column, columns, self.grid.0, block.0, across)
        } else {
            (row, rows, self.grid.1, block.1, down)
        };
        // Texels and values of the first half.
        let (texel, value) = if texels == values {
            let middle = (first / block + count / 2) * block - first;
            (middle, middle)
        } else {
            (texels * (values / 2) / values, values / 2)
        };
        let part = |skipped: usize, texels: usize, values: usize| {
            if is_across {
                let window = Window { column: column + skipped, columns: texels, ..self.window };
                Self { window, grid: (values, self.grid.1), ..self }
            } else {
                let window = Window { row: row + skipped, rows: texels, ..self.window };
                Self { window, grid: (self.grid.0, values), ..self }
            }
        };
        let second = if is_across { (value, 0) } else { (0, value) };
        Some([(part(0, texel, value), (0, 0)), (part(texel, texels - texel, values - value), second)])
    }
}

/// Heights in metres, NaN where void, of the values that were read from a part of a band.
pub(super) fn to_heights(
    (file, dataset): (&Path, &Dataset),
    encoding: HeightEncoding,
    options: &OpenOptions,
    window: Window,
    grid: (usize, usize),
    mut values: Vec<f32>,
    remarks: &mut Vec<String>,
) -> Result<Vec<f32>, GdalError> {
    let band = dataset.rasterband(options.band)?;
    let accepts_damaged = accepts_damaged(file, options);
    let mask = mask(dataset, &band, encoding.alpha, (window, grid), accepts_damaged, remarks)?;
    let is_scaled = is_scaled_in_doubles(&band);
    let (scale, offset) = if is_scaled { (1.0, 0.0) } else { scale_and_offset(&band) };
    let rule = ValueScale {
        voids: if is_scaled { [None; 2] } else { [band.no_data_value(), options.nodata] },
        scale,
        offset,
        metres: encoding.metres,
        valid_range_m: encoding.valid_range_m,
    };
    remarks.extend(rule.apply(&mut values, mask.as_deref()));
    Ok(values)
}

/// Where a part of a band has values: 0 to 255, where there is a mask; no value where it is below 128.
fn mask(
    dataset: &Dataset,
    band: &RasterBand,
    alpha: Option<usize>,
    (window, grid): (Window, (usize, usize)),
    accepts_damaged: bool,
    remarks: &mut Vec<String>,
) -> Result<Option<Vec<u8>>, GdalError> {
    let resample = (grid != (window.columns, window.rows)).then_some(ResampleAlg::Average);
    let part = Part { window, grid, resample };
    if let Some(alpha) = alpha {
        let shares = part.read(&dataset.rasterband(alpha)?, accepts_damaged.then_some(0f32), remarks)?;
        // GDAL has averaged what lies outside with the rest, so only what is all inside is of use.
        let most = shares.iter().copied().fold(0.0, f32::max);
        let least = if resample.is_none() { 0.0 } else { 0.999 * most };
        return Ok(Some(shares.into_iter().map(|share| if share > least { 255 } else { 0 }).collect()));
    }
    let flags = band.mask_flags()?;
    if flags.is_all_valid() || flags.is_nodata() {
        return Ok(None);
    }
    Ok(Some(part.read(&band.open_mask_band()?, accepts_damaged.then_some(0u8), remarks)?))
}

/// [Numbers](read_numbers) of a whole band, read by stripes of rows, each thread through a handle of its own; with a remark if it is damaged.
///
/// GDAL's own threads (`NUM_THREADS`) serve GeoTIFF only and write their errors to stderr past a [`Session`].
pub(super) fn read_parallel(
    file: &Path,
    options: &OpenOptions,
    size: (usize, usize),
    values: &mut [f32],
) -> Result<Vec<String>, HeightError> {
    /// Rows per stripe: a multiple of the usual tile heights.
    const STRIPE: usize = 512;
    let stripes = values.par_chunks_mut(STRIPE * size.0).enumerate().map_init(
        || (Session::begin(options.online()), open_dataset(file)),
        |(_session, dataset), (stripe, values)| {
            let dataset = dataset.as_ref().map_err(Clone::clone)?;
            let rows = values.len() / size.0;
            let window = Window { column: 0, row: stripe * STRIPE, columns: size.0, rows };
            let mut remarks = Vec::new();
            let part = Part { window, grid: (size.0, rows), resample: None };
            let read = dataset
                .rasterband(options.band)
                .and_then(|band| read_numbers((file, &band), options, part, values, &mut remarks));
            read.map_err(|e| HeightError::Read { file: file.into(), reason: message(&e) })?;
            Ok::<_, HeightError>(remarks)
        },
    );
    let remarks: Vec<Vec<String>> = stripes.collect::<Result<_, _>>()?;
    // One of them tells it.
    Ok(remarks.concat().into_iter().take(1).collect())
}
