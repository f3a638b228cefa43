//! Which tiles have been made before? A cache on disk, so that data of yesterday are flown over at once today.
//!
//! Tiles lie in [logs](crate::record_log) named by a key: the hash of the contents of all sources and of every option,
//! as for packs, so a tile of other data is never found. Beside them lie the errors of the coarse lattice, without
//! which no mesh begins.
//!
//! The cache may fail, the flight may not. Where the folder cannot be written, the disk is full, or another process writes
//! the same logs, no more tiles are stored. Those that can be read are read.

mod lattice;

use std::{
    fs,
    io::{ErrorKind, Read},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, Once, OnceLock, PoisonError},
    time::SystemTime,
};

use crate::{
    bake::{FileHashCache, key_of_contents},
    height::{CoarseErrors, OpenOptions as Sources, Relief},
    pack,
    record_log::{Logs, Records},
    tile::{Tile, TileId},
};

/// Ends of the names of a key's logs, the younger and the older one.
const ENDS: [&str; 2] = [".young.tiles", ".old.tiles"];
/// Hexadecimal digits of a key.
const KEY_DIGITS: usize = 64;

/// Tiles on disk, for any number of threads.
///
/// ```no_run
/// use elevation::{TileCache, height::OpenOptions};
/// let files = ["alps.tif".into()];
/// let cache = TileCache::of(&files, &OpenOptions::default(), false, "/var/cache/orogen".into(), 2 << 30);
/// ```
#[derive(Debug)]
pub struct TileCache {
    logs: OnceLock<Option<Mutex<Logs<TileRecords>>>>,
    /// The file of the lattice's errors, once it is known whether all sources were hashed before: none if not.
    known_lattice: OnceLock<Option<PathBuf>>,
    /// The same once they are hashed; none if they cannot be.
    lattice: OnceLock<Option<PathBuf>>,
    /// Whether there are sources besides the relief that ships.
    has_files: bool,
    most_bytes: u64,
}

impl TileCache {
    /// A cache for the tiles of some sources in a folder, which holds at most about `most_bytes`, those of other sources included.
    ///
    /// Hashing the sources takes as long as reading them, so a thread of its own does it; until then nothing is found and
    /// nothing kept. The same if it cannot be done: a warning tells why. Hashes are remembered in the folder, so files that
    /// keep their length and times are read once. Tiles `with_synthetic_detail` are others ([`Relief::with_synthetic_detail`]).
    ///
    /// Without sources it is a cache for the relief that ships: its tiles are made as fast as a disk is read, so only the
    /// [errors of its lattice](Self::coarse_errors) are kept.
    pub fn of(
        files: &[PathBuf],
        open: &Sources,
        with_synthetic_detail: bool,
        folder: PathBuf,
        most_bytes: u64,
    ) -> Arc<Self> {
        let cache = Arc::new(Self::pending(!files.is_empty(), most_bytes));
        let (files, open, of) = (files.to_vec(), open.clone(), PendingKey(cache.clone()));
        std::thread::spawn(move || {
            // What makes tiles decides about them too.
            let detail = if with_synthetic_detail { ", with synthetic detail" } else { "" };
            let recipe = format!("{}, orogen {}{detail}", pack::record::version(), env!("CARGO_PKG_VERSION"));
            let mut hashes = FileHashCache::open(&folder);
            let mut hash = |file: &Path| {
                if !hashes.contains(file) {
                    // Whoever asks for the lattice does not wait until all is read.
                    let _known = of.0.known_lattice.set(None);
                }
                hashes.contents(file)
            };
            // Whether a layer is not above that datum already is not known yet.
            let is_shifted = open.vertical.is_some();
            let key = key_of_contents(&files, &open, &recipe, is_shifted, &mut hash);
            let lattice = key.as_ref().ok().map(|key| folder.join(format!("{key}{}", lattice::END)));
            let _known = of.0.known_lattice.set(lattice.clone());
            // Nobody else sets it, nor the logs.
            let _first = of.0.lattice.set(lattice);
            let logs = match key {
                Ok(key) => {
                    let logs = if files.is_empty() { None } else { open_logs(&folder, &key, most_bytes, most_bytes) };
                    match hashes.save() {
                        Ok(()) => {}
                        Err(error) if error.kind() == ErrorKind::AlreadyExists => warn_not_remembered(&folder),
                        // Where nothing can be written, that has been said.
                        Err(error) => tracing::debug!("{}: hashes are not remembered ({error})", folder.display()),
                    }
                    logs
                }
                Err(error) => {
                    tracing::warn!("tiles are not kept on disk: {error}");
                    None
                }
            };
            let _first = of.0.logs.set(logs.map(Mutex::new));
        });
        cache
    }

