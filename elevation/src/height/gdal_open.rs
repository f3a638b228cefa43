//! How is a file opened by GDAL? Quietly, by the drivers that may, and without the network unless the user asked for it.
//!
//! A file on disk may name others on the network: a virtual raster its sources, a list its lines, a description its web service.
//! Names under `/vsicurl/` and its kin are refused on every thread that did not begin a [`Session`] for a source that may reach
//! them. Drivers of web services, which fetch by themselves, are not registered unless asked for: GDAL knows one set of
//! drivers in a process.

use std::{
    collections::BTreeSet,
    ffi::{CStr, CString, c_char, c_int, c_uint, c_void},
    io::{Read, Seek, SeekFrom},
    marker::PhantomData,
    path::{Path, PathBuf},
    ptr,
    sync::{
        Mutex, Once, OnceLock, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
};

use gdal::{Dataset, DriverManager, GdalOpenFlags, errors::GdalError};

use super::{
    checked_reads::{checked, checked_name, has_failed, is_silent, plain_name, plain_words},
    error::HeightError,
    gdal_file::{GdalFile, c_name, install_file_systems},
    options::is_remote,
    special_files,
};

/// Drivers that fetch what a file on disk only describes.
const WEB_SERVICES: [&str; 16] = [
    "WMS",
    "WCS",
    "WMTS",
    "HTTP",
    "OGCAPI",
    "EEDAI",
    "DAAS",
    "PLMOSAIC",
    "PLSCENES",
    "NGW",
    "STACIT",
    "STACTA",
    "PostGISRaster",
    "GeoRaster",
    "Rasdaman",
    "DODS",
];

/// What this program needs for data of its own, and to write.
const OWN: [&str; 2] = ["GTiff", "MEM"];

/// Prefixes that are read from end to end, past the check that names under `/vsicurl/` pass.
const STREAMS: [&CStr; 8] = [
    c"/vsicurl_streaming/",
    c"/vsis3_streaming/",
    c"/vsigs_streaming/",
    c"/vsiaz_streaming/",
    c"/vsioss_streaming/",
    c"/vsiswift_streaming/",
    c"/vsihdfs/",
    c"/vsiwebhdfs/",
];

/// Files on the network whose names are exactly this may be opened by those who may not reach it.
const CURL_ALLOWS: &CStr = c"CPL_VSIL_CURL_ALLOWED_FILENAME";

/// Drivers that were taken from GDAL, as numbers: handles live as long as the process.
static WITHHELD: Mutex<Vec<usize>> = Mutex::new(Vec::new());
/// The only drivers that may open files, if the user named some.
static ALLOWED: OnceLock<Vec<String>> = OnceLock::new();

/// GDAL's names of drivers are the same in capitals.
fn has_driver(names: &[String], driver: &str) -> bool {
    names.iter().any(|name| name.eq_ignore_ascii_case(driver))
}

/// Allows these drivers of GDAL alone (by their short names, as `gdalinfo --formats` lists them) to open elevation from now on, in
/// this process; once.
///
/// ```
/// use elevation::height::{Relief, allow_drivers};
/// assert!(allow_drivers(&["NOSUCH".into()]).is_err());
/// allow_drivers(&["GTiff".into(), "NetCDF".into()])?; // before anything is opened
/// assert!(Relief::embedded().is_ok());
/// # Ok::<(), elevation::height::HeightError>(())
/// ```
///
/// # Errors
/// [`HeightError::UnknownDriver`] for one that this build of GDAL does not have.
pub fn allow_drivers(names: &[String]) -> Result<(), HeightError> {
    prepare();
    allow_web_services();
    for name in names {
        DriverManager::get_driver_by_name(name).map_err(|_| HeightError::UnknownDriver { name: name.clone() })?;
    }
    withhold(|driver| !has_driver(names, driver) && !OWN.contains(&driver));
    let _first = ALLOWED.set(names.to_vec());
    Ok(())
}

/// Whether the user lets a driver open files.
pub(super) fn may_open(driver: &str) -> bool {
    ALLOWED.get().is_none_or(|allowed| has_driver(allowed, driver))
}

/// Gives drivers of web services back, for a user who asked for the network.
pub(crate) fn allow_web_services() {
    prepare();
    if ALLOWED.get().is_some() {
        return;
    }
    for driver in WITHHELD.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        // SAFETY: a driver that was registered before, and is nowhere destroyed.
        unsafe { gdal_sys::GDALRegisterDriver(driver as gdal_sys::GDALDriverH) };
    }
}

