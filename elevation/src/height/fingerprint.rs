//! Is a source still what it was when it was opened? Length and times of the last change of every file that it consists of: a
//! virtual raster's sources and theirs, an image's mask and header, the archive that a file lies in.

use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime},
};

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use web_time::Instant;

use super::error::HeightError;
use crate::change_time::changed;

/// Up to as many files are looked at before every read.
const FEW: usize = 64;
/// More of them are looked at no more often than this: a virtual raster of ten thousand files over a network would do little else.
const PAUSE: Duration = Duration::from_secs(1);
/// Bytes in which a virtual raster says what it is.
const PROLOGUE_BYTES: u64 = 1024;

/// What is remembered of the files behind a source; nothing of those that lie on no file system.
#[derive(Debug)]
pub(crate) struct Fingerprint {
    files: Vec<(PathBuf, Stamp)>,
    /// When many files were looked at last, and what was found.
    last: Mutex<Option<(Instant, Result<(), HeightError>)>>,
}

/// Length, times of the last change, and number on its disk of a file: another file that takes its name with the same length and
/// time has another number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
    /// See [`changed`].
    changed: Option<SystemTime>,
    number: u64,
}

/// The coarsest times that file systems keep (FAT).
const TICK: Duration = Duration::from_secs(2);

/// Whether a change is so long ago that another one would have another time.
pub(super) fn is_past(change: SystemTime, now: SystemTime) -> bool {
    now.duration_since(change).is_ok_and(|age| age > TICK)
}

impl Stamp {
    /// None for what is no file.
    pub fn of(file: &Path) -> Option<Self> {
        let metadata = fs::metadata(file).ok().filter(fs::Metadata::is_file)?;
        Some(Self {
            bytes: metadata.len(),
            modified: metadata.modified().ok(),
            changed: changed(&metadata),
            number: number(&metadata),
        })
    }

    /// Whether the last change is so long ago that another one would be seen.
    pub fn is_old(&self, now: SystemTime) -> bool {
        self.modified.is_some_and(|at| is_past(at, now))
    }
}

#[cfg(unix)]
fn number(metadata: &fs::Metadata) -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    metadata.ino()
}

#[cfg(not(unix))]
fn number(_metadata: &fs::Metadata) -> u64 {
    0
}

impl PartialEq for Fingerprint {
    fn eq(&self, other: &Self) -> bool {
        self.files == other.files
    }
}

impl Fingerprint {
    /// Of a source; `parts_of` tells which files a name consists of, as GDAL names them.
    pub fn of(source: &Path, parts_of: &dyn Fn(&Path) -> Vec<PathBuf>) -> Self {
        let mut files: Vec<(PathBuf, Stamp)> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut unseen = vec![source.to_path_buf()];
        while let Some(name) = unseen.pop() {
            if !seen.insert(name.clone()) {
                continue;
            }
            let file = on_disk(&name);
            // To ask each of ten thousand rasters for its parts would take longer than to look at the first window.
            if name == source || is_virtual(&name, file.as_deref()) {
                unseen.extend(parts_of(&name));
            }
            files.extend(file.and_then(|file| Stamp::of(&file).map(|stamp| (file, stamp))));
        }
        files.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        // Many may lie in one archive.
        files.dedup_by(|a, b| a.0 == b.0);
        Self::of_stamps(files)
    }

    /// What was remembered before.
    pub fn of_stamps(files: Vec<(PathBuf, Stamp)>) -> Self {
        Self { files, last: Mutex::default() }
    }

    /// What is remembered.
    pub fn stamps(&self) -> &[(PathBuf, Stamp)] {
        &self.files
    }

    /// Bytes of all of them.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|(_, stamp)| stamp.bytes).sum()
    }

    /// What is read from the files, if they are what they were, before and after it: they may be changed while they are read.
    ///
    /// # Errors
    /// [`HeightError::Missing`] or [`HeightError::Changed`], and those of `read`.
    pub fn unchanged<T>(&self, read: impl FnOnce() -> Result<T, HeightError>) -> Result<T, HeightError> {
        self.check()?;
        let found = read()?;
        self.check()?;
        Ok(found)
    }

    /// # Errors
    /// [`HeightError::Missing`] or [`HeightError::Changed`].
    pub fn check(&self) -> Result<(), HeightError> {
        if self.files.len() <= FEW {
            return self.check_now();
        }
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((at, found)) if at.elapsed() < PAUSE => found.clone(),
            _ => {
                let found = self.check_now();
                *last = Some((Instant::now(), found.clone()));
                found
            }
        }
    }

    /// The same, however many files there are and whenever they were looked at last.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn check_now(&self) -> Result<(), HeightError> {
        self.files.iter().try_for_each(|(file, stamp)| match Stamp::of(file) {
            None => Err(HeightError::Missing { file: file.clone() }),
            Some(now) if now != *stamp => Err(HeightError::Changed { file: file.clone() }),
            Some(_) => Ok(()),
        })
    }
}

