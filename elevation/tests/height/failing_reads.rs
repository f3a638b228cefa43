//! A disk that fails under a file: what cannot be read is told, whatever GDAL's driver makes of it.

use std::{
    ffi::{CStr, c_char, c_int, c_void},
    path::{Path, PathBuf},
    ptr,
    sync::{
        Once,
        atomic::{AtomicU64, Ordering},
    },
};

use elevation::height::{OpenOptions, Relief};
use gdal_sys::{VSILFILE, VSIStatBufL, vsi_l_offset};
use rand::Rng as _;
use tempfile::TempDir;

use super::raster_files::{Frame, normal};
use crate::random;

/// Files behind this name are those on the disk, of which a part cannot be read.
const FAILING: &CStr = c"/vsifailing/";

/// First byte of files that cannot be read, and how many cannot.
static BAD: AtomicU64 = AtomicU64::new(u64::MAX);
const BAD_BYTES: u64 = 4096;

/// Puts a file system among those of GDAL that hands all to the disk, but for the bad bytes.
fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: GDAL copies what it is given; the functions are static.
        unsafe {
            let callbacks = gdal_sys::VSIAllocFilesystemPluginCallbacksStruct();
            (*callbacks).stat = Some(stat);
            (*callbacks).read_dir = Some(read_dir);
            (*callbacks).open = Some(open);
            (*callbacks).tell = Some(tell);
            (*callbacks).seek = Some(seek);
            (*callbacks).read = Some(read);
            (*callbacks).eof = Some(eof);
            (*callbacks).close = Some(close);
            gdal_sys::VSIInstallPluginHandler(FAILING.as_ptr(), callbacks);
            gdal_sys::VSIFreeFilesystemPluginCallbacksStruct(callbacks);
        }
    });
}

// GDAL calls these with names that end in zeros, and with what `open` has returned until it is closed.

unsafe extern "C" fn stat(_: *mut c_void, name: *const c_char, found: *mut VSIStatBufL, flags: c_int) -> c_int {
    // SAFETY: as above.
    unsafe { gdal_sys::VSIStatExL(name, found, flags) }
}

unsafe extern "C" fn read_dir(_: *mut c_void, name: *const c_char, most: c_int) -> *mut *mut c_char {
    // SAFETY: as above.
    unsafe { gdal_sys::VSIReadDirEx(name, most) }
}

unsafe extern "C" fn open(_: *mut c_void, name: *const c_char, access: *const c_char) -> *mut c_void {
    // SAFETY: as above.
    unsafe {
        if *access != b'r' as c_char {
            return ptr::null_mut();
        }
        gdal_sys::VSIFOpenL(name, c"rb".as_ptr()).cast()
    }
}

unsafe extern "C" fn tell(file: *mut c_void) -> vsi_l_offset {
    // SAFETY: as above.
    unsafe { gdal_sys::VSIFTellL(file.cast::<VSILFILE>()) }
}

unsafe extern "C" fn seek(file: *mut c_void, offset: vsi_l_offset, whence: c_int) -> c_int {
    // SAFETY: as above.
    unsafe { gdal_sys::VSIFSeekL(file.cast::<VSILFILE>(), offset, whence) }
}

unsafe extern "C" fn read(file: *mut c_void, bytes: *mut c_void, size: usize, count: usize) -> usize {
    let file = file.cast::<VSILFILE>();
    // SAFETY: as above; the buffer holds so many pieces.
    unsafe {
        let (at, bad) = (gdal_sys::VSIFTellL(file), BAD.load(Ordering::Relaxed));
        let is_bad = at < bad.saturating_add(BAD_BYTES) && at + (size * count) as u64 > bad;
        let good = if is_bad { (bad.saturating_sub(at) as usize) / size } else { count };
        gdal_sys::VSIFReadL(bytes, size, good, file)
    }
}

unsafe extern "C" fn eof(file: *mut c_void) -> c_int {
    // SAFETY: as above.
    unsafe { gdal_sys::VSIFEofL(file.cast::<VSILFILE>()) }
}

unsafe extern "C" fn close(file: *mut c_void) -> c_int {
    // SAFETY: as above; it is not used any more.
    unsafe { gdal_sys::VSIFCloseL(file.cast::<VSILFILE>()) }
}

