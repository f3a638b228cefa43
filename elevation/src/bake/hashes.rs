//! What is the hash of a file that has been read through before? Remembered by path, length and times, so that a large raster
//! is not read again at every start.
//!
//! All that is remembered lies in one file, which is only ever replaced as a whole. So two programs at once lose, at worst,
//! what the other one has just learned, and read that raster again. A memory that is damaged is forgotten as a whole; a file of
//! that name that is not ours stays as it is.
//!
//! A file whose length and times are the same is taken as unchanged. Times tick: a file changed within [`TICK`] before it was read
//! might be changed once more without a trace, so what was read then is not remembered.

use std::{
    fs::{self, Metadata},
    io::{ErrorKind, Read, Write},
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use blake3::Hash;
use rustc_hash::{FxHashMap, FxHashSet};
use tempfile::NamedTempFile;

use super::key::contents;
use crate::{change_time::changed, height::HeightError};

/// Begins a memory; ends in its version.
const MAGIC: &[u8; 16] = b"orogen hashes 1\n";
/// Begins a memory of any version.
const OURS: &[u8] = b"orogen hashes ";
/// Path, length, times and contents of a file.
const RECORD_BYTES: usize = 32 + STAMP_BYTES + 32;
const STAMP_BYTES: usize = 40;
const CHECKSUM_BYTES: usize = 32;
/// Most files that are remembered, those last learned first: 7 MB.
const MOST: usize = 1 << 16;
/// The coarsest times that file systems keep (FAT).
const TICK: Duration = Duration::from_secs(2);

/// Hashes of files, as far as they are known.
#[derive(Debug)]
pub(crate) struct FileHashCache {
    path: PathBuf,
    known: FxHashMap<[u8; 32], Record>,
    /// What was read through since, in order.
    learned: Vec<Record>,
}

/// What is remembered of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Record {
    /// Hash of its path.
    path: [u8; 32],
    stamp: Stamp,
    contents: [u8; 32],
}

/// Length and times of a file, as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp([u8; STAMP_BYTES]);

impl FileHashCache {
    /// Name of the memory in its folder.
    pub const NAME: &str = "sources.hashes";

    /// What is remembered in a folder: nothing, if nothing sound is there.
    pub fn open(folder: &Path) -> Self {
        let path = folder.join(Self::NAME);
        let known = read(&path).into_iter().map(|record| (record.path, record)).collect();
        Self { path, known, learned: Vec::new() }
    }

    /// Hash of a file's contents, remembered or read. Files inside of archives and those of GDAL's other file systems have no
    /// times that can be relied upon: they are read each time.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn contents(&mut self, file: &Path) -> Result<Hash, HeightError> {
        self.contents_by(file, contents)
    }

    /// Whether a file's hash is remembered, and the file is as it was.
    pub fn contains(&self, file: &Path) -> bool {
        identity(file).is_some_and(|(path, stamp, _)| self.known.get(&path).is_some_and(|known| known.stamp == stamp))
    }

    fn contents_by(
        &mut self,
        file: &Path,
        read: impl FnOnce(&Path) -> Result<Hash, HeightError>,
    ) -> Result<Hash, HeightError> {
        let Some((path, stamp, _)) = identity(file) else { return read(file) };
        if let Some(record) = self.known.get(&path).filter(|record| record.stamp == stamp) {
            return Ok(record.contents.into());
        }
        let contents = read(file)?;
        // Not if it was being written meanwhile, or just before.
        if identity(file).is_some_and(|(_, after, is_old)| is_old && after == stamp) {
            let record = Record { path, stamp, contents: *contents.as_bytes() };
            self.known.insert(path, record);
            self.learned.push(record);
        }
        Ok(contents)
    }

    /// Remembers what was learned, beside what others have learned meanwhile.
    ///
    /// # Errors
    /// The folder cannot be written; what was there is there still. [`ErrorKind::AlreadyExists`]: somebody else's file is.
    pub fn save(&mut self) -> std::io::Result<()> {
        if self.learned.is_empty() {
            return Ok(());
        }
        if !is_free(&self.path) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        let learned = std::mem::take(&mut self.learned);
        let paths: FxHashSet<[u8; 32]> = learned.iter().map(|record| record.path).collect();
        let others = read(&self.path).into_iter().filter(|record| !paths.contains(&record.path));
        let mut bytes = MAGIC.to_vec();
        for record in learned.into_iter().rev().chain(others).take(MOST) {
            bytes.extend(record.path);
            bytes.extend(record.stamp.0);
            bytes.extend(record.contents);
        }
        bytes.extend(blake3::hash(&bytes).as_bytes());
        let folder = self.path.parent().unwrap_or(Path::new("."));
        // A file in its place is no memory of anybody's.
        fs::create_dir_all(folder).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => ErrorKind::NotADirectory.into(),
            _ => error,
        })?;
        let mut file = NamedTempFile::with_prefix_in(Self::NAME, folder)?;
        file.write_all(&bytes)?;
        file.persist(&self.path)?;
        Ok(())
    }
}

