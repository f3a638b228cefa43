//! How are records kept on disk from one start to the next? In two logs, a younger and an older one. When the younger is full, the older is
//! forgotten and the younger takes its place; what is found in the older is written to the younger again. So the records used last stay, no
//! file is ever rewritten, and a process that dies loses at most what it was writing.
//!
//! Two processes that append would write over each other: one has the lock and writes, the others read.

use std::{
    fs::{self, File, OpenOptions},
    hash::Hash,
    io::{ErrorKind, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use rustc_hash::FxHashMap;

/// Where a record lies in a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RecordLocation {
    offset: u64,
    bytes: u32,
}

/// A kind of records, each of which begins with a head.
pub(crate) trait Records {
    /// What names a record.
    type Key: Copy + Eq + Hash + std::fmt::Debug;
    /// Bytes of a head.
    const HEAD_BYTES: usize;

    /// Name and bytes, head included, of the record of a head; `None` of what is no sound one.
    fn of_head(head: &[u8]) -> Option<(Self::Key, u64)>;
}

/// What may be done with a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    /// Read and written.
    Writer,
    /// Read, as another process writes it.
    SharedReader,
    /// Read.
    Reader,
}

/// A file of records.
#[derive(Debug)]
struct Log<R: Records> {
    path: PathBuf,
    file: File,
    places: FxHashMap<R::Key, RecordLocation>,
    end: u64,
}

impl<R: Records> Log<R> {
    /// Opens a log or begins it.
    fn open(path: PathBuf) -> std::io::Result<(Self, Access)> {
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).clone();
        let (mut file, access) = match options.open(&path) {
            Ok(file) => {
                let access = if file.try_lock().is_ok() { Access::Writer } else { Access::SharedReader };
                (file, access)
            }
            Err(error) if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) => {
                // The first error says more than that there is no file.
                (File::open(&path).map_err(|_| error)?, Access::Reader)
            }
            Err(error) => return Err(error),
        };
        let (places, end) = scan::<R>(&mut file)?;
        if access == Access::Writer {
            // What a process left that died while it was writing.
            file.set_len(end)?;
        }
        Ok((Self { path, file, places, end }, access))
    }

    fn read(&mut self, key: R::Key) -> Option<Vec<u8>> {
        let place = *self.places.get(&key)?;
        // No more than what `scan` found to be within the file; what it says is foreign all the same.
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(place.bytes as usize).ok()?;
        bytes.resize(place.bytes as usize, 0);
        let read = self.file.seek(SeekFrom::Start(place.offset)).and_then(|_| self.file.read_exact(&mut bytes));
        read.is_ok().then_some(bytes)
    }

    fn append(&mut self, key: R::Key, bytes: &[u8]) -> std::io::Result<()> {
        let written = self.file.seek(SeekFrom::Start(self.end)).and_then(|_| self.file.write_all(bytes));
        if let Err(error) = written {
            // Half a record is found and dropped next time all the same.
            let _still_full = self.file.set_len(self.end);
            return Err(error);
        }
        self.places.insert(key, RecordLocation { offset: self.end, bytes: bytes.len() as u32 });
        self.end += bytes.len() as u64;
        Ok(())
    }
}

/// The records of a log, as far as their heads are sound and they are whole, and where the next one goes.
fn scan<R: Records>(log: &mut File) -> std::io::Result<(FxHashMap<R::Key, RecordLocation>, u64)> {
    let length = log.seek(SeekFrom::End(0))?;
    let (mut found, mut offset) = (FxHashMap::default(), 0);
    let mut head = vec![0; R::HEAD_BYTES];
    loop {
        log.seek(SeekFrom::Start(offset))?;
        match log.read_exact(&mut head) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok((found, offset)),
            read => read?,
        }
        match R::of_head(&head) {
            Some((key, bytes)) if offset + bytes <= length => {
                found.insert(key, RecordLocation { offset, bytes: bytes as u32 });
                offset += bytes;
            }
            _ => return Ok((found, offset)),
        }
    }
}

