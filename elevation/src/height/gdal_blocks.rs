//! Are all blocks of a file in it? One that is cut behind its header opens, and fails where its end was.

use std::path::Path;

use gdal::{Dataset, Metadata, raster::RasterBand};

/// Blocks that are looked at: the last ones, which most programs write last, and others spread evenly.
const LAST: usize = 16;
const SPREAD: usize = 48;

/// What is missing of a band in a TIFF on a disk, in words; `None` of other files, which do not tell.
pub(super) fn cut(file: &Path, dataset: &Dataset, band: &RasterBand) -> Option<String> {
    if dataset.driver().short_name() != "GTiff" {
        return None;
    }
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
