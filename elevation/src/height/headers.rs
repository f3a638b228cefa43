//! What do the headers of many files say? Read in parallel, and remembered in a folder, so that the next start opens none of the
//! files that have not changed.
//!
//! What is remembered of a set of files, opened with some options, lies in one file, which is only ever replaced as a whole. A
//! file counts as unchanged while length, times of the last change and number on the disk of everything that it consists of are
//! the same. Also, no other file of its name, whatever the ending, may have come or gone: a header or world file beside an
//! image decides where it lies.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    time::SystemTime,
};

use glam::DVec3;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::{
    error::HeightError,
    fingerprint::{Fingerprint, Stamp},
    gdal_height_encoding::HeightEncoding,
    gdal_source::{FileDescription, describe_file},
    georeference::Georeference,
    layer_info::LayerInfo,
    options::OpenOptions,
};
use crate::progress::Stage;

/// Fewer files are opened as fast as they are looked up.
pub(super) const FEW: usize = 64;
/// Begins the name of a memory.
const PREFIX: &str = "headers-";
/// Sets of files that are remembered, those last opened first.
const MOST_SETS: usize = 16;
/// A memory that is larger is not ours: that of 100 000 files takes this.
const MOST_BYTES: u64 = 128 << 20;
/// Digits of the checksum that a memory begins with.
const CHECKSUM_DIGITS: usize = 64;

/// What is known of a file without its heights.
#[derive(Debug)]
pub(crate) struct Header {
    /// Without range and voids.
    pub info: LayerInfo,
    pub encoding: HeightEncoding,
    /// Texels over which it goes over to what lies below, beyond its sides.
    pub feather: u32,
    /// West, south, east, north of the raster and its feather, and a cap that holds both.
    pub reach_deg: [f64; 4],
    pub cap: Option<(DVec3, f64)>,
    /// Of everything that the file consists of.
    pub fingerprint: Fingerprint,
    /// Where it lies, if that is known: of what is remembered that of rasters whose axes are longitude and latitude.
    pub place: Option<Georeference>,
    /// Whether its heights were looked at.
    pub is_looked_at: bool,
}

impl From<FileDescription> for Header {
    fn from(described: FileDescription) -> Self {
        let FileDescription { info, place, encoding, fingerprint } = described;
        let Georeference { cap, feather, reach_deg, .. } = place;
        Self { info, encoding, feather, reach_deg, cap, fingerprint, place: Some(place), is_looked_at: false }
    }
}

/// Remarks on a file, which is the k-th of so many; `None` if it is not looked at.
pub(crate) type HeightCheck<'a> = dyn Fn((usize, usize), &Path, &Header) -> Option<Vec<String>> + Sync + 'a;

/// What the headers of files say, in the order of the files; of those that are opened, with remarks.
pub(crate) fn of_files(
    set: &Path,
    files: &[PathBuf],
    options: &OpenOptions,
    look: &HeightCheck<'_>,
) -> Vec<Result<Header, HeightError>> {
    let stage = Stage::begin("reading headers of files", files.len() as u64);
    let memory =
        options.index.as_ref().filter(|_| files.len() >= FEW).map(|folder| HeaderCache::of(folder, set, options));
    let mut known = memory.as_ref().map(HeaderCache::read).unwrap_or_default();
    let neighbours = if memory.is_some() { SidecarNames::of(files) } else { SidecarNames::default() };
    let remembered: Vec<Option<Record>> =
        files.iter().map(|file| file.to_str().and_then(|name| known.remove(name))).collect();
    let read: Vec<(Result<Header, HeightError>, Option<Record>)> = files
        .par_iter()
        .zip(remembered)
        .enumerate()
        .map(|(k, (file, record))| {
            let beside = neighbours.sidecar_hash(file);
            let found = match record.filter(|record| record.beside == beside && record.is_current()) {
                Some(record) => (record.header(file), Some(record)),
                None => {
                    let header = describe_file(file, options).map(Header::from).map(|mut header| {
                        let remarks = look((k, files.len()), file, &header);
                        header.is_looked_at = remarks.is_some();
                        header.info.remarks.extend(remarks.unwrap_or_default());
                        header
                    });
                    (header, None)
                }
            };
            stage.step();
            found
        })
        .collect();
    if let Some(memory) = memory
        && read.iter().any(|(_, record)| record.is_none())
    {
        let records = files.iter().zip(&read).filter_map(|(file, (result, record))| match record {
            Some(record) => Some((file.to_str()?, record.clone())),
            None => Some((file.to_str()?, Record::of(file, result, neighbours.sidecar_hash(file))?)),
        });
        if let Err(error) = memory.write(&records.collect()) {
            tracing::debug!("{}: headers are not remembered ({error})", memory.file.display());
        }
    }
    read.into_iter().map(|(header, _)| header).collect()
}

