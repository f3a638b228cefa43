//! Is there a pipe or a device where GDAL would read? One would be waited for, the other read without end.
//!
//! GDAL opens more than it is told: what names in front of a path wrap (`/vsigzip/`, `NETCDF:`), and files of certain names beside a
//! raster.

use std::{
    ffi::OsString,
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::{error::HeightError, fingerprint::is_past, options::is_remote, vrt_sources::sources};

/// Rasters in one folder from which on it is listed in any case.
const MANY: usize = 16;
/// Folders that are remembered.
const MOST_FOLDERS: usize = 256;
/// Longest name that is taken apart, and most paths in it.
const LONGEST_NAME: usize = 4096;
const MOST_PATHS: usize = 256;

/// What GDAL looks for behind the name of a raster, in small and capital letters.
const AFTER_NAME: [&str; 9] = [".aux.xml", ".aux", ".ovr", ".msk", ".msk.ovr", ".rrd", ".xml", ".vat.dbf", ".hdr"];
/// The same behind its name without the ending: places, colours and headers, then models of cameras and what is known of a
/// picture (the readers in `gcore/mdreader` of GDAL).
const AFTER_STEM: [&str; 39] = [
    ".prj",
    ".aux",
    ".hdr",
    ".wld",
    ".tfw",
    ".tifw",
    ".tfwx",
    ".pgw",
    ".jgw",
    ".bpw",
    ".gfw",
    ".j2w",
    ".rrd",
    ".ovr",
    ".clr",
    ".stx",
    ".tab",
    ".points",
    ".ige",
    ".rdc",
    ".ref",
    ".smp",
    ".sgrd",
    ".mgrd",
    ".lbl",
    ".idx",
    ".ppg",
    ".imd",
    ".rpb",
    ".xml",
    ".pvl",
    ".txt",
    ".rpc",
    ".eph",
    ".pass",
    "_rpc.txt",
    "_metadata.txt",
    "_metadata.xml",
    "_mtl.txt",
];

/// Refuses a raster that leads to a pipe, a device or a socket: itself, by its sources, or by what GDAL opens beside them.
///
/// Without `online`, refuses one with sources that drivers of GDAL would fetch by themselves.
///
/// # Errors
/// [`HeightError::NoFile`] with the name of the first, [`HeightError::CannotOpen`] of one on the network.
pub(super) fn refuse_special_files(raster: &Path, online: bool) -> Result<(), HeightError> {
    let mut paths = paths_in(raster);
    let has_none = |name: &Path| paths_in(name).iter().all(|path| refuse_one(path).is_ok());
    let of_sources: Vec<PathBuf> = paths.iter().flat_map(|path| sources(path, has_none)).collect();
    // `vrt://FILE` is a file, with how it is read.
    let is_of_network = |name: &Path| is_remote(name.strip_prefix("vrt:").unwrap_or(name));
    let of_network = of_sources.iter().map(PathBuf::as_path).find(|name| is_fetched(name) || is_of_network(name));
    let fetched = Some(raster).filter(|name| is_fetched(name)).or(of_network);
    if let Some(name) = fetched.filter(|_| !online) {
        let name = foreign::sanitized(&name.to_string_lossy()).to_string();
        let reason = format!("it names {name}, on the network, which --online allows");
        return Err(HeightError::CannotOpen { file: raster.into(), reason });
    }
    paths.extend(of_sources.iter().flat_map(|source| paths_in(source)));
    let mut rasters: FxHashMap<&Path, usize> = FxHashMap::default();
    paths.iter().for_each(|path| *rasters.entry(folder_of(path)).or_default() += 1);
    for path in &paths {
        let folder = folder_of(path);
        let rasters = rasters.get(folder).copied().unwrap_or(0);
        let Some(listed) = list(folder, rasters >= MANY) else {
            refuse_one(path)?;
            if path.is_file() {
                sidecars_of(path).iter().try_for_each(|path| refuse_one(path))?;
            }
            continue;
        };
        // Nearly always there are none.
        if !listed.specials.is_empty() {
            let is_special = |path: &PathBuf| path.file_name().is_some_and(|name| listed.specials.contains(name));
            let named = std::iter::once(path.clone()).chain(sidecars_of(path)).find(is_special);
            named.map_or(Ok(()), |named| refuse_one(&named))?;
        }
    }
    Ok(())
}

/// Whether a name is one within an address on the network, `NETCDF:"https://..."`: what stands before the address is a driver that fetches
/// it, past the check that names under `/vsicurl/` pass.
fn is_fetched(name: &Path) -> bool {
    let name = name.to_string_lossy().to_ascii_lowercase();
    let is_text = name.trim_start().starts_with('<');
    let of_driver = |scheme: &&str| name.find(*scheme).is_some_and(|at| at > 0);
    !is_text && !name.starts_with("/vsi") && ["http://", "https://", "ftp://", "dods://"].iter().any(of_driver)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Names beside a file, if they are remembered.
pub(super) fn count_sidecars(file: &Path) -> Option<usize> {
    list(folder_of(file), false).map(|listed| listed.names)
}

/// What is in a folder.
#[derive(Clone)]
struct FolderListing {
    /// When it changed last.
    modified: SystemTime,
    names: usize,
    /// Names of what is neither a file nor a folder.
    specials: Arc<FxHashSet<OsString>>,
}

/// What is in a folder. It is remembered as long as the folder is the same: to look for each name beside each raster would take as long
/// as to open it. `None` of what is no folder, and of one that has just changed and may again, unless many names in it are asked for.
fn list(folder: &Path, are_many: bool) -> Option<FolderListing> {
    static KNOWN: Mutex<FxHashMap<PathBuf, FolderListing>> = Mutex::new(FxHashMap::with_hasher(FxBuildHasher));
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let found = fs::metadata(folder).ok().filter(fs::Metadata::is_dir)?;
    let modified = found.modified().ok()?;
    if let Some(listed) = known().get(folder).filter(|listed| listed.modified == modified) {
        return Some(listed.clone());
    }
    let is_old = is_past(modified, SystemTime::now());
    if !is_old && !are_many {
        return None;
    }
    let is_special = |entry: &fs::DirEntry| match entry.file_type() {
        Ok(kind) if kind.is_symlink() => fs::metadata(entry.path()).is_ok_and(|found| is_special(found.file_type())),
        kind => kind.is_ok_and(is_special),
    };
    let mut names = 0;
    let entries = fs::read_dir(folder).ok()?.flatten().inspect(|_| names += 1);
    let specials = entries.filter(is_special).map(|entry| entry.file_name()).collect();
    let listed = FolderListing { modified, specials: Arc::new(specials), names };
    if is_old {
        let mut known = known();
        if known.len() >= MOST_FOLDERS {
            known.clear();
        }
        known.insert(folder.into(), listed.clone());
    }
    Some(listed)
}

fn is_special(kind: fs::FileType) -> bool {
    !kind.is_file() && !kind.is_dir() && !kind.is_symlink()
}

/// Refuses what is there and special; of a path into an archive the archive is looked at.
fn refuse_one(path: &Path) -> Result<(), HeightError> {
    let found = fs::metadata(path);
    if found.as_ref().is_err_and(|error| error.kind() == ErrorKind::NotADirectory) {
        return path.parent().map_or(Ok(()), refuse_one);
    }
    match found.map(|found| found.file_type()) {
        Ok(kind) if is_special(kind) => Err(HeightError::NoFile { file: path.into(), kind: in_words(kind) }),
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn in_words(kind: fs::FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    match () {
        () if kind.is_fifo() => "a pipe",
        () if kind.is_socket() => "a socket",
        () => "a device",
    }
}

#[cfg(not(unix))]
fn in_words(_kind: fs::FileType) -> &'static str {
    "a device"
}

/// A name, and what may be paths in it: `/vsigzip//a.tif`, `/vsisubfile/0_10,a.tif`, `/vsizip/{a.zip}/b.tif`, `NETCDF:"a.nc":z`,
/// `vrt://a.tif?bands=1`. Most of them are nothing, which does no harm.
fn paths_in(name: &Path) -> Vec<PathBuf> {
    let mut paths = vec![name.to_path_buf()];
    let Some(text) = name.to_str().filter(|text| text.len() <= LONGEST_NAME && !text.trim_start().starts_with('<'))
    else {
        return paths;
    };
    if !text.starts_with("/vsi") && !text.contains(':') {
        return paths;
    }
    let behind_marks = text.match_indices([':', ',', '"', '=', '{']).map(|(at, _)| at + 1);
    let behind_slashes = text.match_indices("://").map(|(at, _)| at + 3);
    let behind_systems = text.match_indices("/vsi").filter_map(|(at, _)| Some(at + 2 + text[at + 1..].find('/')?));
    // Lazily: a long name of nothing but marks has millions.
    let within = behind_systems.chain(behind_slashes).chain(behind_marks).flat_map(|start| {
        let ends = text[start..].match_indices(['"', '?', '}', ':']).map(move |(at, _)| start + at);
        let parts = ends.chain([text.len()]).filter(move |end| *end > start).map(move |end| text[start..end].into());
        // In braces is only the archive's own name.
        parts.chain([PathBuf::from(text[start..].replace(['{', '}'], ""))])
    });
    paths.extend(within.take(MOST_PATHS - 1));
    paths
}

/// Paths of the files that GDAL opens beside a raster, if they are there.
fn sidecars_of(raster: &Path) -> Vec<PathBuf> {
    let (Some(name), Some(stem)) = (raster.file_name(), raster.file_stem()) else { return Vec::new() };
    let mut names: Vec<OsString> = Vec::with_capacity(128);
    let mut add = |before: &std::ffi::OsStr, after: &str| {
        for after in [after.to_owned(), after.to_ascii_uppercase()] {
            let mut name = before.to_owned();
            name.push(after);
            names.push(name);
        }
    };
    AFTER_NAME.iter().for_each(|after| add(name, after));
    AFTER_STEM.iter().for_each(|after| add(stem, after));
    names.extend(of_satellites(&stem.to_string_lossy()).into_iter().map(OsString::from));
    names.into_iter().map(|name| raster.with_file_name(name)).collect()
}

/// Names that pictures of satellites have beside them, by that of a picture without its ending.
fn of_satellites(stem: &str) -> Vec<String> {
    // ALOS; GDAL looks for it beside every raster.
    let mut names = vec!["summary.txt".to_owned(), "SUMMARY.TXT".to_owned()];
    let lower = stem.to_ascii_lowercase();
    let before = |mark: &str| lower.find(mark).and_then(|at| stem.get(..at));
    // A band of Landsat, a colour of GeoEye, a tile of EROS.
    names.extend(before("_b").into_iter().flat_map(|stem| [format!("{stem}_MTL.txt"), format!("{stem}_MTL.TXT")]));
    let colour = before("_rgb_").or_else(|| before("_pan_"));
    names.extend(
        colour.into_iter().flat_map(|stem| ["_metadata.txt", "_METADATA.txt"].map(|end| format!("{stem}{end}"))),
    );
    names.push(format!("{stem}_MTL.txt"));
    names.push(format!("{stem}_METADATA.txt"));
    if let Some((stem, _)) = stem.rsplit_once('.') {
        names.extend([".pass", ".PASS", ".rpc", ".RPC"].map(|end| format!("{stem}{end}")));
    }
    if lower.starts_with("imagery") {
        names.extend(["METADATA.DIM", "metadata.dim"].map(str::to_owned));
    }
    // IMG-x.tif has HDR-x.txt and RPC-x.txt, IMG_x_R1C1.tif has DIM_x.XML and RPC_x.XML.
    for rest in [3, 6].into_iter().filter_map(|at| stem.get(at..)) {
        for kind in ["HDR", "RPC"] {
            names.extend(["txt", "TXT"].map(|end| format!("{kind}{rest}.{end}")));
        }
    }
    if let Some(rest) = stem.get(4..) {
        let rests = [Some(rest), rest.rsplit_once('_').map(|(rest, _)| rest)];
        names.extend(
            rests.into_iter().flatten().flat_map(|rest| ["DIM", "RPC"].map(|kind| format!("{kind}_{rest}.XML"))),
        );
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: the path is found in every name that wraps it.
    #[test]
    fn paths_in_names() {
        for name in [
            "/a/p.tif",
            "/vsigzip//a/p.tif",
            "/vsisubfile/0,/a/p.tif",
            "/vsisubfile/12_34,/a/p.tif",
            "/vsitar//vsigzip//a/p.tif",
            "/vsizip/{/a/p.tif}/b.tif",
            "/vsicrypt/key=x,file=/a/p.tif",
            "NETCDF:\"/a/p.tif\":z",
            "NETCDF:/a/p.tif:z",
            "GTIFF_DIR:1:/a/p.tif",
            "vrt:///a/p.tif?bands=1",
            "/vsizip/{/vsigzip//a/p.tif}/b.tif",
        ] {
            assert!(paths_in(Path::new(name)).contains(&PathBuf::from("/a/p.tif")), "{name}");
        }
        assert_eq!(paths_in(Path::new("a,b=1.tif")), [PathBuf::from("a,b=1.tif")]);
        let long = PathBuf::from(format!("/vsizip/{}", ":".repeat(4000)));
        assert!(paths_in(&long).len() <= MOST_PATHS);
    }
}
