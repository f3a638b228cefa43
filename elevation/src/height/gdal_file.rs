//! How are the bytes of a file read that GDAL alone can open, such as one in an archive or on a server?

use std::{
    ffi::{CStr, CString},
    io::{Error, Read, Result, Seek, SeekFrom},
    path::Path,
    ptr::NonNull,
};

use gdal_sys::{VSIFilesystemPluginCallbacksStruct, VSILFILE};

use super::options::SCHEMES;

/// A name as GDAL wants it: on Unix the bytes of a path, whatever they are.
pub(super) fn c_name(file: &Path) -> Option<CString> {
    #[cfg(unix)]
    let bytes = std::os::unix::ffi::OsStrExt::as_bytes(file.as_os_str());
    #[cfg(not(unix))]
    let name = file.to_string_lossy();
    #[cfg(not(unix))]
    let bytes = name.as_bytes();
    // Addresses by way of GDAL's file systems, which read parts of files.
    let by_system = |(scheme, system): &(&str, &str)| {
        let rest = bytes.strip_prefix(scheme.as_bytes())?;
        Some([system.as_bytes(), rest].concat())
    };
    CString::new(SCHEMES.iter().find_map(by_system).unwrap_or_else(|| bytes.to_vec())).ok()
}

/// Puts file systems among those of GDAL, or in the place of its own: one of the same functions for each start of names.
pub(super) fn install_file_systems(starts: &[&CStr], fill: impl FnOnce(&mut VSIFilesystemPluginCallbacksStruct)) {
    // SAFETY: GDAL makes what it is given back and copies what it is told; functions live as long as the process.
    unsafe {
        let callbacks = gdal_sys::VSIAllocFilesystemPluginCallbacksStruct();
        fill(&mut *callbacks);
        for start in starts {
            gdal_sys::VSIInstallPluginHandler(start.as_ptr(), callbacks);
        }
        gdal_sys::VSIFreeFilesystemPluginCallbacksStruct(callbacks);
    }
}

/// A file of GDAL's file systems (a path, or /vsizip/... and the like), open for reading.
pub(super) struct GdalFile(NonNull<VSILFILE>);

impl GdalFile {
    /// `None` if it cannot be opened.
    pub fn open(file: &Path) -> Option<Self> {
        let name = c_name(file)?;
        // SAFETY: the strings end in zeros.
        NonNull::new(unsafe { gdal_sys::VSIFOpenL(name.as_ptr(), c"rb".as_ptr()) }).map(Self)
    }

    /// Whether nothing was read because there is no more, and not because reading failed: GDAL reads nothing in both cases.
    pub fn is_at_end(&self) -> bool {
        // SAFETY: the handle is open.
        unsafe { gdal_sys::VSIFEofL(self.0.as_ptr()) != 0 }
    }
}

impl Read for GdalFile {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize> {
        // SAFETY: the handle is open and the buffer as long as is said.
        Ok(unsafe { gdal_sys::VSIFReadL(bytes.as_mut_ptr().cast(), 1, bytes.len(), self.0.as_ptr()) })
    }
}

impl Seek for GdalFile {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        let (offset, whence) = match to {
            SeekFrom::Start(offset) => (offset, 0),
            // GDAL's offsets wrap as C's do.
            SeekFrom::Current(offset) => (offset as u64, 1),
            SeekFrom::End(offset) => (offset as u64, 2),
        };
        // SAFETY: the handle is open.
        unsafe {
            if gdal_sys::VSIFSeekL(self.0.as_ptr(), offset, whence) != 0 {
                return Err(Error::other("the file ends before"));
            }
            Ok(gdal_sys::VSIFTellL(self.0.as_ptr()))
        }
    }
}

impl Drop for GdalFile {
    fn drop(&mut self) {
        // SAFETY: the handle is open, and not used any more.
        unsafe { gdal_sys::VSIFCloseL(self.0.as_ptr()) };
    }
}
