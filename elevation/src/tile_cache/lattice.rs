//! Are the errors of the coarse lattice known from an earlier start? A file of a key's own has them, with 6 MB. Over the relief that
//! ships they take half a second of a processor to compute. Over a folder they take the reading of every file of it.

use std::{
    fs,
    io::{Error, ErrorKind, Write},
    path::Path,
};

use tempfile::NamedTempFile;

use crate::height::CoarseErrors;

/// End of the name of a key's file.
pub(super) const END: &str = ".errors";
/// Begins a file; ends in its version.
pub(super) const MAGIC: &[u8; 16] = b"orogen errors 1\n";
/// Bytes of the checksum that ends a file.
const CHECKSUM_BYTES: usize = 32;
/// Most bytes of a file: those of the deepest lattice, and some.
const MOST_BYTES: u64 = 1 << 27;

/// What a file holds; nothing unless it is whole.
pub(super) fn read(path: &Path) -> Option<CoarseErrors> {
    let bytes = foreign::read_small(path, MOST_BYTES).ok()?;
    let (told, checksum) = bytes.split_last_chunk::<CHECKSUM_BYTES>()?;
    if blake3::hash(told).as_bytes() != checksum {
        return None;
    }
    CoarseErrors::from_bytes(told.strip_prefix(MAGIC)?)
}

/// Writes a file, in the place of one of ours only.
///
/// # Errors
/// The folder cannot be written, or somebody else's file has the name.
pub(super) fn write(path: &Path, errors: &CoarseErrors) -> std::io::Result<()> {
    if fs::symlink_metadata(path).is_ok() && !super::begins_with(path, MAGIC) {
        return Err(ErrorKind::AlreadyExists.into());
    }
    let folder = path.parent().ok_or_else(|| Error::from(ErrorKind::NotFound))?;
    fs::create_dir_all(folder)?;
    let mut bytes = [&MAGIC[..], &errors.to_bytes()].concat();
    bytes.extend(blake3::hash(&bytes).as_bytes());
    let mut file = NamedTempFile::with_prefix_in("errors", folder)?;
    file.write_all(&bytes)?;
    file.persist(path)?;
    Ok(())
}