/// What is remembered of a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Record {
    /// Hash of the names of the files beside it that differ in their endings alone.
    beside: u64,
    stamps: Vec<(PathBuf, Stamp)>,
    /// None for what is no raster in a place.
    raster: Option<RasterRecord>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct RasterRecord {
    info: LayerInfo,
    #[serde(rename = "meaning")]
    encoding: HeightEncoding,
    feather: u32,
    reach_deg: [f64; 4],
    cap: Option<([f64; 3], f64)>,
    /// Of a raster whose axes are longitude and latitude.
    geo_transform: Option<[f64; 6]>,
    is_looked_at: bool,
}

impl Record {
    /// Nothing of what might be changed once more without a trace.
    fn of(file: &Path, result: &Result<Header, HeightError>, beside: u64) -> Option<Self> {
        let (stamps, raster) = match result {
            Ok(header) => {
                let Header { info, encoding, feather, reach_deg, cap, fingerprint, place, is_looked_at } = header;
                let cap = cap.map(|(middle, cos_radius)| (middle.to_array(), cos_radius));
                let geo_transform = place.as_ref().and_then(Georeference::geographic);
                (
                    fingerprint.stamps().to_vec(),
                    Some(RasterRecord {
                        info: info.clone(),
                        encoding: *encoding,
                        feather: *feather,
                        reach_deg: *reach_deg,
                        cap,
                        geo_transform,
                        is_looked_at: *is_looked_at,
                    }),
                )
            }
            Err(_) => (vec![(file.to_path_buf(), Stamp::of(file)?)], None),
        };
        let now = SystemTime::now();
        (!stamps.is_empty() && stamps.iter().all(|(_, stamp)| stamp.is_old(now))).then_some(Self {
            beside,
            stamps,
            raster,
        })
    }

    /// Whether nothing has changed since.
    fn is_current(&self) -> bool {
        self.stamps.iter().all(|(file, stamp)| Stamp::of(file).is_some_and(|now| now == *stamp))
    }

    fn header(&self, file: &Path) -> Result<Header, HeightError> {
        let Some(known) = self.raster.clone() else {
            let reason = "it was none when its folder was opened before".to_owned();
            return Err(HeightError::CannotOpen { file: file.into(), reason });
        };
        let RasterRecord { info, encoding, feather, reach_deg, cap, geo_transform, is_looked_at } = known;
        let cap = cap.map(|(middle, cos_radius)| (DVec3::from_array(middle), cos_radius));
        let place = geo_transform.and_then(|g| Georeference::geographic_of(&info, cap, (feather, reach_deg), g));
        let fingerprint = Fingerprint::of_stamps(self.stamps.clone());
        Ok(Header { info, encoding, feather, reach_deg, cap, fingerprint, place, is_looked_at })
    }
}

/// Names of all files in the folders of some files: a file's sidecars are among them.
#[derive(Default)]
struct SidecarNames(FxHashMap<PathBuf, Vec<Vec<u8>>>);

