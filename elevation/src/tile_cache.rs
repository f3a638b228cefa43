//! Which tiles have been made before? A cache on disk, so that data of yesterday are flown over at once today.
//!
//! Tiles lie in logs named by a key: the hash of the contents of all sources and of every option, as for packs, so a tile of other
//! data is never found. There are two logs a key, a younger and an older one. When the younger is full, the older is
//! forgotten and the younger takes its place; what is found in the older is written to the younger again. So the tiles
//! used last stay, no file is ever rewritten, and a process that dies loses at most what it was writing.
//!
//! The cache may fail, the flight may not: where the folder cannot be written, the disk is full, or another process writes the
//! same logs, tiles are read as far as they can be and no more are kept.

use std::{
    fs::{self, File, OpenOptions},
    io::{ErrorKind, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::SystemTime,
};

use rustc_hash::FxHashMap;

use crate::{
    bake::{Hashes, key_of_contents},
    height::OpenOptions as Sources,
    pack::{self, record::Place},
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
    logs: OnceLock<Option<Mutex<Logs>>>,
}

impl TileCache {
    /// A cache for the tiles of some sources in a folder, which holds at most about `most_bytes`, those of other sources included.
    ///
    /// Hashing the sources takes as long as reading them, so a thread of its own does it; until then nothing is found and
    /// nothing kept. The same if it cannot be done: a warning tells why. Hashes are remembered in the folder, so files that
    /// keep their length and times are read once. Tiles `with_synthetic_detail` are others
    /// ([`Relief::with_synthetic_detail`](crate::height::Relief::with_synthetic_detail)).
    pub fn of(
        files: &[PathBuf],
        open: &Sources,
        with_synthetic_detail: bool,
        folder: PathBuf,
        most_bytes: u64,
    ) -> Arc<Self> {
        let cache = Arc::new(Self { logs: OnceLock::new() });
        let (files, open, of) = (files.to_vec(), open.clone(), cache.clone());
        std::thread::spawn(move || {
            // What makes tiles decides about them too.
            let detail = if with_synthetic_detail { ", with synthetic detail" } else { "" };
            let recipe = format!("{}, orogen {}{detail}", pack::record::version(), env!("CARGO_PKG_VERSION"));
            let mut hashes = Hashes::open(&folder);
            let logs = match key_of_contents(&files, &open, &recipe, &mut |file| hashes.contents(file)) {
                Ok(key) => {
                    let logs = Logs::open(&folder, &key, most_bytes);
                    // Where nothing can be written, that has been said.
                    if let Err(error) = hashes.save() {
                        tracing::debug!("{}: hashes are not remembered ({error})", folder.display());
                    }
                    logs
                }
                Err(error) => {
                    tracing::warn!("tiles are not kept on disk: {error}");
                    None
                }
            };
            // Nobody else sets it.
            let _first = of.logs.set(logs.map(Mutex::new));
        });
        cache
    }

    /// A cache in a folder under a key that is known: any text that says what the tiles are made of.
    pub fn with_key(folder: &Path, key: &str, most_bytes: u64) -> Self {
        let key = blake3::hash(key.as_bytes()).to_hex();
        Self { logs: OnceLock::from(Logs::open(folder, &key, most_bytes).map(Mutex::new)) }
    }

    /// Names of the files of [`Self::with_key`], the younger and the older one.
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
            self.keep(tile.id(), &bytes);
        }
    }

    /// Appends a record, unless another thread kept the same tile, or found the disk full, while this one squeezed.
    fn keep(&self, id: TileId, bytes: &[u8]) {
        self.locked(|logs| {
            if logs.is_wanted(id) {
                logs.append(id, bytes);
            }
        });
    }

    /// Bytes of this key's tiles on disk.
    pub fn bytes(&self) -> u64 {
        self.locked(|logs| logs.younger.end + logs.older.as_ref().map_or(0, |older| older.end)).unwrap_or(0)
    }

    /// Whether tiles are written: not before the sources are hashed, and no more after a failure.
    pub fn is_writing(&self) -> bool {
        self.locked(|logs| logs.writes).unwrap_or(false)
    }

    fn locked<T>(&self, f: impl FnOnce(&mut Logs) -> T) -> Option<T> {
        let logs = self.logs.get()?.as_ref()?;
        Some(f(&mut logs.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

/// The logs of a key.
#[derive(Debug)]
struct Logs {
    younger: Log,
    older: Option<Log>,
    /// Where the younger one goes when it is full.
    old: PathBuf,
    /// Bytes at which the younger one is full.
    full: u64,
    writes: bool,
}

/// What may be done with a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    /// Read and written.
    Writes,
    /// Read, as another process writes it.
    Shares,
    /// Read.
    Reads,
}

/// A file of tiles.
#[derive(Debug)]
struct Log {
    path: PathBuf,
    file: File,
    places: FxHashMap<TileId, Place>,
    end: u64,
}

impl Log {
    /// Opens a log or begins it.
    fn open(path: PathBuf) -> std::io::Result<(Self, Access)> {
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).clone();
        let (mut file, access) = match options.open(&path) {
            // Two processes that append would write over each other.
            Ok(file) => {
                let access = if file.try_lock().is_ok() { Access::Writes } else { Access::Shares };
                (file, access)
            }
            Err(error) if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) => {
                // The first error says more than that there is no file.
                (File::open(&path).map_err(|_| error)?, Access::Reads)
            }
            Err(error) => return Err(error),
        };
        let (places, end) = pack::record::scan(&mut file)?;
        if access == Access::Writes {
            // What a process left that died while it was writing.
            file.set_len(end)?;
        }
        Ok((Self { path, file, places: places.into_iter().collect(), end }, access))
    }

    fn read(&mut self, id: TileId) -> Option<Vec<u8>> {
        let place = *self.places.get(&id)?;
        // No more than what `scan` found to be within the file; what it says is foreign all the same.
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(place.bytes as usize).ok()?;
        bytes.resize(place.bytes as usize, 0);
        let read = self.file.seek(SeekFrom::Start(place.offset)).and_then(|_| self.file.read_exact(&mut bytes));
        read.is_ok().then_some(bytes)
    }

    fn append(&mut self, id: TileId, bytes: &[u8]) -> std::io::Result<()> {
        let written = self.file.seek(SeekFrom::Start(self.end)).and_then(|_| self.file.write_all(bytes));
        if let Err(error) = written {
            // Half a record is found and dropped next time all the same.
            let _still_full = self.file.set_len(self.end);
            return Err(error);
        }
        self.places.insert(id, Place { offset: self.end, bytes: bytes.len() as u32 });
        self.end += bytes.len() as u64;
        Ok(())
    }
}

