//! How do several threads read and write one file at the same time? Each at offsets of its own.

use std::{fs::File, io::Result};

/// A file without a place of its own where it is read or written next.
#[derive(Debug)]
pub(crate) struct PositionedFile {
    file: File,
    /// Held where the system knows no reads at offsets.
    #[cfg(not(unix))]
    cursor: std::sync::Mutex<()>,
}

impl PositionedFile {
    pub fn new(file: File) -> Self {
        Self {
            file,
            #[cfg(not(unix))]
            cursor: std::sync::Mutex::default(),
        }
    }

    /// The file, for its length.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Fills `bytes` with those from an offset on.
    #[cfg(unix)]
    pub fn read(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, bytes, offset)
    }

    /// Writes bytes from an offset on.
    #[cfg(unix)]
    pub fn write(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        std::os::unix::fs::FileExt::write_all_at(&self.file, bytes, offset)
    }

    /// Fills `bytes` with those from an offset on.
    #[cfg(not(unix))]
    pub fn read(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        use std::io::{Read as _, Seek as _, SeekFrom};
        let _cursor = self.cursor.lock();
        (&self.file).seek(SeekFrom::Start(offset))?;
        (&self.file).read_exact(bytes)
    }

    /// Writes bytes from an offset on.
    #[cfg(not(unix))]
    pub fn write(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        use std::io::{Seek as _, SeekFrom, Write as _};
        let _cursor = self.cursor.lock();
        (&self.file).seek(SeekFrom::Start(offset))?;
        (&self.file).write_all(bytes)
    }
}
