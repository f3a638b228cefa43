//! Are all blocks of a file in it, and can they be read? One that is cut behind its header opens, and fails where its end was; of one in a
//! damaged archive some drivers of GDAL give other bytes, and no error.

use std::{
    ffi::OsString,
    fs::File,
    io::BufReader,
    path::{Path, PathBuf},
    sync::{LazyLock, Mutex, PoisonError},
};

use gdal::{Dataset, Metadata, raster::RasterBand};
use rustc_hash::FxHashMap;

use super::{
    error::HeightError,
    fingerprint::{Stamp, is_in_archive, on_disk},
    gdal_open::{MANY_FILES, parts, read_through},
    netcdf_classic,
    options::is_remote,
    vrt_sources::named,
    xyz,
};

/// Blocks that are looked at: the last ones, which most programs write last, and others spread evenly.
const LAST: usize = 16;
const SPREAD: usize = 48;

/// Reads the files of a dataset to their ends where its driver would not tell that it cannot: those in archives, which have checksums.
/// Each state of a file once in a process; nothing over the network.
///
/// # Errors
/// [`HeightError::Read`] for one that is damaged.
pub(super) fn read_to_the_end(file: &Path, dataset: &Dataset) -> Result<(), HeightError> {
    static READ: LazyLock<Mutex<FxHashMap<PathBuf, Stamp>>> = LazyLock::new(Mutex::default);
    let known = || READ.lock().unwrap_or_else(PoisonError::into_inner);
    let stamp_of = |name: &Path| on_disk(name).and_then(|file| Stamp::of(&file));
    let is_unknown = |name: &Path, stamp: &Stamp| known().get(name) != Some(stamp);
    // Blocks of a TIFF that cannot be read are errors, and some of it may be all that is wanted.
    if dataset.driver().short_name() == "GTiff" || is_remote(file) {
        return Ok(());
    }
    let Some(own) = stamp_of(file).filter(|own| is_unknown(file, own)) else { return Ok(()) };
    let mut parts = parts(dataset);
    if parts.len() > MANY_FILES {
        // Of so many nothing is known before they are read.
        parts.clear();
    }
    for part in parts {
        let ends_with = |wanted| part.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted));
        let is_silent = ends_with("zip") || is_in_archive(&part);
        let stamp = stamp_of(&part).filter(|_| is_silent && !is_remote(&part));
        let Some(stamp) = stamp.filter(|stamp| is_unknown(&part, stamp)) else { continue };
        // Heights in an archive that is named as if it were their file.
        let inside = if ends_with("zip") && part.is_file() { members(&part) } else { vec![part.clone()] };
        inside.iter().try_for_each(|name| read_through(name, &mut |_| ()))?;
        known().insert(part, stamp);
    }
    known().insert(file.into(), own);
    Ok(())
}

/// The files in an archive.
fn members(archive: &Path) -> Vec<PathBuf> {
    let mut folder = OsString::from("/vsizip/");
    folder.push(archive);
    let names = gdal::vsi::read_dir(&folder, true).unwrap_or_default();
    let is_file = |name: &PathBuf| !name.to_string_lossy().ends_with('/');
    names.into_iter().filter(is_file).map(|name| Path::new(&folder).join(name)).collect()
}

/// What is missing of a band in a file on a disk, in words; `None` of formats that do not tell, and of those whose reading fails
/// where heights are missing.
pub(super) fn cut(file: &Path, dataset: &Dataset, band: &RasterBand) -> Option<String> {
    match dataset.driver().short_name().as_str() {
        "GTiff" => cut_tiff(file, band),
        "ENVI" => cut_envi(dataset, band),
        "netCDF" | "GMT" => parts(dataset).iter().find_map(|file| cut_netcdf(file)),
        "VRT" => cut_raw(file, dataset, band),
        "XYZ" => xyz::cut(file, dataset, band),
        "AAIGrid" | "GRASSASCIIGrid" | "GSAG" | "ISG" => cut_text(file, band).unwrap_or_else(|error| match error {
            HeightError::Read { reason, .. } => Some(reason),
            other => Some(other.to_string()),
        }),
        _ => None,
    }
}

