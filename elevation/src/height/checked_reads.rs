//! Did a read fail, or did the file end there? Some drivers of GDAL give zeros in both cases, some try again without end.
//!
//! Files of theirs are opened through a file system of GDAL that hands each read on, and remembers one that gave less than was asked for
//! although the file goes on. What a virtual raster names GDAL opens by itself, without that.

use std::{
    cell::RefCell,
    ffi::{CStr, OsStr, OsString, c_char, c_int, c_void},
    path::{Path, PathBuf},
    ptr,
    sync::Once,
};

use gdal::{Dataset, errors::GdalError};
use gdal_sys::{CPLErr, VSILFILE, VSIStatBufL, vsi_l_offset};

use super::{gdal_file::install_file_systems, options::is_remote};

/// Begins the names of files whose reads are checked.
const PREFIX: &CStr = c"/vsiorogen_checked/";

/// Ends of names of files whose driver always tells, and of those that only name others.
const TELLING: [&str; 3] = ["tif", "tiff", "vrt"];
/// Drivers that tell nothing, or not always, where a read fails.
const SILENT: [&str; 6] = ["ENVI", "GPKG", "HFA", "PCIDSK", "Rasterlite", "SRTMHGT"];

thread_local! {
    /// The first read that failed on this thread since it was asked.
    static FAILED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// The name by which reads of a file on a disk are checked; none of those that always tell, and of folders.
pub(super) fn checked_name(file: &Path) -> Option<PathBuf> {
    let ending = file.extension().unwrap_or_default();
    let is_on_disk = file.is_file() || file.to_string_lossy().starts_with("/vsi") && !file.starts_with("/vsimem");
    if !is_on_disk || is_remote(file) || TELLING.iter().any(|known| ending.eq_ignore_ascii_case(known)) {
        return None;
    }
    install();
    let mut name = OsString::from(PREFIX.to_str().ok()?);
    name.push(file);
    Some(name.into())
}

/// Whether the driver of a dataset does not always tell of reads that fail.
pub(super) fn is_silent(dataset: &Dataset) -> bool {
    SILENT.contains(&dataset.driver().short_name().as_str())
}

/// The name that a file has without the checks.
pub(super) fn plain_name(name: PathBuf) -> PathBuf {
    let prefix = PREFIX.to_bytes();
    let bytes = name.as_os_str().as_encoded_bytes();
    let Some(rest) = bytes.strip_prefix(prefix) else { return name };
    // SAFETY: what is left of a name behind ASCII.
    PathBuf::from(unsafe { OsStr::from_encoded_bytes_unchecked(rest) })
}

/// Whether a read has failed on this thread in the function that is [`checked`].
pub(super) fn has_failed() -> bool {
    FAILED.with_borrow(Option::is_some)
}

/// What a function returns, or an error if a read failed in it, of which the driver may have told nothing. It may have kept what it took for
/// heights, too: nothing more is read of the dataset.
pub(super) fn checked<T, E>(read: impl FnOnce() -> Result<T, E>, error: impl FnOnce(String) -> E) -> Result<T, E> {
    FAILED.take();
    let found = read();
    FAILED.take().map_or(found, |reason| Err(error(reason)))
}

/// The number of errors that no driver told of. GDAL has it for nothing.
const UNTOLD: i32 = -1;

/// An error that no driver told of.
pub(super) fn untold(msg: String) -> GdalError {
    GdalError::CplError { class: CPLErr::CE_Failure, number: UNTOLD, msg }
}

/// Whether an error is one that the driver did not tell of.
pub(super) fn is_untold(error: &GdalError) -> bool {
    matches!(error, GdalError::CplError { number: UNTOLD, .. })
}

/// What GDAL says of a file, by the name that it has without the checks.
pub(super) fn plain_words(said: &str) -> String {
    PREFIX.to_str().map_or_else(|_| said.to_owned(), |prefix| said.replace(prefix, ""))
}

/// A file behind a name with [`PREFIX`].
struct CheckedFile {
    file: *mut VSILFILE,
    name: String,
    /// No more is read, so that no driver tries again and again.
    has_failed: bool,
}

/// Puts the file system among those of GDAL.
fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        install_file_systems(&[PREFIX], |callbacks| {
            callbacks.stat = Some(stat);
            callbacks.read_dir = Some(read_dir);
            callbacks.open = Some(open);
            callbacks.tell = Some(tell);
            callbacks.seek = Some(seek);
            callbacks.read = Some(read);
            callbacks.eof = Some(eof);
            callbacks.close = Some(close);
        });
    });
}

// GDAL calls these with names behind the prefix that end in zeros, and with what `open` has returned until it is closed.

unsafe extern "C" fn stat(_: *mut c_void, name: *const c_char, found: *mut VSIStatBufL, flags: c_int) -> c_int {
    // SAFETY: as above.
    unsafe { gdal_sys::VSIStatExL(name, found, flags) }
}

unsafe extern "C" fn read_dir(_: *mut c_void, name: *const c_char, most: c_int) -> *mut *mut c_char {
    // SAFETY: as above; the list is the caller's.
    unsafe { gdal_sys::VSIReadDirEx(name, most) }
}

unsafe extern "C" fn open(_: *mut c_void, name: *const c_char, access: *const c_char) -> *mut c_void {
    // SAFETY: as above.
    unsafe {
        if CStr::from_ptr(access).to_bytes().iter().any(|way| b"wa+".contains(way)) {
            return ptr::null_mut();
        }
        let file = gdal_sys::VSIFOpenL(name, access);
        if file.is_null() {
            return ptr::null_mut();
        }
        let name = foreign::escaped(&CStr::from_ptr(name).to_string_lossy()).to_string();
        Box::into_raw(Box::new(CheckedFile { file, name, has_failed: false })).cast()
    }
}

unsafe extern "C" fn tell(file: *mut c_void) -> vsi_l_offset {
    // SAFETY: as above.
    unsafe { gdal_sys::VSIFTellL((*file.cast::<CheckedFile>()).file) }
}

unsafe extern "C" fn seek(file: *mut c_void, offset: vsi_l_offset, whence: c_int) -> c_int {
    // SAFETY: as above.
    unsafe { gdal_sys::VSIFSeekL((*file.cast::<CheckedFile>()).file, offset, whence) }
}

unsafe extern "C" fn read(file: *mut c_void, bytes: *mut c_void, size: usize, count: usize) -> usize {
    // SAFETY: as above; the buffer holds so many pieces.
    unsafe {
        let CheckedFile { file, name, has_failed } = &mut *file.cast::<CheckedFile>();
        if *has_failed {
            return 0;
        }
        let at = gdal_sys::VSIFTellL(*file);
        let read = gdal_sys::VSIFReadL(bytes, size, count, *file);
        if read < count && gdal_sys::VSIFEofL(*file) == 0 {
            *has_failed = true;
            FAILED.with_borrow_mut(|failed| {
                failed.get_or_insert_with(|| format!("reading {name} fails behind byte {}", at + (read * size) as u64));
            });
        }
        read
    }
}

unsafe extern "C" fn eof(file: *mut c_void) -> c_int {
    // SAFETY: as above.
    unsafe {
        let CheckedFile { file, has_failed, .. } = &*file.cast::<CheckedFile>();
        if *has_failed { 1 } else { gdal_sys::VSIFEofL(*file) }
    }
}

unsafe extern "C" fn close(file: *mut c_void) -> c_int {
    // SAFETY: as above; it is not used any more.
    unsafe { gdal_sys::VSIFCloseL(Box::from_raw(file.cast::<CheckedFile>()).file) }
}