impl Logs {
    /// `None`, and a warning, if there is nothing to read and nothing can be written.
    fn open(folder: &Path, key: &str, most_bytes: u64) -> Option<Self> {
        let give_up = |error: std::io::Error| tracing::warn!("{}: tiles are not kept ({error})", folder.display());
        fs::create_dir_all(folder).map_err(give_up).ok()?;
        let [young, old] = names(key).map(|name| folder.join(name));
        let (younger, access) = Log::open(young).map_err(give_up).ok()?;
        let writes = access == Access::Writes;
        match access {
            Access::Writes => {}
            Access::Reads => tracing::warn!("{}: it cannot be written: no more tiles are kept", folder.display()),
            Access::Shares => tracing::info!("{}: another program keeps these tiles", folder.display()),
        }
        let older = if old.exists() { Log::open(old.clone()).ok().map(|(log, _)| log) } else { None };
        if writes {
            evict(folder, key, most_bytes);
        }
        Some(Self { younger, older, old, full: (most_bytes / 2).max(1), writes })
    }

    fn read(&mut self, id: TileId) -> Option<Vec<u8>> {
        if let Some(bytes) = self.younger.read(id) {
            return Some(bytes);
        }
        let bytes = self.older.as_mut()?.read(id)?;
        // It is in use, so it should outlive the older log.
        if self.writes {
            self.append(id, &bytes);
        }
        Some(bytes)
    }

    fn is_wanted(&self, id: TileId) -> bool {
        let known = self.younger.places.contains_key(&id)
            || self.older.as_ref().is_some_and(|older| older.places.contains_key(&id));
        self.writes && !known
    }

    fn forget(&mut self, id: TileId) {
        self.younger.places.remove(&id);
        if let Some(older) = &mut self.older {
            older.places.remove(&id);
        }
    }

    fn append(&mut self, id: TileId, bytes: &[u8]) {
        let full = self.younger.end > 0 && self.younger.end + bytes.len() as u64 > self.full;
        let appended = if full { self.rotate() } else { Ok(()) }.and_then(|()| self.younger.append(id, bytes));
        if let Err(error) = appended {
            self.writes = false;
            tracing::warn!("{}: no more tiles are kept ({error})", self.younger.path.display());
        }
    }

    /// The younger log becomes the older one.
    fn rotate(&mut self) -> std::io::Result<()> {
        let young = self.younger.path.clone();
        // Takes the place of the older one, if there is one.
        self.older = None;
        fs::rename(&young, &self.old)?;
        let (log, access) = Log::open(young)?;
        if access != Access::Writes {
            return Err(std::io::Error::from(ErrorKind::WouldBlock));
        }
        let mut before = std::mem::replace(&mut self.younger, log);
        before.path.clone_from(&self.old);
        self.older = Some(before);
        Ok(())
    }
}