/// Whether a memory may be written under a name: nothing is there, or a memory, or what is left of one.
fn is_free(path: &Path) -> bool {
    let mut begin = Vec::new();
    let read = foreign::open_regular(path).and_then(|file| file.take(OURS.len() as u64).read_to_end(&mut begin));
    match read {
        Ok(_) => OURS.starts_with(&begin),
        Err(error) => matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
    }
}

/// The records of a memory, last learned first; none if it is not sound.
fn read(path: &Path) -> Vec<Record> {
    // Something else of that name may be of any size.
    let longest = MAGIC.len() + MOST * RECORD_BYTES + CHECKSUM_BYTES;
    foreign::read_small(path, longest as u64).ok().and_then(|bytes| records(&bytes)).unwrap_or_default()
}

fn records(bytes: &[u8]) -> Option<Vec<Record>> {
    let (bytes, checksum) = bytes.split_last_chunk::<CHECKSUM_BYTES>()?;
    if blake3::hash(bytes) != *checksum {
        return None;
    }
    let (records, rest) = bytes.strip_prefix(MAGIC)?.as_chunks::<RECORD_BYTES>();
    let record = |bytes: &[u8; RECORD_BYTES]| {
        let (path, rest) = bytes.split_first_chunk()?;
        let (stamp, contents) = rest.split_first_chunk()?;
        Some(Record { path: *path, stamp: Stamp(*stamp), contents: contents.try_into().ok()? })
    };
    if rest.is_empty() { records.iter().map(record).collect() } else { None }
}

/// Hash of a file's path, its length and times, and whether the last of these is past; `None` if the system does not know.
fn identity(file: &Path) -> Option<([u8; 32], Stamp, bool)> {
    let path = fs::canonicalize(file).ok()?;
    let metadata = fs::metadata(&path).ok().filter(Metadata::is_file)?;
    let modified = metadata.modified().ok()?;
    let changed = changed(&metadata);
    let mut stamp = [0; STAMP_BYTES];
    stamp[..8].copy_from_slice(&metadata.len().to_le_bytes());
    stamp[8..24].copy_from_slice(&nanoseconds(modified).to_le_bytes());
    stamp[24..].copy_from_slice(&changed.map_or(0, nanoseconds).to_le_bytes());
    let latest = changed.map_or(modified, |changed| changed.max(modified));
    let is_old = SystemTime::now().duration_since(latest).is_ok_and(|age| age > TICK);
    Some((*blake3::hash(path.as_os_str().as_encoded_bytes()).as_bytes(), Stamp(stamp), is_old))
}

/// Since 1970, negative before.
fn nanoseconds(time: SystemTime) -> i128 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => after.as_nanos() as i128,
        Err(before) => -(before.duration().as_nanos() as i128),
    }
}

#[cfg(test)]
mod tests;
