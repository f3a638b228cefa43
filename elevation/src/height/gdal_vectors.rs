//! How is a file of vector data opened by GDAL? By drivers of files alone, and so that nothing is fetched that it names.

use std::{
    ffi::{c_char, c_int, c_void},
    marker::PhantomData,
    path::Path,
    ptr,
};

use gdal::{Dataset, GdalOpenFlags};

use super::{
    error::HeightError,
    gdal_open::{may_open, open_by, opened},
};

/// Drivers of files of vector data that fetch nothing, whatever a file says.
const VECTORS: [&str; 11] = [
    "GPKG",
    "ESRI Shapefile",
    "GeoJSON",
    "GeoJSONSeq",
    "TopoJSON",
    "FlatGeobuf",
    "LIBKML",
    "KML",
    "GPX",
    "MapInfo File",
    "OpenFileGDB",
];

/// On this thread GDAL fetches nothing by itself, which a [`Session`](super::gdal_open::Session) alone does not keep it from: a GeoJSON
/// names the address of its reference system.
pub(crate) struct FetchGuard(PhantomData<*const ()>);

type Fetch = unsafe extern "C" fn(
    url: *const c_char,
    options: *const *const c_char,
    progress: *mut c_void,
    progress_data: *mut c_void,
    write: *mut c_void,
    write_data: *mut c_void,
    data: *mut c_void,
) -> *mut c_void;

unsafe extern "C" {
    fn CPLHTTPPushFetchCallback(fetch: Fetch, data: *mut c_void) -> c_int;
    fn CPLHTTPPopFetchCallback() -> c_int;
}

impl FetchGuard {
    pub fn begin() -> Self {
        /// More than `CPLHTTPResult` has, whose first word is a status: all but 0 are failures.
        const RESULT_WORDS: usize = 64;
        unsafe extern "C" fn refuse(
            _: *const c_char,
            _: *const *const c_char,
            _: *mut c_void,
            _: *mut c_void,
            _: *mut c_void,
            _: *mut c_void,
            _: *mut c_void,
        ) -> *mut c_void {
            // SAFETY: memory of GDAL's own, of zeros, which it frees; it ends the program if there is none.
            unsafe {
                let result = gdal_sys::CPLCalloc(RESULT_WORDS, size_of::<c_int>());
                result.cast::<c_int>().write(1);
                result
            }
        }
        // SAFETY: a static function of the type that `cpl_http.h` has, for this thread, on which it is taken away again: the type is not Send.
        unsafe { CPLHTTPPushFetchCallback(refuse, ptr::null_mut()) };
        Self(PhantomData)
    }
}

impl Drop for FetchGuard {
    fn drop(&mut self) {
        // SAFETY: undoes what `begin` did on this thread.
        unsafe { CPLHTTPPopFetchCallback() };
    }
}

/// Opens a file of vector data, whose curves are told as lines; within a [`Session`](super::gdal_open::Session) and a
/// [`FetchGuard`].
pub(crate) fn open_vectors(file: &Path) -> Result<Dataset, HeightError> {
    let drivers: Vec<&str> = VECTORS.into_iter().filter(|driver| may_open(driver)).collect();
    if drivers.is_empty() {
        let reason = format!("--gdal-drivers allows none of {}", VECTORS.join(", "));
        return Err(HeightError::CannotOpen { file: file.into(), reason });
    }
    // SAFETY: sets a word of the process; nothing else here reads geometries.
    unsafe { gdal_sys::OGRSetNonLinearGeometriesEnabledFlag(0) };
    opened(file, || open_by(file, GdalOpenFlags::GDAL_OF_VECTOR, &drivers))
}