/// Takes drivers from GDAL.
fn withhold(which: impl Fn(&str) -> bool) {
    let mut withheld = WITHHELD.lock().unwrap_or_else(PoisonError::into_inner);
    for index in (0..DriverManager::count()).rev() {
        let Ok(driver) = DriverManager::get_driver(index) else { continue };
        if which(&driver.short_name()) {
            // SAFETY: a registered driver; datasets that it opened are its own.
            let handle = unsafe {
                let handle = driver.c_driver();
                gdal_sys::GDALDeregisterDriver(handle);
                handle
            };
            withheld.push(handle as usize);
        }
    }
}

/// GDAL's cache of blocks, at most and at least. Heights are kept here, but a window of a file that is stored in whole rows takes
/// all of them, and the next window beside it the same.
const MOST_CACHE_BYTES: i64 = 128 << 20;
const LEAST_CACHE_BYTES: i64 = 4 << 20;
/// The most once a virtual raster of many files was opened: its blocks are small, and lie between what GDAL has of each file, so that freed
/// ones are of no use to others.
const MOST_CACHE_OF_MANY_BYTES: i64 = 64 << 20;
/// Files of a virtual raster that are many.
pub(super) const MANY_FILES: usize = 64;
static MOST_BYTES: AtomicI64 = AtomicI64::new(MOST_CACHE_BYTES);
/// What GDAL would take by itself: a share of all memory.
static OWN_CACHE_BYTES: OnceLock<i64> = OnceLock::new();

/// Lets GDAL's cache of blocks, one for the process, take half as much as a layer may ([`OpenOptions::layer_bytes`]), and 128 MiB at
/// most, or 64 MiB with virtual rasters of many files. Who sets `GDAL_CACHEMAX` decides.
///
/// ```
/// elevation::height::share_block_cache(64 << 20);
/// // SAFETY: returns a number, from any thread.
/// let most_bytes = unsafe { gdal_sys::GDALGetCacheMax64() };
/// assert!(most_bytes <= 32 << 20 || std::env::var_os("GDAL_CACHEMAX").is_some());
/// ```
///
/// [`OpenOptions::layer_bytes`]: super::options::OpenOptions::layer_bytes
pub fn share_block_cache(layer_bytes: usize) {
    prepare();
    let half = i64::try_from(layer_bytes / 2).unwrap_or(i64::MAX);
    set_block_cache(half.clamp(LEAST_CACHE_BYTES, MOST_BYTES.load(Ordering::Relaxed)));
}

/// Lets the cache take less for a virtual raster of many files.
pub(super) fn spare_block_cache(dataset: &Dataset, files: usize) {
    if files > MANY_FILES && dataset.driver().short_name() == "VRT" {
        MOST_BYTES.store(MOST_CACHE_OF_MANY_BYTES, Ordering::Relaxed);
        // SAFETY: returns a number, from any thread.
        set_block_cache(unsafe { gdal_sys::GDALGetCacheMax64() }.min(MOST_CACHE_OF_MANY_BYTES));
    }
}

fn set_block_cache(most_bytes: i64) {
    if std::env::var_os("GDAL_CACHEMAX").is_none() {
        let own_bytes = OWN_CACHE_BYTES.get().copied().unwrap_or(i64::MAX);
        // SAFETY: takes a number, from any thread; blocks beyond it are dropped when the next one is read.
        unsafe { gdal_sys::GDALSetCacheMax64(own_bytes.min(most_bytes)) };
    }
}

/// Names of a folder that GDAL lists whenever it opens a file there, to find those beside it that belong to it: in one with more it looks
/// for each such file by its name. GDAL's own 1000 are half the time that opening a file in a large folder takes.
const SIBLINGS_OPTION: &str = "GDAL_READDIR_LIMIT_ON_OPEN";
const MOST_SIBLINGS: usize = 64;
/// Even the first names of a large folder take long to list: where it is known to be one, GDAL lists none.
const UNLISTED_OPTION: &CStr = c"GDAL_DISABLE_READDIR_ON_OPEN";

/// What holds in all of the process, before the first file is opened.
pub(crate) fn prepare() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: returns a number, from any thread.
        let _first = OWN_CACHE_BYTES.set(unsafe { gdal_sys::GDALGetCacheMax64() });
        set_block_cache(MOST_CACHE_BYTES);
        if std::env::var_os(SIBLINGS_OPTION).is_none() {
            let _is_text_without_nul = gdal::config::set_config_option(SIBLINGS_OPTION, &MOST_SIBLINGS.to_string());
        }
        withhold(|driver| WEB_SERVICES.contains(&driver));
        refuse_streams();
    });
}

