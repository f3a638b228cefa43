//! What can go wrong with elevation data, and what the user can do about it.

use std::path::{Path, PathBuf};

use super::options::{SCHEMES, is_remote};
use crate::geodesy::Ellipsoid;

/// Why elevation data could not be used. Every message names the file, the reason and the way out.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HeightError {
    /// There is no such file.
    #[error("{}: no such file; {}", file.display(), missing_hint(file))]
    Missing {
        /// The path as given.
        file: PathBuf,
    },
    /// GDAL does not recognise the file, or it is damaged.
    #[error("{}: GDAL cannot open it as a raster ({reason}); {}", file.display(), open_hint(file))]
    CannotOpen {
        /// The path as given.
        file: PathBuf,
        /// GDAL's message.
        reason: String,
    },
    /// It lies on the network, which may not be reached for it.
    #[error("{}: it lies on the network: leave out --offline, and give --online where a file or list names it", file.display())]
    Offline {
        /// The name as given.
        file: PathBuf,
    },
    /// It is there, but a pipe would be waited for, and a device read without end.
    #[error("{}: it is {kind}, not a file: give a raster, a folder of rasters or @LIST", file.display())]
    NoFile {
        /// The path as given.
        file: PathBuf,
        /// What it is.
        kind: &'static str,
    },
    /// Files of a folder or list that should be like the others cannot be used.
    #[error("{first}; {}", skip_hint(*others))]
    Bad {
        /// Why the first one cannot be used.
        first: Box<HeightError>,
        /// How many more there are.
        others: usize,
    },
    /// The machine has less memory than the budget allows.
    #[error("{}: no {} MiB of memory for its heights: lower the budget, `--memory`", file.display(), bytes >> 20)]
    NoMemory {
        /// The path as given.
        file: PathBuf,
        /// Bytes that it takes.
        bytes: usize,
    },
    /// Its bytes have a sign, and GDAL reads them without: -4 as 252.
    #[error(
        "{}: its bytes have a sign (PIXELTYPE=SIGNEDBYTE), which GDAL before 3.7 reads as 0 to 255: write them as Int16, like \
         gdal_calc.py -A FILE --type=Int16 --calc=\"where(A>127,A-256.0,A)\" --outfile=NEW.tif",
        file.display()
    )]
    SignedBytes {
        /// The file.
        file: PathBuf,
    },
    /// The file is a container of several datasets, or holds no raster at all.
    #[error("{}: no raster band; {}", file.display(), subdataset_hint(subdatasets))]
    NoBand {
        /// The path as given.
        file: PathBuf,
        /// Names of the datasets inside, to be opened instead.
        subdatasets: Vec<String>,
    },
    /// The asked band does not exist.
    #[error("{}: there is no band {asked}, it has {count}; choose one of 1 to {count}", file.display())]
    BandOutOfRange {
        /// The path as given.
        file: PathBuf,
        /// Band number asked for, from 1.
        asked: usize,
        /// Bands in the file.
        count: usize,
    },
    /// Files of a virtual raster whose numbers mean different things.
    #[error("{}: {} in {}, but {} in {}: make a virtual raster of each kind and give both, or convert one with `gdal_translate`{}", file.display(), one.0, one.1.display(), other.0, other.1.display(), unit_hint(&one.0, &other.0))]
    Mixed {
        /// The path as given.
        file: PathBuf,
        /// What the numbers of its first file are, in words, and that file.
        one: (String, PathBuf),
        /// What they are in the first file that differs.
        other: (String, PathBuf),
    },
    /// The raster says nothing about where it lies.
    #[error("{}: no georeference (no geotransform), so it cannot be placed on the Earth; add one with `gdal_translate -a_ullr WEST NORTH EAST SOUTH -a_srs EPSG:4326`", file.display())]
    NoGeoreference {
        /// The path as given.
        file: PathBuf,
    },
    /// The raster is placed by something else than a geotransform.
    #[error("{}: placed by {by}, not by a geotransform; `gdalwarp {option}-t_srs EPSG:4326 FILE OUT.tif` makes a raster of it that is", file.display())]
    NotWarped {
        /// The path as given.
        file: PathBuf,
        /// What places it.
        by: String,
        /// What `gdalwarp` needs to be told.
        option: &'static str,
    },
    /// The coordinates are not on the ground.
    #[error("{}: {crs} is geocentric (x, y and z from the middle of the Earth), which places no raster; state another with --crs or `gdal_edit.py -a_srs EPSG:CODE FILE`", file.display())]
    Geocentric {
        /// The path as given.
        file: PathBuf,
        /// Name of the system.
        crs: String,
    },
    /// The coordinates are those of a building site or the like.
    #[error("{}: {crs} is a local system, whose place on the Earth is not known; state another with --crs or `gdal_edit.py -a_srs EPSG:CODE FILE`", file.display())]
    LocalCrs {
        /// The path as given.
        file: PathBuf,
        /// Name of the system.
        crs: String,
    },
    /// The raster has coordinates, but of an unknown system, and they cannot be degrees.
    #[error("{}: no coordinate reference system, and x {:.3} to {:.3}, y {:.3} to {:.3} are not degrees; state it with --crs EPSG:CODE or `gdal_edit.py -a_srs EPSG:CODE FILE`", file.display(), bounds[0], bounds[2], bounds[1], bounds[3])]
    NoCrs {
        /// The path as given.
        file: PathBuf,
        /// West, south, east, north in the raster's own units.
        bounds: [f64; 4],
    },
    /// The geotransform maps the raster to a line or a point, or is not finite.
    #[error("{}: degenerate geotransform {geo_transform:?}; repair it with `gdal_edit.py -a_ullr WEST NORTH EAST SOUTH FILE`", file.display())]
    DegenerateGeoreference {
        /// The path as given.
        file: PathBuf,
        /// GDAL's six coefficients.
        geo_transform: [f64; 6],
    },
    /// PROJ cannot go from WGS84 to the raster's coordinate system, or not accurately.
    #[error("{}: no transformation from WGS84 to {crs} ({reason}); warp it with `gdalwarp -t_srs EPSG:4326`", file.display())]
    NoTransform {
        /// The path as given.
        file: PathBuf,
        /// Name of the raster's coordinate reference system.
        crs: String,
        /// What failed.
        reason: String,
    },
    /// Data of another planet than the others, or than was asked for.
    #[error("{}: on a body with radii of {} m, not of {} m; give data of one body, or the right --body", file.display(), bodies[0], bodies[1])]
    OtherBody {
        /// The path as given.
        file: PathBuf,
        /// Its own, and that of the others.
        bodies: [Ellipsoid; 2],
    },
    /// The coordinate system given by the caller is not one that PROJ knows.
    #[error("unknown coordinate reference system {given:?} ({reason}); give EPSG:CODE, WKT or a PROJ string")]
    UnknownCrs {
        /// The text as given.
        given: String,
        /// PROJ's message.
        reason: String,
    },
    /// The file opened, but its values cannot be read (truncated, corrupt, vanished).
    #[error("{}: cannot read heights ({reason}); {}", file.display(), read_hint(reason))]
    Read {
        /// The path as given.
        file: PathBuf,
        /// GDAL's message.
        reason: String,
    },
    /// The file is not what it was when it was opened.
    #[error("{}: it has changed since it was opened, and heights of before and after do not go together: start again", file.display())]
    Changed {
        /// The path as given.
        file: PathBuf,
    },
    /// This build of GDAL does not have such a driver.
    #[error("GDAL here has no driver {name:?}; `gdalinfo --formats` lists what it has")]
    UnknownDriver {
        /// The name as given.
        name: String,
    },
    /// Options of rasters were given for a pack.
    #[error("{}: a pack has its heights already: leave out --band, --nodata, --crs, --unit, --feather and --valid-range, and options \
             behind its name but vdatum=; they belong to the `orogen bake` that makes it", file.display())]
    PackOptions {
        /// The path as given.
        file: PathBuf,
    },
    /// A pack of tiles cannot be used.
    #[error(transparent)]
    Pack(Box<crate::pack::PackError>),
    /// This build reads packs only.
    #[error("{}: this build reads packs of tiles only, not rasters; build it with the feature gdal, or make a pack of it with `orogen bake` of a build that has it", file.display())]
    NeedsGdal {
        /// The path as given.
        file: PathBuf,
    },
    /// What was given as a vertical datum is none.
    #[error(
        "{given} is no vertical datum ({reason}); give ellipsoid, egm96, egm2008, navd88 or EPSG:CODE of a vertical system"
    )]
    NoVerticalDatum {
        /// The datum as given.
        given: String,
        /// What it is instead.
        reason: String,
    },
    /// Heights of another planet cannot be above a datum of the Earth.
    #[error("{given} is a vertical datum of the Earth, and the data are of another body: leave out --vdatum")]
    DatumOfEarth {
        /// The datum as given.
        given: String,
    },
    /// Heights cannot be brought to another datum.
    #[error("{layer}: heights above {from} cannot be brought to {to}: {reason}")]
    NoDatumShift {
        /// Name of the layer.
        layer: String,
        /// What its heights are measured from.
        from: String,
        /// What they should be measured from.
        to: String,
        /// What is missing, and what to do.
        reason: String,
    },
    /// There is nothing that covers the Earth.
    #[error(
        "no elevation: a build without the feature earth has no relief of its own; give a pack that `orogen bake` made"
    )]
    NoRelief,
    /// A grid given as an array has the wrong shape or holds values that are not heights.
    #[error("grid of {width} x {height}: {reason}")]
    Grid {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
        /// What is wrong and what is needed.
        reason: String,
    },
}