/// Formats of which GDAL's drivers tell of reads that fail, keep silent, or try without end.
const FORMATS: [(&str, &str); 12] = [
    ("GTiff", "a.tif"),
    ("ENVI", "a.dat"),
    ("EHdr", "a.bil"),
    ("AAIGrid", "a.asc"),
    ("GSAG", "a.grd"),
    ("HFA", "a.img"),
    ("SAGA", "a.sdat"),
    ("PCIDSK", "a.pix"),
    ("XYZ", "a.xyz"),
    ("GPKG", "a.gpkg"),
    ("DTED", "n19.dt1"),
    ("SRTMHGT", "N19W150.hgt"),
];
/// Rough heights in a format, written by GDAL, columns and rows, and the degrees that these are; none where GDAL cannot.
fn written(folder: &Path, format: &str, name: &str) -> Option<(PathBuf, usize, f64)> {
    // Two want whole degrees, posted at their edges.
    let (side, per_deg) = if ["DTED", "SRTMHGT"].contains(&format) { (1201, 1200.0) } else { (200, 1000.0) };
    let corner = [-150.0 - 0.5 / per_deg, 20.0 + 0.5 / per_deg];
    let frame = Frame::north_up("EPSG:4326", (side, side), corner[0], corner[1], 1.0 / per_deg);
    let values = (0..side * side).map(|k| 500 + (k * 7919 % 1999) as i16).collect();
    let plain = frame.write::<i16>(&folder.join("plain.tif"), values);
    let driver = gdal::DriverManager::get_driver_by_name(format).ok()?;
    let file = folder.join(name);
    plain.create_copy(&driver, &file, &gdal::cpl::CslStringList::new()).ok()?.close().ok()?;
    Some((file, side, (side - 1) as f64 / per_deg))
}

/// Law: where a part of a file cannot be read, before it is opened or after that, its heights are those that it has, or it is told that
/// some cannot be read; and it takes no longer.
#[test]
fn reads_that_fail_are_told() {
    install();
    let mut rng = random::rng();
    let mut told = 0;
    for (format, name) in FORMATS {
        let folder = TempDir::new().expect("a temporary folder");
        let Some((file, side, degrees)) = written(folder.path(), format, name) else {
            eprintln!("skipped: this GDAL does not write {format}");
            continue;
        };
        let length = std::fs::metadata(&file).expect("there").len();
        let failing = [PathBuf::from(format!("{}{}", FAILING.to_str().expect("ASCII"), file.display()))];
        let mut place = || normal(-150.0 + rng.random_range(0.0..degrees), 20.0 - rng.random_range(0.0..degrees));
        let places: Vec<_> = (0..150).map(|_| place()).collect();
        let heights = |relief: &Relief| places.iter().map(|n| relief.sample(*n).height_m).collect::<Vec<_>>();
        // At once, and in windows.
        for layer_bytes in [256 << 20, 4 * side * side] {
            let skip_bad = rng.random();
            let options = OpenOptions::default().with_layer_bytes(layer_bytes).with_skip_bad(skip_bad);
            let whole = heights(&Relief::open(&failing, &options).unwrap_or_else(|e| panic!("{format}: {e}")));
            for is_bad_before in [false, true] {
                let bad = rng.random_range(length / 8..length - BAD_BYTES);
                let what = format!("{format}, byte {bad}, {layer_bytes}, {skip_bad}, {is_bad_before}");
                if is_bad_before {
                    BAD.store(bad, Ordering::Relaxed);
                }
                match Relief::open(&failing, &options) {
                    Err(error) => {
                        assert!(is_bad_before, "{what}: {error}");
                        assert!(error.to_string().contains("cannot read heights"), "{what}: {error}");
                        told += 1;
                    }
                    Ok(relief) => {
                        BAD.store(bad, Ordering::Relaxed);
                        let found = heights(&relief);
                        let is_told =
                            relief.failure().is_some() || relief.remarks(0).iter().any(|r| r.contains("is damaged"));
                        assert!(found == whole || is_told, "{what}");
                        told += usize::from(is_told);
                    }
                }
                BAD.store(u64::MAX, Ordering::Relaxed);
            }
        }
    }
    assert!(told > 20, "{told}");
}