/// Puts file systems that hold nothing in the place of those that [`STREAMS`] names.
fn refuse_streams() {
    unsafe extern "C" fn open(_: *mut c_void, _: *const c_char, _: *const c_char) -> *mut c_void {
        ptr::null_mut()
    }
    unsafe extern "C" fn stat(_: *mut c_void, _: *const c_char, _: *mut gdal_sys::VSIStatBufL, _: c_int) -> c_int {
        -1
    }
    install_file_systems(&STREAMS, |callbacks| {
        callbacks.open = Some(open);
        callbacks.stat = Some(stat);
    });
}

/// Work with GDAL on this thread: its errors come back as values and not on stderr, and the network is out of reach unless it
/// may be reached.
pub(crate) struct Session {
    /// What the thread allowed before.
    before: Option<CString>,
    _on_this_thread: PhantomData<*const ()>,
}

impl Session {
    /// Without the network.
    pub fn offline() -> Self {
        Self::begin(false)
    }

    /// Whether what is begun on this thread may reach the network.
    fn may_reach_network() -> bool {
        // SAFETY: the string ends in a zero; only whether there is one is looked at.
        unsafe { gdal_sys::CPLGetThreadLocalConfigOption(CURL_ALLOWS.as_ptr(), ptr::null()).is_null() }
    }