/// A younger and an older log.
#[derive(Debug)]
pub(crate) struct Logs<R: Records> {
    younger: Log<R>,
    older: Option<Log<R>>,
    /// Where the younger one goes when it is full.
    old: PathBuf,
    /// Bytes at which the younger one is full.
    full: u64,
    writes: bool,
    /// What is kept, for warnings.
    what: &'static str,
}

impl<R: Records> Logs<R> {
    /// The logs of two names in a folder, which hold about `most_bytes` of `what`; `None`, and a warning, if there is nothing to read and
    /// nothing can be written.
    pub fn open(folder: &Path, [young, old]: [String; 2], most_bytes: u64, what: &'static str) -> Option<Self> {
        let give_up = |error: std::io::Error| tracing::warn!("{}: {what} are not kept ({error})", folder.display());
        fs::create_dir_all(folder).map_err(give_up).ok()?;
        let [young, old] = [young, old].map(|name| folder.join(name));
        let (younger, access) = Log::open(young).map_err(give_up).ok()?;
        match access {
            Access::Writer => {}
            Access::Reader => tracing::warn!("{}: it cannot be written: no more {what} are kept", folder.display()),
            Access::SharedReader => tracing::info!("{}: another program keeps these {what}", folder.display()),
        }
        let older = if old.exists() { Log::open(old.clone()).ok().map(|(log, _)| log) } else { None };
        let writes = access == Access::Writer;
        Some(Self { younger, older, old, full: (most_bytes / 2).max(1), writes, what })
    }

    /// Writes no more, as after an error.
    #[cfg(test)]
    pub fn stop(&mut self) {
        self.writes = false;
    }

    /// Writes into another file from now on.
    #[cfg(all(test, target_os = "linux"))]
    pub fn write_into(&mut self, file: File) {
        self.younger.file = file;
    }

    /// Whether records are written.
    pub fn writes(&self) -> bool {
        self.writes
    }

    /// Bytes on disk.
    pub fn bytes(&self) -> u64 {
        self.younger.end + self.older.as_ref().map_or(0, |older| older.end)
    }

    /// A record's bytes.
    pub fn read(&mut self, key: R::Key) -> Option<Vec<u8>> {
        if let Some(bytes) = self.younger.read(key) {
            return Some(bytes);
        }
        let bytes = self.older.as_mut()?.read(key)?;
        // It is in use, so it should outlive the older log.
        if self.writes {
            self.append(key, &bytes);
        }
        Some(bytes)
    }

    /// Whether a record is not there, and would be written.
    pub fn is_wanted(&self, key: R::Key) -> bool {
        self.writes && !self.is_known(key)
    }

    /// Whether a record is there.
    pub fn is_known(&self, key: R::Key) -> bool {
        self.younger.places.contains_key(&key)
            || self.older.as_ref().is_some_and(|older| older.places.contains_key(&key))
    }

    /// Forgets a damaged record, which may be written again.
    pub fn forget(&mut self, key: R::Key) {
        self.younger.places.remove(&key);
        if let Some(older) = &mut self.older {
            older.places.remove(&key);
        }
    }

    /// Writes a record; after an error no more are.
    pub fn append(&mut self, key: R::Key, bytes: &[u8]) {
        let full = self.younger.end > 0 && self.younger.end + bytes.len() as u64 > self.full;
        let appended = if full { self.rotate() } else { Ok(()) }.and_then(|()| self.younger.append(key, bytes));
        if let Err(error) = appended {
            self.writes = false;
            tracing::warn!("{}: no more {} are kept ({error})", self.younger.path.display(), self.what);
        }
    }

    /// The younger log becomes the older one.
    fn rotate(&mut self) -> std::io::Result<()> {
        let young = self.younger.path.clone();
        // Takes the place of the older one, if there is one.
        self.older = None;
        fs::rename(&young, &self.old)?;
        let (log, access) = Log::open(young)?;
        if access != Access::Writer {
            return Err(std::io::Error::from(ErrorKind::WouldBlock));
        }
        let mut before = std::mem::replace(&mut self.younger, log);
        before.path.clone_from(&self.old);
        self.older = Some(before);
        Ok(())
    }
}