/// What is missing of a file of bare values with a header beside it, in which GDAL reads zeros where it ends.
fn cut_envi(dataset: &Dataset, band: &RasterBand) -> Option<String> {
    let stated = |key: &str| dataset.metadata_item(key, "ENVI").and_then(|value| value.trim().parse::<u64>().ok());
    if stated("file_compression").is_some_and(|squeezed| squeezed != 0) {
        return None;
    }
    // The values are in one of the files, the longest.
    let length = parts(dataset).iter().filter_map(|file| length(file)).max()?;
    let (columns, rows) = band.size();
    let values = (columns as u64).checked_mul(rows as u64)?.checked_mul(dataset.raster_count() as u64)?;
    let bytes =
        values.checked_mul(band.band_type().bytes() as u64)?.checked_add(stated("header_offset").unwrap_or(0))?;
    (length < bytes).then(|| format!("its heights take {bytes} bytes, and it has {length}"))
}

/// What is missing of a grid of words. Where one ends too early, GDAL looks for each row behind that in all rows before it, and for each of
/// those again: it takes twice as long with every row.
fn cut_text(file: &Path, band: &RasterBand) -> Result<Option<String>, HeightError> {
    let (columns, rows) = band.size();
    let (mut words, mut is_in_word) = (0u64, false);
    let mut count = |bytes: &[u8]| {
        for byte in bytes {
            let is_word = !byte.is_ascii_whitespace();
            words += u64::from(is_word && !is_in_word);
            is_in_word = is_word;
        }
    };
    read_through(file, &mut count)?;
    // Those of the header are among them: a few are missing without a word, of the last row.
    let is_cut = (columns as u64).checked_mul(rows as u64).is_some_and(|values| words < values);
    Ok(is_cut.then(|| format!("its grid of {columns} x {rows} heights has {words} at most, so the file is cut")))
}

/// What is missing of a file in one of the formats of netCDF that hold bare values: zeros are read in its place, too.
fn cut_netcdf(file: &Path) -> Option<String> {
    let length = length(file)?;
    let bytes = netcdf_classic::length(BufReader::new(File::open(file).ok()?))?;
    (length < bytes).then(|| format!("its values take {bytes} bytes, and it has {length}"))
}

/// Length of a file on a disk.
fn length(file: &Path) -> Option<u64> {
    Some(std::fs::metadata(file).ok().filter(std::fs::Metadata::is_file)?.len())
}

/// What is missing of a file of bare values that a virtual raster describes: zeros again.
fn cut_raw(file: &Path, dataset: &Dataset, band: &RasterBand) -> Option<String> {
    if band.metadata_domain("vrt_sources").is_some_and(|sources| !sources.is_empty()) {
        return None;
    }
    // SAFETY: the band is alive.
    let number = unsafe { gdal_sys::GDALGetBandNumber(band.c_rasterband()) };
    let text = dataset.metadata_domain("xml:VRT")?.concat();
    let described = text.split("<VRTRasterBand ").find(|described| {
        let attributes = described.split('>').next().unwrap_or_default();
        attributes.contains("\"VRTRawRasterBand\"") && attributes.contains(&format!("band=\"{number}\""))
    })?;
    let described = described.split("</VRTRasterBand>").next()?;
    let raw = named(described, file).into_iter().next()?;
    let offset = |tag: &str| -> Option<i128> {
        described.split_once(&format!("<{tag}>"))?.1.split('<').next()?.trim().parse::<i64>().ok().map(i128::from)
    };
    let (columns, rows) = band.size();
    // Rows may go backwards: then the first is the last in the file.
    let forwards = |step: i128, count: usize| step.max(0) * (count as i128 - 1).max(0);
    let end = offset("ImageOffset").unwrap_or(0)
        + forwards(offset("LineOffset")?, rows)
        + forwards(offset("PixelOffset")?, columns)
        + band.band_type().bytes() as i128;
    let length = length(&raw)?;
    (i128::from(length) < end).then(|| {
        format!("its heights go on to byte {end} of {}, which has {length}", foreign::escaped(&raw.to_string_lossy()))
    })
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