    /// A cache in a folder under a key that is known: any text that says what the tiles are made of.
    ///
    /// ```
    /// use elevation::{TileCache, height::{GlobalGrid, Registration, Relief}, tile::{Tile, TileId}};
    /// # let folder = std::env::temp_dir().join(format!("orogen-tiles-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// let cache = TileCache::with_key(&folder, "level ground, version 1", 10 << 20);
    /// let relief = Relief::from_grid(GlobalGrid::from_fn(36, 19, Registration::Node, |_, _| 100.0))?;
    /// # let build = |id| elevation::tile::Tile::build(&relief, &elevation::height::CoarseErrors::build(&relief, 4), id);
    /// let tile: Tile = build(TileId::root(0));
    /// cache.put(&tile);
    /// assert_eq!(cache.get(TileId::root(0)), Some(tile));
    /// assert!(cache.get(TileId::root(1)).is_none() && cache.is_writing() && cache.bytes() > 0);
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_key(folder: &Path, key: &str, most_bytes: u64) -> Self {
        let key = blake3::hash(key.as_bytes()).to_hex();
        let lattice = Some(folder.join(format!("{key}{}", lattice::END)));
        Self {
            logs: OnceLock::from(open_logs(folder, &key, most_bytes, most_bytes).map(Mutex::new)),
            known_lattice: OnceLock::from(lattice.clone()),
            lattice: OnceLock::from(lattice),
            ..Self::pending(true, most_bytes)
        }
    }

    /// One whose key is not known yet.
    fn pending(has_files: bool, most_bytes: u64) -> Self {
        let (logs, known_lattice, lattice) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self { logs, known_lattice, lattice, has_files, most_bytes }
    }

    /// Errors of the coarse lattice of the sources' relief: those of an earlier start where the sources are known to be as they were, else
    /// those that are [found](CoarseErrors::build) now, and kept as soon as the sources are hashed. Those of another relief are only found.
    pub fn coarse_errors(self: &Arc<Self>, relief: &Relief, level: u32) -> CoarseErrors {
        // Kept errors are those of the data, as high as they are.
        let is_ours = relief.exaggeration() == 1.0 && (self.has_files || relief.is_embedded());
        if !is_ours {
            return CoarseErrors::build(relief, level);
        }
        let known = self.known_lattice.wait().as_deref().and_then(lattice::read);
        if let Some(errors) = known.filter(|errors| errors.level() == level) {
            return errors;
        }
        let errors = CoarseErrors::build(relief, level);
        // After a file has gone bad, what lies below it may have answered.
        if relief.failure().is_none() {
            self.store_errors(&errors);
        }
        errors
    }

    fn store_errors(self: &Arc<Self>, errors: &CoarseErrors) {
        if self.lattice.get().is_some() {
            self.write_errors(errors);
            return;
        }
        let (of, errors) = (self.clone(), errors.clone());
        std::thread::spawn(move || of.write_errors(&errors));
    }

    /// Writes errors as soon as it is known where.
    fn write_errors(&self, errors: &CoarseErrors) {
        let Some(path) = self.lattice.wait() else { return };
        match lattice::write(path, errors) {
            Ok(()) => {
                if let (Some(folder), Some(key)) = (path.parent(), path.file_stem().and_then(|key| key.to_str())) {
                    evict(folder, key, self.most_bytes);
                }
            }
            Err(error) => tracing::debug!("{}: errors are not kept ({error})", path.display()),
        }
    }

    /// Names of the files of [`Self::with_key`], the younger and the older one.
    ///
    /// ```
    /// let [younger, older] = elevation::TileCache::file_names("alps");
    /// assert!(younger.ends_with(".young.tiles") && older.ends_with(".old.tiles"));
    /// ```
    pub fn file_names(key: &str) -> [String; 2] {
        names(&blake3::hash(key.as_bytes()).to_hex())
    }

    /// A tile that was made before; `None` if there is none, or it cannot be read.
    pub fn get(&self, id: TileId) -> Option<Tile> {
        let bytes = self.locked(|logs| logs.read(id))??;
        match pack::record::from_bytes(&bytes) {
            Some(tile) if tile.id() == id => Some(tile),
            _ => {
                // Damaged: it is made again, and written again.
                self.locked(|logs| logs.forget(id));
                None
            }
        }
    }

