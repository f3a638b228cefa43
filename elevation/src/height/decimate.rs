//! What are the heights of a file on a grid that is much coarser, without a look at all of them?
//!
//! A mean over every texel of a file without overviews reads all of it, and takes a hundred times as long as a coarse grid is
//! worth. Sixteen texels of each cell, evenly spread, are mean enough for views of the whole.

use std::path::Path;

use gdal::{errors::GdalError, raster::RasterBand};

use super::{
    error::HeightError,
    gdal_height_encoding::HeightEncoding,
    gdal_open::{Session, message, open_dataset},
    gdal_read::{Part, Window, read_each, read_heights, read_numbers, to_heights},
    options::OpenOptions,
};

/// Texels of a cell that count: columns, and rows. Files are read by rows, so that few rows are fast.
const CELL: [usize; 2] = [8, 2];

/// Heights in metres of a described file on a coarser grid, NaN where void; with remarks on what was taken as void. Where all of the file is
/// decoded for that, also the heights in `windows` of it; else nothing of them.
pub(crate) fn read_coarse(
    file: &Path,
    encoding: HeightEncoding,
    options: &OpenOptions,
    grid: (usize, usize),
    windows: &[Window],
    remarks: &mut Vec<String>,
) -> Result<(Vec<f32>, Vec<Vec<f32>>), HeightError> {
    let _session = Session::begin(options.online());
    let dataset = open_dataset(file)?;
    let unreadable = |e: GdalError| HeightError::Read { file: file.into(), reason: message(&e) };
    let band = dataset.rasterband(options.band).map_err(unreadable)?;
    let (columns, rows) = band.size();
    let all = Window { column: 0, row: 0, columns, rows };
    let fine = (CELL[0] * grid.0, CELL[1] * grid.1);
    let heights = if fine.0 > all.columns
        || fine.1 > all.rows
        || encoding.alpha.is_some()
        || is_masked(&band)
        || has_overviews(&band)
    {
        read_heights((file, &dataset), encoding, options, all, grid, remarks).map_err(unreadable)?
    } else {
        let part = Part { window: all, grid: fine, resample: None };
        let mut raw = vec![0.0; fine.0 * fine.1];
        read_numbers((file, &band), options, part, &mut raw, remarks).map_err(unreadable)?;
        means(&to_heights((file, &dataset), encoding, options, all, fine, raw, remarks).map_err(unreadable)?, grid)
    };
    let windows = if has_overviews(&band) { &[] } else { windows };
    Ok((heights, read_each((file, &dataset), encoding, options, windows, remarks)?))
}

/// Whether a mask tells voids: single texels of one are not looked at, it is averaged.
fn is_masked(band: &RasterBand) -> bool {
    !band.mask_flags().is_ok_and(|flags| flags.is_all_valid() || flags.is_nodata())
}

/// Whether a file has means already, from which a coarse grid is read without the rest.
fn has_overviews(band: &RasterBand) -> bool {
    !band.overview_count().is_ok_and(|count| count == 0)
}

/// Means of the heights in each cell; NaN where all are void.
fn means(heights: &[f32], (columns, rows): (usize, usize)) -> Vec<f32> {
    let mean = |column: usize, row: usize| {
        let (mut sum, mut count) = (0.0, 0u32);
        for y in CELL[1] * row..CELL[1] * (row + 1) {
            let first = CELL[0] * (y * columns + column);
            for height_m in heights[first..first + CELL[0]].iter().filter(|height_m| !height_m.is_nan()) {
                sum += f64::from(*height_m);
                count += 1;
            }
        }
        (sum / f64::from(count)) as f32
    };
    (0..rows).flat_map(|row| (0..columns).map(move |column| mean(column, row))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn voids_do_not_count() {
        // Two cells: one half void, one all void.
        let [across, down] = CELL;
        let known = |k: usize| k % (2 * across) < across / 2 && k >= across * down;
        let heights: Vec<f32> = (0..2 * across * down).map(|k| if known(k) { k as f32 } else { f32::NAN }).collect();
        let found = means(&heights, (2, 1));
        assert_eq!(found[0], (across * down) as f32 + (across / 2 - 1) as f32 / 2.0);
        assert!(found[1].is_nan());
    }
}
