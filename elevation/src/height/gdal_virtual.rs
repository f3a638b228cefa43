//! What do the files of a virtual raster say of its heights? It keeps no more of them than their horizontal system.

use std::{
    collections::VecDeque,
    path::{Path, PathBuf},
};

use gdal::{Dataset, Metadata, raster::RasterBand};
use rustc_hash::FxHashSet;

use foreign::unit::metres_per_unit;

use super::{error::HeightError, gdal_open::open, vertical_axis::VerticalAxis, vrt_sources::named};

/// Virtual rasters within each other; one that includes itself has no end.
const DEEPEST: u32 = 4;
/// Files that are looked at: to open each of ten thousand would take longer than the first picture.
const MOST_FILES: usize = 256;
/// Units that differ by less are as good as one: a foot and a survey foot are 2 mm apart in a kilometre.
const SAME_UNIT: f64 = 1e-5;

/// What a file says of its numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Stated {
    /// The file, and the number of its band.
    file: PathBuf,
    band: usize,
    /// Its unit and the metres of one, if a known one is stated.
    pub unit: Option<(String, f64)>,
    /// Whether its vertical axis points down, if it has one.
    pub down: Option<bool>,
    /// Virtual rasters around it.
    depth: u32,
}

impl Stated {
    fn metres(&self) -> f64 {
        self.unit.as_ref().map_or(1.0, |unit| unit.1)
    }

    fn is_down(&self) -> bool {
        self.down.unwrap_or(false)
    }

    fn in_words(&self) -> String {
        let what = if self.is_down() { "depths" } else { "heights" };
        match &self.unit {
            Some((unit, _)) => format!("{what} in \"{}\"", foreign::shown(unit)),
            None => format!("{what} in metres (no unit is stated)"),
        }
    }
}

/// What the files of a virtual raster say of a band, and how many were looked at, of how many; `None` of other rasters, and where
/// the values of a file are changed on the way.
///
/// # Errors
/// [`HeightError::Mixed`] if they do not agree. Their units may differ if it is said elsewhere which it is.
pub(super) fn stated_by_files(
    file: &Path,
    dataset: &Dataset,
    band: &RasterBand,
    unit_is_said: bool,
) -> Result<Option<(Stated, [usize; 2])>, HeightError> {
    let whole = Stated { file: file.into(), ..Stated::default() };
    let files = files_within(&whole, dataset, band);
    let mut all = files.len();
    let mut unseen: VecDeque<Stated> = spread(files).into();
    let mut first: Option<Stated> = None;
    let mut looked_at = 0;
    while let Some(asked) = unseen.pop_front().filter(|_| looked_at < MOST_FILES) {
        looked_at += 1;
        // What cannot be read says so when its heights are.
        let Some((stated, within)) = ask(asked) else { continue };
        if !within.is_empty() {
            all += within.len();
            unseen.extend(spread(within));
            continue;
        }
        let Some(first) = &first else {
            first = Some(stated);
            continue;
        };
        let same_unit = unit_is_said || (stated.metres() / first.metres() - 1.0).abs() < SAME_UNIT;
        if !same_unit || stated.is_down() != first.is_down() {
            return Err(HeightError::Mixed {
                file: file.into(),
                one: (first.in_words(), first.file.clone()),
                other: (stated.in_words(), stated.file),
            });
        }
    }
    Ok(first.map(|first| (first, [looked_at, all])))
}

/// Completes what is known of a file by what it says itself, and tells the files that it consists of.
fn ask(asked: Stated) -> Option<(Stated, Vec<Stated>)> {
    let dataset = open(&asked.file).ok()?;
    let band = dataset.rasterband(asked.band).ok()?;
    let axis = dataset.spatial_ref().ok().and_then(|srs| VerticalAxis::of(&srs));
    let of_band = band.unit();
    let of_band = metres_per_unit(&of_band).map(|metres| (of_band, metres));
    let down = asked.down.or(axis.as_ref().map(|axis| axis.down));
    let unit = asked.unit.clone().or(of_band).or(axis.map(|axis| axis.unit));
    let stated = Stated { unit, down, ..asked };
    let within = if stated.depth < DEEPEST { files_within(&stated, &dataset, &band) } else { Vec::new() };
    Some((stated, within))
}

/// The files of a virtual raster, each once, with what it says in their place; none where it changes values.
fn files_within(stated: &Stated, dataset: &Dataset, band: &RasterBand) -> Vec<Stated> {
    if dataset.driver().short_name() != "VRT" {
        return Vec::new();
    }
    let sources = band.metadata_domain("vrt_sources").unwrap_or_default();
    let changed = |source: &String| ["<ScaleRatio>", "<LUT>", "<Exponent>"].iter().any(|mark| source.contains(mark));
    if band.metadata_item("PixelFunctionType", "").is_some() || sources.iter().any(changed) {
        return Vec::new();
    }
    let mut seen = FxHashSet::default();
    let mut files = Vec::new();
    for source in &sources {
        let band = source.split_once("<SourceBand>").map_or("1", |(_, rest)| rest.split('<').next().unwrap_or(rest));
        // A mask is no height.
        let Ok(band) = band.trim().parse() else { continue };
        for file in named(source, &stated.file) {
            if seen.insert((file.clone(), band)) {
                files.push(Stated { file, band, depth: stated.depth + 1, ..stated.clone() });
            }
        }
    }
    files
}

/// As many files as may be looked at, the first among them and the others spread evenly.
fn spread<T>(files: Vec<T>) -> Vec<T> {
    let step = files.len().div_ceil(MOST_FILES).max(1);
    files.into_iter().step_by(step).collect()
}