    /// Keeps a tile, if there is room for it and nothing is wrong.
    pub fn put(&self, tile: &Tile) {
        if self.locked(|logs| !logs.is_wanted(tile.id())) != Some(false) {
            return;
        }
        // Nothing is locked while it is squeezed.
        if let Ok(bytes) = pack::record::to_bytes(tile) {
            self.append(tile.id(), &bytes);
        }
    }

    /// Appends a record, unless another thread kept the same tile, or found the disk full, while this one squeezed.
    fn append(&self, id: TileId, bytes: &[u8]) {
        self.locked(|logs| {
            if logs.is_wanted(id) {
                logs.append(id, bytes);
            }
        });
    }

    /// Bytes of this key's tiles on disk.
    pub fn bytes(&self) -> u64 {
        self.locked(|logs| logs.bytes()).unwrap_or(0)
    }

    /// Whether tiles are written: not before the sources are hashed, and no more after a failure.
    pub fn is_writing(&self) -> bool {
        self.locked(|logs| logs.writes()).unwrap_or(false)
    }

    fn locked<T>(&self, f: impl FnOnce(&mut Logs<TileRecords>) -> T) -> Option<T> {
        let logs = self.logs.get()?.as_ref()?;
        Some(f(&mut logs.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

/// A cache whose key is being computed. Dropped, it ends the wait for the file of the errors, whatever becomes of that
/// thread.
struct PendingKey(Arc<TileCache>);

impl Drop for PendingKey {
    fn drop(&mut self) {
        for file in [&self.0.known_lattice, &self.0.lattice] {
            let _known = file.set(None);
        }
    }
}

/// Says once that somebody else's file has the name of the memory of hashes.
fn warn_not_remembered(folder: &Path) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        tracing::warn!(
            "{}: {} there is not this program's and stays; the sources are read through at each start",
            folder.display(),
            FileHashCache::NAME
        );
    });
}

/// Tiles as they lie in a log.
#[derive(Debug)]
pub(crate) struct TileRecords;

impl Records for TileRecords {
    type Key = TileId;
    const HEAD_BYTES: usize = pack::record::HEAD_BYTES;

    fn of_head(head: &[u8]) -> Option<(TileId, u64)> {
        pack::record::of_head(head)
    }
}

/// The logs of a key in a folder, of so many bytes at most; those of other keys give way where all have more than `most_bytes`.
pub(crate) fn open_logs(folder: &Path, key: &str, most_bytes: u64, own_bytes: u64) -> Option<Logs<TileRecords>> {
    let logs = Logs::open(folder, names(key), own_bytes, "tiles")?;
    if logs.writes() {
        evict(folder, key, most_bytes);
    }
    Some(logs)
}

/// Names of the logs of a key, the younger and the older one.
fn names(key: &str) -> [String; 2] {
    ENDS.map(|end| format!("{key}{end}"))
}

/// Whose file bears a name; `None` if it is none of ours. The folder may be anybody's, and whatever else is in it stays.
fn key_of(name: &str) -> Option<&str> {
    let key = ENDS.iter().chain([&lattice::END]).find_map(|end| name.strip_suffix(end))?;
    let is_hash = key.len() == KEY_DIGITS && key.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f'));
    is_hash.then_some(key)
}

/// Whether a file begins as ours do, of whatever version: one that only bears such a name is not removed.
fn is_ours(path: &Path) -> bool {
    begins_with(path, &pack::record::MAGIC) || begins_with(path, &lattice::MAGIC[..14])
}

fn begins_with(path: &Path, magic: &[u8]) -> bool {
    let mut begin = vec![0; magic.len()];
    let read = foreign::open_regular(path).and_then(|mut file| file.read_exact(&mut begin));
    read.is_ok() && begin == magic
}

/// Removes the files of other keys, those that were written longest ago first, until all together are within a budget.
fn evict(folder: &Path, key: &str, most_bytes: u64) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let file = |entry: fs::DirEntry| {
        let stays = key_of(entry.file_name().to_str()?)? == key;
        let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        let path = Some(entry.path()).filter(|path| stays || is_ours(path))?;
        Some((metadata.modified().ok()?, metadata.len(), path, stays))
    };
    let mut files: Vec<(SystemTime, u64, PathBuf, bool)> = entries.flatten().filter_map(file).collect();
    files.sort();
    let mut bytes: u64 = files.iter().map(|(_, bytes, ..)| bytes).sum();
    for (_, length, path, _) in files.iter().filter(|(.., stays)| !stays) {
        if bytes <= most_bytes {
            return;
        }
        if fs::remove_file(path).is_ok() {
            bytes -= length;
        }
    }
}

#[cfg(test)]
mod tests;
