//! Where does GDAL write a file that is to be whole on disk or not at all? Into memory first.

use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use gdal::{errors::GdalError, vsi};

/// A file in memory, of a name that no other has; gone when it is dropped.
pub(super) struct MemoryFile(PathBuf);

impl MemoryFile {
    /// A name for a file.
    pub fn new(extension: &str) -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        Self(format!("/vsimem/orogen-features-{number}.{extension}").into())
    }

    /// As GDAL names it.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// What is in it.
    pub fn into_bytes(self) -> Result<Vec<u8>, GdalError> {
        vsi::get_vsi_mem_file_bytes_owned(&self.0)
    }
}

impl Drop for MemoryFile {
    fn drop(&mut self) {
        // Its bytes may have been taken.
        let _ = vsi::unlink_mem_file(&self.0);
    }
}