/// The second half of the message about bad files among others.
pub(super) fn skip_hint(others: usize) -> String {
    match others {
        0 => "--skip-bad leaves it out".to_owned(),
        _ => format!("{others} more files there cannot be used either: --skip-bad leaves them out"),
    }
}

/// The way out of [`HeightError::Mixed`] where only units differ.
fn unit_hint(one: &str, other: &str) -> &'static str {
    let are_depths = |words: &str| words.starts_with("depths");
    if are_depths(one) == are_depths(other) { "; `--unit` says which unit all of them are in" } else { "" }
}

/// The second half of the message of [`HeightError::NoBand`].
fn subdataset_hint(subdatasets: &[String]) -> String {
    if subdatasets.is_empty() {
        "give a file that holds elevation as a raster".to_owned()
    } else {
        format!("it holds several datasets, open one of: {}", subdatasets.join(", "))
    }
}

/// What a name of no file may have meant.
fn missing_hint(file: &Path) -> String {
    let name = file.to_string_lossy();
    if name.starts_with('@') {
        let also = if file.exists() { format!(", and ./{name} the file of that name") } else { String::new() };
        return format!("a name behind @ is that of a list of files{also}");
    }
    if is_remote(file) {
        return "packs are read from https:// and s3:// addresses, other rasters on servers by a build with GDAL"
            .to_owned();
    }
    match name.split_once(',') {
        Some((before, _)) if Path::new(before).exists() => format!(
            "{before} is there, and behind its comma are no options: band=, nodata=, crs=, unit=, feather=, valid-range=, vdatum="
        ),
        _ => "check the path".to_owned(),
    }
}