    /// With the network, for a source that may reach it.
    pub fn begin(online: bool) -> Self {
        let nothing = if online { ptr::null() } else { c"none".as_ptr() };
        // SAFETY: the handler is a static function of GDAL, and popped on this thread, as the type is not Send; the strings
        // end in zeros and are copied.
        unsafe {
            gdal_sys::CPLPushErrorHandler(Some(gdal_sys::CPLQuietErrorHandler));
            let before = gdal_sys::CPLGetThreadLocalConfigOption(CURL_ALLOWS.as_ptr(), ptr::null());
            let before = (!before.is_null()).then(|| CStr::from_ptr(before).to_owned());
            gdal_sys::CPLSetThreadLocalConfigOption(CURL_ALLOWS.as_ptr(), nothing);
            Self { before, _on_this_thread: PhantomData }
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let before = self.before.as_ref().map_or(ptr::null(), |text| text.as_ptr());
        // SAFETY: undoes what `begin` did on this thread.
        unsafe {
            gdal_sys::CPLSetThreadLocalConfigOption(CURL_ALLOWS.as_ptr(), before);
            gdal_sys::CPLPopErrorHandler();
        }
    }
}

/// A path as GDAL names it.
fn path_of(name: &CStr) -> PathBuf {
    #[cfg(unix)]
    let name: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(name.to_bytes());
    #[cfg(not(unix))]
    let name = name.to_string_lossy().into_owned();
    PathBuf::from(name)
}

/// Forgets what failed on this thread.
pub(crate) fn forget_failure() {
    // SAFETY: clears memory of this thread.
    unsafe { gdal_sys::CPLErrorReset() };
}

/// What failed last on this thread since it was forgotten: iterators of GDAL end at a failure as they do at their end.
pub(crate) fn last_failure() -> Option<String> {
    // SAFETY: returns a number of this thread.
    let kind = unsafe { gdal_sys::CPLGetLastErrorType() };
    (kind >= gdal_sys::CPLErr::CE_Failure).then(last_message)
}

/// What GDAL said last on this thread.
fn last_message() -> String {
    // SAFETY: a text of this thread, which ends in a zero and is copied.
    foreign::sentence(&plain_words(&unsafe { CStr::from_ptr(gdal_sys::CPLGetLastErrorMsg()) }.to_string_lossy()))
}

/// Most bytes of a block: GDAL reads whole ones, whatever is asked for.
const MOST_BLOCK_BYTES: u64 = 1 << 30;

/// Opens a raster; within a [`Session`].
pub(super) fn open_dataset(file: &Path) -> Result<Dataset, HeightError> {
    opened(file, || open(file).and_then(with_small_blocks))
}

/// A dataset whose blocks can be held, or what is wrong with them.
fn with_small_blocks(dataset: Dataset) -> Result<Dataset, String> {
    for band in dataset.rasterbands().flatten() {
        let ((columns, rows), texel_bytes) = (band.block_size(), band.band_type().bytes().max(1) as u64);
        let bytes = (columns as u64).saturating_mul(rows as u64).saturating_mul(texel_bytes);
        if bytes > MOST_BLOCK_BYTES {
            let gib = bytes as f64 / f64::from(1 << 30);
            return Err(format!(
                "its blocks of {columns} x {rows} texels take {gib:.0} GiB each: make smaller ones with gdal_translate -co TILED=YES"
            ));
        }
    }
    Ok(dataset)
}

/// What opens a file, or what is wrong with the file.
pub(super) fn opened(file: &Path, open: impl FnOnce() -> Result<Dataset, String>) -> Result<Dataset, HeightError> {
    let online = Session::may_reach_network();
    special_files::refuse_special_files(file, online)?;
    if !online && is_remote(file) && !file.exists() {
        return Err(HeightError::Offline { file: file.into() });
    }
    prepare();
    let open = || {
        open().map_err(|reason| {
            // Names like /vsizip/a.zip/b.tif, NETCDF:a.nc:z or https://... are GDAL's, not paths.
            let name = file.to_string_lossy();
            if !name.starts_with("/vsi") && !name.contains(':') && !file.exists() {
                return HeightError::Missing { file: file.into() };
            }
            HeightError::CannotOpen { file: file.into(), reason }
        })
    };
    checked(open, |reason| HeightError::Read { file: file.into(), reason })
}

/// The raster, or GDAL's reason.
pub(super) fn open(file: &Path) -> Result<Dataset, String> {
    // What lies in memory is the program's own.
    let allowed = ALLOWED.get().filter(|_| !file.starts_with("/vsimem")).map_or(&[][..], Vec::as_slice);
    if let Some(name) = checked_name(file) {
        let dataset = open_by(&name, GdalOpenFlags::GDAL_OF_RASTER, allowed);
        // Others read faster by themselves, some only so; but they would try what has failed again.
        if has_failed() || dataset.as_ref().is_ok_and(is_silent) {
            return dataset;
        }
    }
    open_by(file, GdalOpenFlags::GDAL_OF_RASTER, allowed)
}

/// The dataset of a kind, by some drivers or, without any, by all.
pub(super) fn open_by(file: &Path, kind: GdalOpenFlags, drivers: &[impl AsRef<str>]) -> Result<Dataset, String> {
    let name = c_name(file).ok_or("a name with a zero in it")?;
    let drivers: Vec<CString> = drivers.iter().filter_map(|name| CString::new(name.as_ref()).ok()).collect();
    let mut list: Vec<*const c_char> = drivers.iter().map(|name| name.as_ptr()).collect();
    list.push(ptr::null());
    let drivers = if drivers.is_empty() { ptr::null() } else { list.as_ptr() };
    let flags = kind | GdalOpenFlags::GDAL_OF_VERBOSE_ERROR;
    forget_failure();
    let is_crowded = special_files::count_sidecars(&plain_name(file.into())).is_some_and(|names| names > MOST_SIBLINGS);
    // SAFETY: strings and lists end in zeros and outlive the calls, which copy them; what is opened is ours to close.
    unsafe {
        // Who has set it decides.
        let is_unlisted = is_crowded && gdal_sys::CPLGetConfigOption(UNLISTED_OPTION.as_ptr(), ptr::null()).is_null();
        let list =
            |unlisted: *const c_char| gdal_sys::CPLSetThreadLocalConfigOption(UNLISTED_OPTION.as_ptr(), unlisted);
        if is_unlisted {
            list(c"YES".as_ptr());
        }
        let dataset = gdal_sys::GDALOpenEx(name.as_ptr(), flags.bits() as c_uint, drivers, ptr::null(), ptr::null());
        if is_unlisted {
            list(ptr::null());
        }
        if dataset.is_null() {
            let reason = last_message();
            let only = ALLOWED.get().map(|names| format!("--gdal-drivers allows {} only", names.join(", ")));
            let reason = if reason.is_empty() { "no reason given".to_owned() } else { reason };
            return Err(only.map_or(reason.clone(), |only| format!("{reason}; {only}")));
        }
        Ok(Dataset::from_c_dataset(dataset))
    }
}

/// All files that a dataset consists of, as GDAL names them: an image's header, a virtual raster's sources, and what those
/// consist of. Those on the network only for a source that may reach it.
pub(crate) fn files_of(file: &Path, online: bool) -> Result<Vec<PathBuf>, HeightError> {
    let mut found: BTreeSet<PathBuf> = direct_files_of(file, online)?.into_iter().collect();
    let mut unseen: Vec<PathBuf> = found.iter().filter(|name| *name != file).cloned().collect();
    while let Some(name) = unseen.pop() {
        // A header is no dataset, and a source that cannot be read says so when heights are.
        let parts = direct_files_of(&name, online).unwrap_or_default();
        unseen.extend(parts.into_iter().filter(|part| found.insert(part.clone())));
    }
    found.retain(|name| online || !is_remote(name));
    Ok(found.into_iter().collect())
}

/// The files that a dataset names itself.
pub(super) fn direct_files_of(file: &Path, online: bool) -> Result<Vec<PathBuf>, HeightError> {
    let _session = Session::begin(online);
    Ok(parts(&open_dataset(file)?))
}

/// The files that an open dataset names.
pub(super) fn parts(dataset: &Dataset) -> Vec<PathBuf> {
    // SAFETY: the handle is alive; the list is GDAL's to make and ours to destroy.
    let mut names: Vec<PathBuf> = unsafe {
        let list = gdal_sys::GDALGetFileList(dataset.c_dataset());
        let count = gdal_sys::CSLCount(list);
        let name = |k| plain_name(path_of(CStr::from_ptr(gdal_sys::CSLGetField(list, k))));
        let names = (0..count).map(name).collect();
        gdal_sys::CSLDestroy(list);
        names
    };
    // What GDAL computes about a file and leaves beside it says nothing about its heights.
    names.retain(|name| !name.to_string_lossy().ends_with(".aux.xml"));
    names
}

/// Hands all bytes of a file of GDAL's file systems (a path, or /vsizip/... and the like) to `each`, piece by piece.
///
/// GDAL reads nothing at the end of a file and after an error alike. The end is where it says so, and where the length is reached.
pub(crate) fn read_through(file: &Path, each: &mut dyn FnMut(&[u8])) -> Result<(), HeightError> {
    // A name on the network comes here only from a source that may reach it.
    let _session = Session::begin(is_remote(file));
    let unreadable = |reason: &str| HeightError::Read { file: file.into(), reason: reason.to_owned() };
    let mut open = GdalFile::open(file).ok_or_else(|| unreadable("it cannot be opened"))?;
    // A stream that is squeezed knows its length only when it has been read.
    let knows_length = !file.to_string_lossy().contains("/vsigzip/");
    let length = if knows_length { open.seek(SeekFrom::End(0)).ok() } else { None };
    open.rewind().map_err(|error| unreadable(&error.to_string()))?;
    forget_failure();
    let mut bytes = vec![0u8; 1 << 20];
    let mut total = 0;
    loop {
        let read = open.read(&mut bytes).map_err(|error| unreadable(&error.to_string()))?;
        if read == 0 {
            break;
        }
        total += read as u64;
        each(&bytes[..read]);
    }
    // All bytes may be there, and their checksum another one.
    if let Some(reason) = last_failure() {
        // GDAL's archives say where in their own source they are.
        let within = reason.strip_prefix("In file ").and_then(|rest| rest.splitn(3, ", ").nth(2));
        return Err(unreadable(within.unwrap_or(&reason)));
    }
    // Files of the system that are made as they are read have no length.
    let is_whole = length.filter(|length| *length > 0).map_or_else(|| open.is_at_end(), |length| total >= length);
    if is_whole {
        return Ok(());
    }
    let of = length.map(|length| format!(" of {length}")).unwrap_or_default();
    Err(unreadable(&format!("reading failed after {total}{of} bytes")))
}

/// GDAL's own words on one line, without the wrapping of the binding and whole definitions of coordinate systems.
pub(crate) fn message(e: &GdalError) -> String {
    match e {
        GdalError::CplError { msg, .. } | GdalError::NullPointer { msg, .. } if !msg.is_empty() => {
            foreign::sentence(&plain_words(msg))
        }
        other => foreign::sentence(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: GDAL keeps half of what a layer may, within its bounds, and never more than it would by itself.
    #[test]
    fn the_cache_of_blocks_is_a_share_of_the_budget() {
        if std::env::var_os("GDAL_CACHEMAX").is_some() {
            return;
        }
        // SAFETY: returns a number, from any thread.
        let most_bytes = || unsafe { gdal_sys::GDALGetCacheMax64() };
        for (budget_mib, share_mib) in [(64, 32), (1, 4), (16, 8), (100_000, 128), (256, 128)] {
            share_block_cache(budget_mib << 20);
            assert_eq!(most_bytes(), OWN_CACHE_BYTES.get().unwrap().min(&(share_mib << 20)).to_owned());
        }
    }
}
