//! Where do the bytes of a pack come from? From its file, or from whatever gives parts of them, like a server.

use std::{
    cell::Cell,
    fmt::Debug,
    fs::File,
    io::{ErrorKind, Read, Result},
    ops::Range,
    path::Path,
    sync::Arc,
};

use super::positioned_file::PositionedFile;
use crate::tile::TileId;

/// How long a thread that reads a part of a pack waits for it, where the pack is on a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitPolicy {
    /// Not at all: what is not there yet is asked for, and is an error of [`ErrorKind::WouldBlock`].
    Never,
    /// For one try, and none where the last one failed a moment ago.
    OneTry,
    /// For as many tries as help.
    Retry,
}

/// The bytes of a pack, for any number of threads.
pub trait PackBytes: Debug + Send + Sync {
    /// Their number.
    fn length(&self) -> u64;

    /// Fills `bytes` with those from an offset on.
    ///
    /// # Errors
    /// Why they cannot be had: [`ErrorKind::WouldBlock`] if not yet, without patience.
    fn read(&self, offset: u64, bytes: &mut [u8], wait: WaitPolicy) -> Result<()>;

    /// Whether they are elsewhere, so that it helps to tell what will be read.
    fn is_remote(&self) -> bool {
        false
    }

    /// Where parts of a pack are kept that `what` tells from all others; `None` if nowhere.
    fn parts_of(&self, _what: &str) -> Option<Arc<dyn PartStore>> {
        None
    }

    /// Tells parts that will be read, each at once, the most urgent first.
    fn prefetch(&self, _parts: &[Range<u64>]) {}

    /// Tells that the part from an offset on is not to be given again: it was not what it has to be, or nobody needs it any more.
    fn forget(&self, _offset: u64) {}
}

/// Which part of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// Its heights, and what they come from.
    Heights,
    /// Its errors.
    Errors,
}

/// Where parts of a pack are kept, once their checksums were right. Whoever reads one checks it again.
pub trait PartStore: Debug + Send + Sync {
    /// Whether a part is there.
    fn has(&self, id: TileId, kind: PartKind) -> bool;

    /// A part as it lies in the pack.
    fn get(&self, id: TileId, kind: PartKind) -> Option<Vec<u8>>;

    /// Keeps a part.
    fn put(&self, id: TileId, kind: PartKind, part: &[u8]);

    /// Forgets a part that is not what it should be.
    fn forget(&self, id: TileId, kind: PartKind);
}

thread_local! {
    static WAIT_POLICY: Cell<Option<WaitPolicy>> = const { Cell::new(None) };
    /// Whether a part was not to be had.
    static PART_MISSING: Cell<bool> = const { Cell::new(false) };
}

/// That of this thread, where it is another than that of the pack.
pub(crate) fn thread_wait_policy() -> Option<WaitPolicy> {
    WAIT_POLICY.get()
}

/// Notes that a part was not to be had.
pub(crate) fn note_missing_part() {
    PART_MISSING.set(true);
}

/// Does something on this thread, with one try for each part of a pack that is elsewhere; `None` if some part was not to be had, so that
/// coarser ones stood in for it.
///
/// ```
/// use elevation::pack::{WaitPolicy, in_one_try, with_wait_policy};
/// // Nothing is elsewhere here, so nothing can lack.
/// assert_eq!(in_one_try(|| 2 + 2), Some(4));
/// assert_eq!(with_wait_policy(WaitPolicy::Retry, || 2 + 2), 4);
/// ```
pub fn in_one_try<T>(make: impl FnOnce() -> T) -> Option<T> {
    PART_MISSING.set(false);
    let made = with_wait_policy(WaitPolicy::OneTry, make);
    (!PART_MISSING.replace(false)).then_some(made)
}

/// Does something on this thread that waits for parts of packs in its own way.
pub fn with_wait_policy<T>(wait: WaitPolicy, make: impl FnOnce() -> T) -> T {
    struct RestorePolicy(Option<WaitPolicy>);
    impl Drop for RestorePolicy {
        fn drop(&mut self) {
            WAIT_POLICY.set(self.0);
        }
    }
    let _before = RestorePolicy(WAIT_POLICY.replace(Some(wait)));
    make()
}

/// Those of a file.
#[derive(Debug)]
pub(crate) struct FileBytes {
    file: PositionedFile,
    length: u64,
}

impl FileBytes {
    pub fn new(file: File) -> Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self { file: PositionedFile::new(file), length })
    }
}

impl PackBytes for FileBytes {
    fn length(&self) -> u64 {
        self.length
    }

    fn read(&self, offset: u64, bytes: &mut [u8], _: WaitPolicy) -> Result<()> {
        self.file.read(offset, bytes)
    }
}

/// Bytes of a part. What states their number is foreign, so it is an error and no abort if there is no memory for them.
pub(crate) fn read_new(from: &dyn PackBytes, part: Range<u64>, wait: WaitPolicy) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let length = usize::try_from(part.end - part.start).map_err(|_| ErrorKind::OutOfMemory)?;
    bytes.try_reserve_exact(length).map_err(|_| ErrorKind::OutOfMemory)?;
    bytes.resize(length, 0);
    from.read(part.start, &mut bytes, wait)?;
    Ok(bytes)
}

/// A part as a stream.
pub(crate) struct Stream<'a> {
    from: &'a dyn PackBytes,
    rest: Range<u64>,
}

impl<'a> Stream<'a> {
    /// That from an offset on to another one.
    pub fn new(from: &'a dyn PackBytes, part: Range<u64>) -> Self {
        let end = part.end.min(from.length());
        Self { from, rest: part.start.min(end)..end }
    }
}

impl Read for Stream<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize> {
        let rest = usize::try_from(self.rest.end - self.rest.start).unwrap_or(usize::MAX);
        let length = bytes.len().min(rest);
        if length > 0 {
            self.from.read(self.rest.start, &mut bytes[..length], WaitPolicy::Retry)?;
            self.rest.start += length as u64;
        }
        Ok(length)
    }
}

/// Whether a name is that of a pack on a server: an address of http, https or s3 whose path ends in `.pack`.
///
/// ```
/// use elevation::pack::is_pack_address;
/// assert!(is_pack_address("https://example.org/alps.pack?key=1".as_ref()) && is_pack_address("s3://bucket/alps.pack".as_ref()));
/// assert!(!is_pack_address("https://example.org/alps.tif".as_ref()) && !is_pack_address("alps.pack".as_ref()));
/// ```
pub fn is_pack_address(name: &Path) -> bool {
    let Some(name) = name.to_str() else { return false };
    let lower = name.to_ascii_lowercase();
    let path = lower.split(['?', '#']).next().unwrap_or_default();
    ["http://", "https://", "s3://"].iter().any(|scheme| path.starts_with(scheme)) && path.ends_with(".pack")
}