/// What to do about a file that GDAL does not open.
fn open_hint(file: &Path) -> String {
    let shown = file.display();
    let name = file.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let is = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    if let Some(known) = other_schemes(&shown.to_string()) {
        format!("addresses that are read begin with {known}")
    } else if shown.to_string().contains("://") || shown.to_string().starts_with("/vsi") {
        "check the name, and for the network the connection".to_owned()
    } else if is(&[".tar", ".tgz", ".tar.gz"]) {
        format!("/vsitar/{shown}/NAME reads a raster in an archive")
    } else if is(&[".zip"]) {
        format!("/vsizip/{shown}/NAME reads a raster in an archive")
    } else if is(&[".gz"]) {
        format!("/vsigzip/{shown} reads a compressed raster")
    } else if is(&[".hgt"]) {
        "an .hgt says by its name where it lies, like N46E007.hgt".to_owned()
    } else {
        "`gdalinfo --formats` lists what it reads".to_owned()
    }
}

/// What addresses that are read begin with, if a name is another one.
fn other_schemes(name: &str) -> Option<String> {
    let (scheme, _) = name.split_once("://")?;
    let is_other = !scheme.is_empty()
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && !SCHEMES.iter().any(|(known, _)| name.starts_with(known));
    is_other.then(|| SCHEMES.map(|(known, _)| known).join(", "))
}

/// What heights that cannot be read may come from.
fn read_hint(reason: &str) -> &'static str {
    if reason.contains("ecursion") {
        "a virtual raster must not include itself"
    } else if is_lack_of_memory(reason) {
        "there is too little memory"
    } else {
        "the file may be truncated or corrupt, as `gdalinfo -checksum` tells: get it anew, or leave it out"
    }
}

/// Whether GDAL says that it has too little memory, which is no fault of a file.
pub(super) fn is_lack_of_memory(reason: &str) -> bool {
    reason.contains("cannot allocate") || reason.contains("ut of memory")
}

impl From<crate::pack::PackError> for HeightError {
    fn from(error: crate::pack::PackError) -> Self {
        Self::Pack(Box::new(error))
    }
}
