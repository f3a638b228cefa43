//! What do the files of a virtual raster say of its heights, of which it keeps no more than their horizontal system? And are they
//! whole?

use std::{
    collections::VecDeque,
    path::{Path, PathBuf},
};

use gdal::{
    Dataset, Metadata,
    raster::{GdalDataType, RasterBand},
};
use rustc_hash::FxHashSet;

use foreign::unit::metres_per_unit;

use super::{
    error::HeightError, gdal_blocks::cut, gdal_open::open, gdal_system::definition_of, options::is_remote,
    vertical_axis::VerticalAxis, vrt_sources::named,
};

/// Virtual rasters within each other; one that includes itself has no end.
const DEEPEST: u32 = 4;
/// Files that are looked at: to open each of ten thousand would take longer than the first picture.
const MOST_FILES: usize = 256;
/// Units that differ by less are as good as one: a foot and a survey foot are 2 mm apart in a kilometre.
const SAME_UNIT: f64 = 1e-5;

/// Unit and direction of the numbers of a band, as its file states them.
#[derive(Clone, Debug, Default)]
pub(super) struct BandUnits {
    /// The file, and the number of its band.
    file: PathBuf,
    band: usize,
    /// Its unit and the metres of one, if a known one is stated.
    pub unit: Option<(String, f64)>,
    /// Whether its vertical axis points down, if it has one.
    pub down: Option<bool>,
    /// Whether it is of a BAG file, which has elevations whatever its vertical axis is.
    pub is_bag: bool,
    /// Virtual rasters around it, and whether one changes the values, so that what the file says of them does not hold.
    depth: u32,
    is_changed: bool,
}

impl BandUnits {
    fn metres(&self) -> f64 {
        self.unit.as_ref().map_or(1.0, |unit| unit.1)
    }

    fn is_down(&self) -> bool {
        self.down.unwrap_or(false)
    }

    fn in_words(&self) -> String {
        let what = if self.is_down() { "depths" } else { "heights" };
        match &self.unit {
            Some((unit, _)) => format!("{what} in \"{}\"", foreign::sanitized(unit)),
            None => format!("{what} in metres (no unit is stated)"),
        }
    }
}

/// What a virtual raster needs its files to agree about, as it does not say it itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnknownUnits {
    pub unit: bool,
    pub direction: bool,
}

/// What the files of a virtual raster say of a band, and how many were looked at, of how many; `None` of other rasters.
///
/// # Errors
/// [`HeightError::Mixed`] if they do not agree, [`HeightError::Read`] if one is cut, [`HeightError::SignedBytes`].
pub(super) fn units_of_sources(
    file: &Path,
    dataset: &Dataset,
    band: &RasterBand,
    open: UnknownUnits,
) -> Result<Option<(BandUnits, [usize; 2])>, HeightError> {
    let whole = BandUnits { file: file.into(), ..BandUnits::default() };
    let files = files_within(&whole, dataset, band);
    let mut all = files.len();
    let mut unseen: VecDeque<BandUnits> = some_of(files).into();
    let mut first: Option<BandUnits> = None;
    let mut looked_at = 0;
    while let Some(asked) = unseen.pop_front().filter(|_| looked_at < MOST_FILES) {
        looked_at += 1;
        let Some((stated, within)) = read_units(asked)? else { continue };
        if !within.is_empty() {
            all += within.len();
            unseen.extend(some_of(within));
            continue;
        }
        let Some(first) = &first else {
            first = Some(stated);
            continue;
        };
        let other_unit = open.unit && (stated.metres() / first.metres() - 1.0).abs() > SAME_UNIT;
        if other_unit || open.direction && stated.is_down() != first.is_down() {
            return Err(HeightError::Mixed {
                file: file.into(),
                one: (first.in_words(), first.file.clone()),
                other: (stated.in_words(), stated.file),
            });
        }
    }
    Ok(first.map(|first| (first, [looked_at, all])))
}

/// Completes what is known of a file by what it says itself, and tells the files that it consists of; `None` of one that cannot be
/// read, which says so when its heights are.
fn read_units(asked: BandUnits) -> Result<Option<(BandUnits, Vec<BandUnits>)>, HeightError> {
    let Ok(dataset) = open(&asked.file) else { return Ok(None) };
    let Ok(band) = dataset.rasterband(asked.band) else { return Ok(None) };
    if let Some(reason) = cut(&asked.file, &dataset, &band) {
        return Err(HeightError::Read { file: asked.file, reason });
    }
    if has_signed_bytes(&band) {
        return Err(HeightError::SignedBytes { file: asked.file });
    }
    let mut stated = asked;
    if !stated.is_changed {
        let srs = dataset.spatial_ref().ok();
        let axis = srs.and_then(|srs| VerticalAxis::in_definition(&definition_of(&stated.file, &dataset, true, &srs)));
        let of_band = band.unit();
        let of_band = metres_per_unit(&of_band).map(|metres| (of_band, metres));
        stated.is_bag = is_bag(&dataset);
        stated.down = if stated.is_bag { Some(false) } else { stated.down.or(axis.as_ref().map(|axis| axis.down)) };
        stated.unit = stated.unit.or(of_band).or(axis.map(|axis| axis.unit));
    }
    let within = if stated.depth < DEEPEST { files_within(&stated, &dataset, &band) } else { Vec::new() };
    Ok(Some((stated, within)))
}

/// Whether a file is a Bathymetric Attributed Grid.
pub(super) fn is_bag(dataset: &Dataset) -> bool {
    dataset.driver().short_name() == "BAG"
}

/// Whether GDAL reads bytes that have a sign as if they had none. Since 3.7 there is a type for them.
pub(super) fn has_signed_bytes(band: &RasterBand) -> bool {
    let pixels = band.metadata_item("PIXELTYPE", "IMAGE_STRUCTURE");
    band.band_type() == GdalDataType::UInt8 && pixels.is_some_and(|pixels| pixels == "SIGNEDBYTE")
}

/// The files of a virtual raster, each once, with what it says in their place.
fn files_within(stated: &BandUnits, dataset: &Dataset, band: &RasterBand) -> Vec<BandUnits> {
    if dataset.driver().short_name() != "VRT" {
        return Vec::new();
    }
    let sources = band.metadata_domain("vrt_sources").unwrap_or_default();
    let changes = |source: &String| ["<ScaleRatio>", "<LUT>", "<Exponent>"].iter().any(|mark| source.contains(mark));
    let is_changed =
        stated.is_changed || band.metadata_item("PixelFunctionType", "").is_some() || sources.iter().any(changes);
    let mut seen = FxHashSet::default();
    let mut files = Vec::new();
    for source in &sources {
        let band = source.split_once("<SourceBand>").map_or("1", |(_, rest)| rest.split('<').next().unwrap_or(rest));
        // A mask is no height.
        let Ok(band) = band.trim().parse() else { continue };
        for file in named(source, &stated.file) {
            if seen.insert((file.clone(), band)) {
                files.push(BandUnits { file, band, depth: stated.depth + 1, is_changed, ..stated.clone() });
            }
        }
    }
    files
}

/// The files that are looked at: the first and others spread evenly, and on the network the first alone.
fn some_of(files: Vec<BandUnits>) -> Vec<BandUnits> {
    let step = files.len().div_ceil(MOST_FILES).max(1);
    let spread = files.into_iter().step_by(step).enumerate();
    spread.filter(|(k, stated)| *k == 0 || !is_remote(&stated.file)).map(|(_, stated)| stated).collect()
}