impl SidecarNames {
    fn of(files: &[PathBuf]) -> Self {
        let mut folders: FxHashMap<PathBuf, Vec<Vec<u8>>> = FxHashMap::default();
        for folder in files.iter().filter_map(|file| file.parent()) {
            if folders.contains_key(folder) {
                continue;
            }
            let listed = if folder.as_os_str().is_empty() { fs::read_dir(".") } else { fs::read_dir(folder) };
            let names = listed.into_iter().flatten().flatten();
            let mut names: Vec<Vec<u8>> = names.map(|entry| entry.file_name().into_encoded_bytes()).collect();
            names.sort_unstable();
            folders.insert(folder.into(), names);
        }
        Self(folders)
    }

    fn sidecar_hash(&self, file: &Path) -> u64 {
        use std::hash::{Hash, Hasher};
        let names = file.parent().and_then(|folder| self.0.get(folder)).map_or(&[][..], Vec::as_slice);
        let mut stem = file.file_stem().map(|stem| stem.as_encoded_bytes().to_vec()).unwrap_or_default();
        stem.push(b'.');
        let first = names.partition_point(|name| *name < stem);
        let mut hasher = rustc_hash::FxHasher::default();
        names[first..].iter().take_while(|name| name.starts_with(&stem)).for_each(|name| name.hash(&mut hasher));
        hasher.finish()
    }
}

/// The cache file for the headers of a set of files.
struct HeaderCache {
    file: PathBuf,
}

impl HeaderCache {
    fn of(folder: &Path, set: &Path, options: &OpenOptions) -> Self {
        let mut hasher = blake3::Hasher::new();
        let set = fs::canonicalize(set).unwrap_or_else(|_| set.into());
        let recipe = options.clone().with_index(None).with_remote(None).with_layer_bytes(usize::MAX);
        let by = (
            env!("CARGO_PKG_VERSION"),
            "with attributions, systems of heights and their ellipsoids, meaning by all files, on planets, turns continued, BAG up, boxes \
             around poles",
            gdal::version::version_info("RELEASE_NAME"),
        );
        hasher.update(format!("{by:?} {recipe:?} {:?}", std::env::current_dir().ok()).as_bytes());
        hasher.update(set.as_os_str().as_encoded_bytes());
        Self { file: folder.join(format!("{PREFIX}{}", hasher.finalize().to_hex())) }
    }

    /// By the names of files; nothing, if nothing sound is there.
    fn read(&self) -> FxHashMap<String, Record> {
        let sound = fs::metadata(&self.file).is_ok_and(|found| found.is_file() && found.len() <= MOST_BYTES);
        let bytes = if sound { fs::read(&self.file).unwrap_or_default() } else { Vec::new() };
        let Some((checksum, text)) = bytes.split_at_checked(CHECKSUM_DIGITS) else { return FxHashMap::default() };
        if blake3::hash(text).to_hex().as_bytes() != checksum {
            return FxHashMap::default();
        }
        serde_json::from_slice(text).unwrap_or_default()
    }

    fn write(&self, records: &FxHashMap<&str, Record>) -> std::io::Result<()> {
        let text = serde_json::to_vec(records)?;
        let folder = self.file.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let mut file = NamedTempFile::with_prefix_in(PREFIX, folder)?;
        file.write_all(blake3::hash(&text).to_hex().as_bytes())?;
        file.write_all(&text)?;
        file.persist(&self.file)?;
        forget_oldest(folder);
        Ok(())
    }
}

/// Keeps the folder small: of the files that are ours by their names, the oldest go.
fn forget_oldest(folder: &Path) {
    let ours = |name: &str| {
        name.strip_prefix(PREFIX).is_some_and(|hex| hex.len() == 64 && hex.bytes().all(|b| b.is_ascii_hexdigit()))
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let entries = entries.filter(|entry| entry.file_name().to_str().is_some_and(ours));
    let mut found: Vec<(SystemTime, PathBuf)> =
        entries.filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()))).collect();
    found.sort();
    for (_, file) in found.iter().rev().skip(MOST_SETS) {
        let _gone_already = fs::remove_file(file);
    }
}
