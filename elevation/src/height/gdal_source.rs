//! How does a file become a layer? What fits the budget is read once, and only arrays are kept; the rest is read in windows.
//!
//! GDAL's handles may not be shared between threads, so none is kept by a layer. `AREA_OR_POINT` needs no care here: GDAL's
//! drivers already shift the geotransform of point-registered files so that it always refers to texel corners.

use std::path::Path;

use gdal::{Dataset, Metadata, errors::GdalError};

use super::{
    checked_reads::checked,
    diagnostics::{self, Diagnostics},
    error::HeightError,
    fingerprint::Fingerprint,
    gdal_blocks::{cut, read_to_the_end},
    gdal_georeference::georeference,
    gdal_height_encoding::{HeightEncoding, height_encoding},
    gdal_open::{Session, direct_files_of, message, open_dataset, parts, spare_block_cache},
    gdal_read::{Window, read_heights, read_parallel, to_heights},
    georeference::Georeference,
    layer::{PlacedRaster, statistics},
    layer_info::LayerInfo,
    options::OpenOptions,
    raster::{BORDER, LONGEST_FEATHER, margin},
    raster_cache::TEXEL_BYTES,
};
use crate::progress::Stage;

/// Rectangles along each side of a raster that is averaged by which its values are judged, and the columns and rows of one.
const SAMPLED: usize = 5;
const SAMPLED_SIDE: usize = 64;

/// What a file says of itself, before its heights are read.
#[derive(Debug)]
pub(crate) struct FileDescription {
    /// Without range and voids.
    pub info: LayerInfo,
    pub place: Georeference,
    pub encoding: HeightEncoding,
    /// Of the files behind it, so that no others are read in their place later.
    pub fingerprint: Fingerprint,
}

/// Opens one file in memory, averaged if it is larger than so many bytes; with what it was when it was opened.
pub(crate) fn open_raster(
    file: &Path,
    options: &OpenOptions,
    most_bytes: usize,
) -> Result<(PlacedRaster, LayerInfo, Fingerprint), HeightError> {
    let _stage = Stage::begin("reading elevation", 0);
    let _session = Session::begin(options.online());
    let dataset = open_dataset(file)?;
    let FileDescription { mut info, place, encoding, fingerprint } = describe(file, &dataset, options, most_bytes)?;
    read_to_the_end(file, &dataset)?;
    let unreadable = |e: GdalError| HeightError::Read { file: file.into(), reason: message(&e) };
    let whole = Window { column: 0, row: 0, columns: info.size[0], rows: info.size[1] };
    let grid = (info.grid[0], info.grid[1]);
    let values = if grid == (info.size[0], info.size[1]) {
        let mut raw = Vec::new();
        let bytes = grid.0.saturating_mul(grid.1).saturating_mul(TEXEL_BYTES);
        let no_memory = |_| HeightError::NoMemory { file: file.into(), bytes };
        raw.try_reserve_exact(grid.0 * grid.1).map_err(no_memory)?;
        raw.resize(grid.0 * grid.1, 0f32);
        info.remarks.extend(read_parallel(file, options, grid, &mut raw)?);
        to_heights((file, &dataset), encoding, options, whole, grid, raw, &mut info.remarks)
    } else {
        read_heights((file, &dataset), encoding, options, whole, grid, &mut info.remarks)
    };
    let values = values.map_err(unreadable)?;
    // Half of one state and half of another would be cliffs.
    fingerprint.check_now()?;
    (info.range_m, info.void_share) = statistics(&values);
    let diagnostics = if grid == (info.size[0], info.size[1]) {
        diagnostics::heights(&values, &info)
    } else {
        // Means hide what single values show.
        let read = |window: Window| {
            let size = (window.columns, window.rows);
            read_heights((file, &dataset), encoding, options, window, size, &mut Vec::new())
        };
        let windows = Window::spread(info.size, SAMPLED, SAMPLED_SIDE).into_iter().map(read);
        diagnostics::heights_by_windows(&windows.collect::<Result<Vec<_>, _>>().map_err(unreadable)?, &info)
    };
    info.notes.extend(diagnostics.notes);
    info.remarks.extend(diagnostics.remarks);
    let placed = place.with_heights(values, info.grid, encoding.valid_range_m);
    Ok((placed, info, fingerprint))
}

/// Opens a file and reads what it says of itself.
pub(crate) fn describe_file(file: &Path, options: &OpenOptions) -> Result<FileDescription, HeightError> {
    let _session = Session::begin(options.online());
    describe(file, &open_dataset(file)?, options, usize::MAX)
}

