//! Which data and options is a pack made from? A hash of the contents of every file behind a source, so that moving a file
//! changes nothing and changing a byte changes everything.

use std::path::{Path, PathBuf};

use super::PackError;
use crate::height::{HeightError, OpenOptions, source_files};

/// Hash of everything that decides about the bytes of a pack, in hexadecimal digits.
///
/// `recipe` holds the options of the pack itself. GDAL's version counts, as it decides what is read from a file.
pub(crate) fn of(files: &[PathBuf], open: &OpenOptions, recipe: &str) -> Result<String, PackError> {
    let mut all = blake3::Hasher::new();
    all.update(format!("orogen pack {}\n{recipe}\n{open:?}\n{}\n", super::format::VERSION, reader()).as_bytes());
    for file in files {
        let parts = source_files(file)?;
        all.update(format!("{} files\n", parts.len()).as_bytes());
        for part in parts {
            all.update(contents(&part)?.as_bytes());
        }
    }
    #[cfg(feature = "gdal")]
    all.update(blake3::hash(crate::height::ETOPO5).as_bytes());
    Ok(all.finalize().to_hex().to_string())
}

/// Who reads the files.
#[cfg(feature = "gdal")]
fn reader() -> String {
    format!("GDAL {}", gdal::version::version_info("RELEASE_NAME"))
}

/// Who reads the files.
#[cfg(not(feature = "gdal"))]
fn reader() -> String {
    "packs only".to_owned()
}

/// Hash of a file.
fn contents(file: &Path) -> Result<blake3::Hash, HeightError> {
    let mut hasher = blake3::Hasher::new();
    crate::height::read_through(file, &mut |bytes| {
        hasher.update(bytes);
    })?;
    Ok(hasher.finalize())
}