/// Names of the logs of a key, the younger and the older one.
fn names(key: &str) -> [String; 2] {
    ENDS.map(|end| format!("{key}{end}"))
}

/// Whose log bears a name; `None` if it is no log. The folder may be anybody's, and whatever else is in it stays.
fn key_of(name: &str) -> Option<&str> {
    let key = ENDS.iter().find_map(|end| name.strip_suffix(end))?;
    let is_hash = key.len() == KEY_DIGITS && key.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f'));
    is_hash.then_some(key)
}

/// Removes the logs of other keys, those that were written longest ago first, until all together are within a budget.
fn evict(folder: &Path, key: &str, most_bytes: u64) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let log = |entry: fs::DirEntry| {
        let is_ours = key_of(entry.file_name().to_str()?)? == key;
        let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        Some((metadata.modified().ok()?, metadata.len(), entry.path(), is_ours))
    };
    let mut logs: Vec<(SystemTime, u64, PathBuf, bool)> = entries.flatten().filter_map(log).collect();
    logs.sort();
    let mut bytes: u64 = logs.iter().map(|(_, bytes, ..)| bytes).sum();
    for (_, length, path, _) in logs.iter().filter(|(.., is_ours)| !is_ours) {
        if bytes <= most_bytes {
            return;
        }
        if fs::remove_file(path).is_ok() {
            bytes -= length;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::{TILE_VERTICES, Texel};
    use tempfile::TempDir;

    const PLENTY: u64 = 1 << 40;

    /// A tile that is not easily squeezed.
    fn tile(i: u32) -> Tile {
        let noise = |k: usize| (k as u32 ^ i << 16).wrapping_mul(2_654_435_761) >> 20;
        let texels = (0..TILE_VERTICES * TILE_VERTICES).map(|k| Texel(noise(k) << 8 | noise(k + 1) & 255)).collect();
        Tile::from_texels(TileId { face: 1, level: 9, i, j: 7 }, texels, 1.0)
    }

    fn id(i: u32) -> TileId {
        tile(i).id()
    }

    #[test]
    fn tiles_come_back_as_they_were() {
        let folder = TempDir::new().unwrap();
        let inner = folder.path().join("not/yet/there");
        let cache = TileCache::with_key(&inner, "abc", PLENTY);
        assert_eq!(cache.get(id(1)), None);
        (1..4).for_each(|i| cache.put(&tile(i)));
        assert_eq!(cache.get(id(2)), Some(tile(2)));
        let bytes = cache.bytes();
        cache.put(&tile(2));
        assert_eq!(cache.bytes(), bytes, "it is there already");
        drop(cache);
        let again = TileCache::with_key(&inner, "abc", PLENTY);
        assert_eq!((again.get(id(1)), again.get(id(3))), (Some(tile(1)), Some(tile(3))));
        // Other data have other tiles.
        assert_eq!(TileCache::with_key(&inner, "abd", PLENTY).get(id(1)), None);
    }

    /// Law: whatever a dead process or a bad disk leaves, a tile is found as it was or not at all.
    #[test]
    fn half_written_and_damaged_logs() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join(&TileCache::file_names("abc")[0]);
        let cache = TileCache::with_key(folder.path(), "abc", PLENTY);
        (0..3).for_each(|i| cache.put(&tile(i)));
        drop(cache);
        let whole = fs::read(&path).unwrap();
        for cut in [0, 1, 35, 36, 1000, whole.len() / 2, whole.len() - 1, whole.len()] {
            fs::write(&path, &whole[..cut]).unwrap();
            let cache = TileCache::with_key(folder.path(), "abc", PLENTY);
            let there = (0..3).filter(|i| cache.get(id(*i)).is_some_and(|got| got == tile(*i))).count();
            assert_eq!(there, 3 * cut / whole.len(), "cut at {cut}");
            (0..3).for_each(|i| cache.put(&tile(i)));
            assert!((0..3).all(|i| cache.get(id(i)) == Some(tile(i))), "cut at {cut}");
        }
        for at in (0..whole.len()).step_by(whole.len() / 40) {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x20;
            fs::write(&path, &bytes).unwrap();
            let cache = TileCache::with_key(folder.path(), "abc", PLENTY);
            for i in 0..3 {
                assert!(cache.get(id(i)).is_none_or(|got| got == tile(i)), "damage at {at}");
                cache.put(&tile(i));
                assert_eq!(cache.get(id(i)), Some(tile(i)), "damage at {at}");
            }
        }
    }

    /// Law: the bytes on disk stay within the budget, and tiles in use outlive those that are not.
    #[test]
    fn a_budget_is_kept() {
        let folder = TempDir::new().unwrap();
        let one = {
            let cache = TileCache::with_key(folder.path(), "other", PLENTY);
            cache.put(&tile(0));
            cache.bytes()
        };
        let most = 6 * one + one / 2;
        let cache = TileCache::with_key(folder.path(), "abc", most);
        for i in 0..40 {
            cache.put(&tile(i));
            assert!(cache.bytes() <= most);
            assert_eq!(cache.get(id(0)), Some(tile(0)), "used all the time, at {i}");
        }
        assert!((1..30).all(|i| cache.get(id(i)).is_none()) && cache.get(id(39)).is_some());
        drop(cache);
        // Those of other data go first.
        TileCache::with_key(folder.path(), "abc", one);
        assert!(!folder.path().join(&TileCache::file_names("other")[0]).exists());
    }

    /// Law: whatever else lies in the folder of a cache stays as it is, whatever its name and however small the budget.
    #[test]
    fn files_of_others_stay() {
        let folder = TempDir::new().unwrap();
        let [young, old] = TileCache::file_names("other");
        let theirs = [
            "precious.tiles".to_owned(),
            "precious.young.tiles".to_owned(),
            "city.old.tiles".to_owned(),
            young.replace(".young", ""),
            young.to_uppercase(),
            format!("0{young}"),
            format!("{old}.bak"),
            "a.tif".to_owned(),
        ];
        for name in &theirs {
            fs::write(folder.path().join(name), name.repeat(1000)).unwrap();
        }
        fs::create_dir(folder.path().join(&young)).unwrap();
        fs::write(folder.path().join(&old), "a log of another key").unwrap();
        let cache = TileCache::with_key(folder.path(), "abc", 1);
        (0..4).for_each(|i| cache.put(&tile(i)));
        drop(cache);
        TileCache::with_key(folder.path(), "abc", 1);
        for name in &theirs {
            let bytes = fs::read_to_string(folder.path().join(name));
            assert!(bytes.is_ok_and(|bytes| bytes == name.repeat(1000)), "{name}");
        }
        assert!(folder.path().join(&young).is_dir() && !folder.path().join(&old).exists());
    }

    /// Law: a full log is renamed within its folder, whatever the folder is called.
    #[test]
    fn folders_with_the_name_of_a_log() {
        let folder = TempDir::new().unwrap();
        let inner = folder.path().join("a.young.tiles");
        let cache = TileCache::with_key(&inner, "abc", 1);
        (0..4).for_each(|i| cache.put(&tile(i)));
        assert!(cache.is_writing() && cache.get(id(3)) == Some(tile(3)));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    /// Law: where nothing can be written, or someone else writes, what is there is read and nothing fails.
    #[test]
    fn busy_and_impossible_folders() {
        let folder = TempDir::new().unwrap();
        let first = TileCache::with_key(folder.path(), "abc", PLENTY);
        first.put(&tile(1));
        let second = TileCache::with_key(folder.path(), "abc", PLENTY);
        assert!(first.is_writing() && !second.is_writing());
        second.put(&tile(2));
        assert_eq!((second.get(id(1)), second.get(id(2))), (Some(tile(1)), None));
        let file = folder.path().join("file");
        fs::write(&file, "in the way").unwrap();
        let none = TileCache::with_key(&file.join("folder"), "abc", PLENTY);
        none.put(&tile(1));
        assert_eq!((none.get(id(1)), none.is_writing(), none.bytes()), (None, false, 0));
    }

    /// Law: what a thread squeezed is written once, and not at all if another failed meanwhile: so one line warns, not one a thread.
    #[test]
    fn squeezed_by_two_threads_at_once() {
        let folder = TempDir::new().unwrap();
        let cache = TileCache::with_key(folder.path(), "abc", PLENTY);
        let squeezed = pack::record::to_bytes(&tile(1)).unwrap();
        cache.put(&tile(1));
        let bytes = cache.bytes();
        cache.keep(id(1), &squeezed);
        assert_eq!(cache.bytes(), bytes, "another thread kept it");
        cache.locked(|logs| logs.writes = false);
        cache.keep(id(2), &pack::record::to_bytes(&tile(2)).unwrap());
        assert_eq!((cache.bytes(), cache.get(id(2))), (bytes, None), "another thread failed");
    }

    /// A full disk: the file may not grow beyond what a device of Linux takes, which is nothing.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk() {
        let folder = TempDir::new().unwrap();
        let cache = TileCache::with_key(folder.path(), "abc", PLENTY);
        cache.put(&tile(1));
        cache.locked(|logs| logs.younger.file = File::options().read(true).write(true).open("/dev/full").unwrap());
        cache.put(&tile(2));
        assert!(!cache.is_writing());
        assert_eq!(cache.get(id(2)), None);
        drop(cache);
        let again = TileCache::with_key(folder.path(), "abc", PLENTY);
        assert_eq!(again.get(id(1)), Some(tile(1)), "what was kept is kept");
    }
}