/// What a file says of itself, as it is read within so many bytes.
fn describe(
    file: &Path,
    dataset: &Dataset,
    options: &OpenOptions,
    most_bytes: usize,
) -> Result<FileDescription, HeightError> {
    let count = dataset.raster_count();
    if count == 0 {
        return Err(HeightError::NoBand { file: file.into(), subdatasets: subdatasets(dataset) });
    }
    if options.band == 0 || options.band > count {
        return Err(HeightError::BandOutOfRange { file: file.into(), asked: options.band, count });
    }
    let unreadable = |e: GdalError| HeightError::Read { file: file.into(), reason: message(&e) };
    let band = dataset.rasterband(options.band).map_err(unreadable)?;
    if let Some(reason) = cut(file, dataset, &band) {
        return Err(HeightError::Read { file: file.into(), reason });
    }
    let mut diagnostics = Diagnostics::default();
    let size = band.size();
    let grid = fit_budget(size, most_bytes);
    let read = || {
        let place = georeference(file, dataset, options, size, grid, &mut diagnostics)?;
        let encoding = height_encoding(file, dataset, &band, options, &place, &mut diagnostics)?;
        Ok((place, encoding))
    };
    // What says where it lies may be read as late as this.
    let (place, encoding) = checked(read, |reason| HeightError::Read { file: file.into(), reason })?;
    let info = LayerInfo {
        name: file.display().to_string(),
        driver: dataset.driver().short_name(),
        crs: place.crs.clone(),
        datum: place.datum.name.clone(),
        vertical_system: place.datum.system.clone(),
        ellipsoid: place.ellipsoid,
        size: [size.0, size.1],
        grid: [grid.0, grid.1],
        posting_m: place.posting_m,
        bbox_deg: place.bbox_deg,
        nodata: band.no_data_value(),
        void_share: 0.0,
        range_m: (0.0, 0.0),
        range_is_bound: false,
        attribution: attribution(dataset),
        notes: diagnostics.notes,
        remarks: diagnostics.remarks,
    };
    let parts_of = |name: &Path| {
        let parts = if name == file { Ok(parts(dataset)) } else { direct_files_of(name, options.online()) };
        // What cannot be read says so when its heights are.
        parts.unwrap_or_default()
    };
    let fingerprint = Fingerprint::of(file, &parts_of);
    spare_block_cache(dataset, fingerprint.stamps().len());
    Ok(FileDescription { info, place, encoding, fingerprint })
}

/// What a GeoTIFF's makers want to be said: its tag 33432.
pub(super) fn attribution(dataset: &Dataset) -> String {
    const MOST: usize = 300;
    let said = dataset.metadata_item("TIFFTAG_COPYRIGHT", "").unwrap_or_default();
    said.trim().chars().take(MOST).collect()
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

/// Columns and rows to keep so that values, marks and their copies stay within the budget, and within five quarters of it with all
/// that may be around them: that is most of a raster of one column.
pub(crate) fn fit_budget(size: (usize, usize), bytes: usize) -> (usize, usize) {
    if bytes == usize::MAX {
        return size;
    }
    let most = (bytes / TEXEL_BYTES).max(1) as f64;
    let kept = shrunk(size, BORDER, most);
    shrunk(kept, margin(LONGEST_FEATHER), 1.25 * most)
}

/// Columns and rows of which there are at most so many texels, with a border around them.
fn shrunk(size: (usize, usize), border: usize, most: f64) -> (usize, usize) {
    let border = 2.0 * border as f64;
    let with_border = |n: usize| n as f64 + border;
    let excess = (with_border(size.0) * with_border(size.1) / most).sqrt();
    if excess <= 1.0 {
        return size;
    }
    let shrink = |n: usize, by: f64| ((with_border(n) / by - border).floor() as usize).clamp(1, n);
    let kept = (shrink(size.0, excess), shrink(size.1, excess));
    // A side that cannot be less than a texel leaves the rest to the other.
    let rest = |n: usize, other: usize| shrink(n, (with_border(n) * with_border(other) / most).max(excess));
    (rest(size.0, kept.1), rest(size.1, kept.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: what is kept fits the budget, however long and thin the raster is, and five quarters of it with all that may be around
    /// it; and where it need not shrink further it is most of the budget.
    #[test]
    fn budgets_hold_for_every_shape() {
        let taken =
            |(columns, rows): (usize, usize), border: usize| (columns + 2 * border) * (rows + 2 * border) * TEXEL_BYTES;
        for size in [(1, 1 << 31), (1 << 31, 1), (3, 1 << 40), (86_400, 43_200), (1 << 31, 1 << 31), (1000, 70_000)] {
            for bytes in [1 << 20, 16 << 20, 256 << 20] {
                let kept = fit_budget(size, bytes);
                let (alone, whole) = (taken(kept, BORDER), taken(kept, margin(LONGEST_FEATHER)));
                assert!(alone <= bytes && whole <= bytes / 4 * 5, "{size:?} in {bytes}: {kept:?}, {alone}, {whole}");
                assert!(
                    alone > bytes / 4 * 3 || whole > bytes / 8 * 9,
                    "{size:?} in {bytes}: {kept:?}, {alone}, {whole}"
                );
            }
            assert_eq!(fit_budget(size, usize::MAX), size);
        }
        // A degree at a second of arc.
        assert_eq!(fit_budget((3601, 3601), 64 << 20), (3601, 3601));
    }
}