/// File systems of GDAL whose files lie in one of the disk's.
const ARCHIVES: [&str; 5] = ["/vsizip/", "/vsitar/", "/vsigzip/", "/vsi7z/", "/vsirar/"];

/// Whether a name is of a file in an archive.
pub(super) fn is_in_archive(name: &Path) -> bool {
    name.to_str().is_some_and(|name| ARCHIVES.iter().any(|archive| name.starts_with(archive)))
}

/// The file of the disk that a name leads to: itself, or the archive that it lies in; `None` for what is elsewhere.
pub(super) fn on_disk(name: &Path) -> Option<PathBuf> {
    if name.is_file() {
        return Some(name.into());
    }
    let mut rest = name.to_str()?;
    let mut in_braces = false;
    // /vsizip/a.zip/b.tif, /vsizip/{a.kmz}/b.tif, /vsitar//vsigzip/a.tar.gz/b.tif
    while let Some(inside) = ARCHIVES.iter().find_map(|archive| rest.strip_prefix(archive)) {
        rest = inside.strip_prefix('{').unwrap_or(inside);
        in_braces |= rest.len() < inside.len();
    }
    let path = if in_braces { PathBuf::from(rest.replace('}', "")) } else { PathBuf::from(rest) };
    path.ancestors().find(|path| path.is_file()).map(Path::to_path_buf)
}

/// Whether a file is a virtual raster: by its beginning, inside of archives by its name.
pub(super) fn is_virtual(name: &Path, file: Option<&Path>) -> bool {
    if name.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("vrt")) {
        return true;
    }
    let mut prologue = Vec::new();
    let read = file.and_then(|file| fs::File::open(file).ok()?.take(PROLOGUE_BYTES).read_to_end(&mut prologue).ok());
    read.is_some() && prologue.windows(11).any(|bytes| bytes == b"<VRTDataset")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_found_behind_names() {
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("a.zip");
        fs::write(&archive, "PK").unwrap();
        let at = archive.display();
        for name in [
            format!("{at}"),
            format!("/vsizip/{at}/b.tif"),
            format!("/vsizip/{at}/folder/b.tif"),
            format!("/vsizip/{{{at}}}/b.tif"),
            format!("/vsitar//vsigzip/{at}/b.tif"),
            format!("/vsizip/{{/vsizip/{{{at}}}/c.zip}}/b.tif"),
        ] {
            assert_eq!(on_disk(Path::new(&name)).as_deref(), Some(&*archive), "{name}");
        }
        for name in [&format!("/vsimem/{at}"), "/vsicurl/https://example.org/a.tif", "NETCDF:a.nc:z", "<VRTDataset>"] {
            assert_eq!(on_disk(Path::new(name)), None, "{name}");
        }
    }

    /// Law: of more files than are looked at before every read, a change is noticed after the pause at the latest.
    #[test]
    fn many_files_are_watched_too() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("all.vrt");
        let parts: Vec<PathBuf> = (0..3 * FEW).map(|k| folder.path().join(format!("{k}.tif"))).collect();
        parts.iter().chain([&source]).for_each(|file| fs::write(file, "a").unwrap());
        let watched = Fingerprint::of(&source, &|_| parts.clone());
        assert_eq!((watched.files.len(), watched.check()), (3 * FEW + 1, Ok(())));
        fs::write(&parts[77], "other").unwrap();
        // When it was looked at, whatever the test has been kept waiting for since.
        let looked = |at: Instant| *watched.last.lock().unwrap() = Some((at, Ok(())));
        looked(Instant::now() + PAUSE);
        assert_eq!(watched.check(), Ok(()), "looked at a moment ago");
        looked(Instant::now() - PAUSE);
        assert_eq!(watched.check(), Err(HeightError::Changed { file: parts[77].clone() }));
    }
}
