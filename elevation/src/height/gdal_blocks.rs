//! Are all blocks of a file in it? One that is cut behind its header opens, and fails where its end was.

use std::path::Path;

use gdal::{Dataset, Metadata, raster::RasterBand};

use super::gdal_open::parts;

/// Blocks that are looked at: the last ones, which most programs write last, and others spread evenly.
const LAST: usize = 16;
const SPREAD: usize = 48;

/// What is missing of a band in a file on a disk, in words; `None` of formats that do not tell, and of those whose reading fails
/// where heights are missing.
pub(super) fn cut(file: &Path, dataset: &Dataset, band: &RasterBand) -> Option<String> {
    match dataset.driver().short_name().as_str() {
        "GTiff" => cut_tiff(file, band),
        "ENVI" | "netCDF" => cut_bare(dataset, band),
        _ => None,
    }
}

/// What is missing of a file of bare values, in which GDAL reads zeros where it ends.
fn cut_bare(dataset: &Dataset, band: &RasterBand) -> Option<String> {
    let of_envi = |key: &str| dataset.metadata_item(key, "ENVI").and_then(|value| value.trim().parse::<u64>().ok());
    if of_envi("file_compression").is_some_and(|squeezed| squeezed != 0) {
        return None;
    }
    // The values are in one of the files, the longest.
    let on_disk = parts(dataset).into_iter().filter_map(|file| Some((std::fs::metadata(&file).ok()?.len(), file)));
    let (length, file) = on_disk.max()?;
    if dataset.driver().short_name() == "netCDF" && !is_classic(&file) {
        return None;
    }
    let (columns, rows) = band.size();
    let count = if dataset.driver().short_name() == "ENVI" { dataset.raster_count() } else { 1 };
    let values = (columns as u64).checked_mul(rows as u64)?.checked_mul(count as u64)?;
    let bytes =
        values.checked_mul(band.band_type().bytes() as u64)?.checked_add(of_envi("header_offset").unwrap_or(0))?;
    (length < bytes).then(|| format!("its heights take {bytes} bytes, and it has {length}"))
}

/// Whether a file of netCDF is one of its formats of bare values.
fn is_classic(file: &Path) -> bool {
    let mut magic = [0; 3];
    let read = std::fs::File::open(file).and_then(|mut file| std::io::Read::read_exact(&mut file, &mut magic));
    read.is_ok() && &magic == b"CDF"
}

/// What is missing of a band in a TIFF.
fn cut_tiff(file: &Path, band: &RasterBand) -> Option<String> {
    let length = std::fs::metadata(file).ok().filter(std::fs::Metadata::is_file)?.len();
    let (size, block) = (band.size(), band.block_size());
    let across = size.0.div_ceil(block.0.max(1));
    let count = across * size.1.div_ceil(block.1.max(1));
    let number = |what: &str, k: usize| -> Option<u64> {
        band.metadata_item(&format!("BLOCK_{what}_{}_{}", k % across, k / across), "TIFF")?.parse().ok()
    };
    // Of one that is not there, as all of it is void, nothing is told.
    let end = |k: usize| number("OFFSET", k)?.checked_add(number("SIZE", k)?);
    let first_of_last = count.saturating_sub(LAST);
    let looked_at =
        (first_of_last..count).rev().chain((0..first_of_last).step_by(first_of_last.div_ceil(SPREAD).max(1)));
    let (furthest, last) = looked_at.filter_map(|k| Some((end(k)?, k))).max()?;
    // Some programs write longer lengths than there are bytes, and whoever reads the heights does not mind.
    let corner = (last % across * block.0, last / across * block.1);
    let is_there = || {
        let mut texel = [0f32];
        band.read_into_slice((corner.0 as isize, corner.1 as isize), (1, 1), (1, 1), &mut texel, None).is_ok()
    };
    (furthest > length && !is_there())
        .then(|| format!("its heights go on to byte {furthest} at least, and it ends at byte {length}"))
}
