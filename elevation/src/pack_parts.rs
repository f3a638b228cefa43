//! Which parts of a pack that is elsewhere are on this disk? Tiles and their errors, as they lie in the pack, once their checksums were right.

use std::{
    path::Path,
    sync::{Mutex, PoisonError},
};

use crate::{
    pack::{
        PartKind, PartStore,
        format::{TILE_BYTES, TileHeader},
    },
    record_log::Logs,
    tile::TileId,
    tile_cache::{TileRecords, open_logs},
};

/// Parts on disk, in logs beside those of tiles; none where there can be none.
///
/// ```
/// use elevation::{PackParts, pack::{PartKind, PartStore}, tile::TileId};
/// # let folder = tempfile::tempdir()?;
/// let (parts, id) = (PackParts::open(folder.path(), "alps.pack of 2026", 1 << 20), TileId::root(3));
/// parts.put(id, PartKind::Errors, &[1, 2, 3]);
/// assert_eq!(parts.get(id, PartKind::Errors), Some(vec![1, 2, 3]));
/// assert!(!parts.has(id, PartKind::Heights) && !parts.has(TileId::root(4), PartKind::Errors));
/// parts.forget(id, PartKind::Errors);
/// assert!(!parts.has(id, PartKind::Errors));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct PackParts {
    heights: Option<Mutex<Logs<TileRecords>>>,
    errors: Option<Mutex<Logs<TileRecords>>>,
}

impl PackParts {
    /// Those of the pack that `what` tells from all others, in a folder that holds at most about `most_bytes`, tiles of rasters included.
    pub fn open(folder: &Path, what: &str, most_bytes: u64) -> Self {
        let of = |kind: &str| {
            let key = blake3::hash(format!("{kind} of {what}").as_bytes()).to_hex();
            open_logs(folder, &key, most_bytes, most_bytes / 2).map(Mutex::new)
        };
        Self { heights: of("heights"), errors: of("errors") }
    }

    fn logs<T>(&self, kind: PartKind, f: impl FnOnce(&mut Logs<TileRecords>) -> T) -> Option<T> {
        let logs = match kind {
            PartKind::Heights => &self.heights,
            PartKind::Errors => &self.errors,
        };
        Some(f(&mut logs.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Appends a part, which begins as a record does.
    fn append(&self, id: TileId, kind: PartKind, record: &[u8]) {
        self.logs(kind, |logs| {
            if logs.is_wanted(id) {
                logs.append(id, record);
            }
        });
    }
}

impl PartStore for PackParts {
    fn has(&self, id: TileId, kind: PartKind) -> bool {
        self.logs(kind, |logs| logs.is_known(id)) == Some(true)
    }

    fn get(&self, id: TileId, kind: PartKind) -> Option<Vec<u8>> {
        let mut record = self.logs(kind, |logs| logs.read(id))??;
        match kind {
            PartKind::Heights => Some(record),
            PartKind::Errors if record.len() >= TILE_BYTES => Some(record.split_off(TILE_BYTES)),
            PartKind::Errors => None,
        }
    }

    fn put(&self, id: TileId, kind: PartKind, part: &[u8]) {
        match kind {
            // It begins with what a log is searched by.
            PartKind::Heights => self.append(id, kind, part),
            PartKind::Errors => {
                let header = TileHeader::new(id, [0, 0], part).to_bytes();
                self.append(id, kind, &[&header, part].concat());
            }
        }
    }

    fn forget(&self, id: TileId, kind: PartKind) {
        self.logs(kind, |logs| logs.forget(id));
    }
}
