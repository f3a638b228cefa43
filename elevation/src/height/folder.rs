//! Which files are in a folder or a list? Those that are rasters in a place; the others are counted.

use std::{
    ffi::OsStr,
    fmt::Display,
    path::{Path, PathBuf},
};

use foreign::list;
use rustc_hash::FxHashSet;

use super::{
    error::HeightError,
    headers::{self, Header, HeightCheck},
    options::OpenOptions,
};

/// Rasters of a folder or list.
pub(crate) struct FolderRasters {
    /// What their headers say.
    pub files: Vec<(PathBuf, Header)>,
    /// Files that are no rasters in a place.
    pub left_out: usize,
    /// Why files were left out that should be like the others.
    pub bad: Vec<(PathBuf, HeightError)>,
}

/// Rasters in a folder and the folders in it, or in a list (a text file of one path a line, given as `@FILE`), with remarks on some of them.
///
/// # Errors
/// A folder or list that cannot be read; of a file that should be like the others, unless it is to be skipped.
pub(crate) fn rasters_of(
    path: &Path,
    options: &OpenOptions,
    look: &HeightCheck<'_>,
) -> Result<FolderRasters, HeightError> {
    let all = files_of(path)?;
    let headers = headers::of_files(path, &all, options, look);
    let (mut files, mut refused) = (Vec::new(), Vec::new());
    for (file, header) in all.into_iter().zip(headers) {
        match header {
            Ok(header) => files.push((file, header)),
            Err(error) => refused.push((file, error)),
        }
    }
    let (bad, others): (Vec<_>, Vec<_>) = {
        let should_be = should_be_good(path, files.iter().map(|(file, _)| file.as_path()));
        refused.into_iter().partition(|(file, _)| should_be(file))
    };
    if let Some((_, first)) = bad.first().filter(|_| !options.skip_bad) {
        return Err(HeightError::Bad { first: Box::new(first.clone()), others: bad.len() - 1 });
    }
    Ok(FolderRasters { files, left_out: others.len(), bad })
}

/// Whether a file that cannot be used should be like the good ones, and must not be passed over in silence: all of a list should be, and of a
/// folder those with the ending of a good one, in small letters or capitals.
pub(super) fn should_be_good<'a>(path: &Path, good: impl Iterator<Item = &'a Path>) -> impl Fn(&Path) -> bool {
    let ending = |file: &Path| file.extension().map(OsStr::to_ascii_lowercase);
    let is_list = list::named(path).is_some();
    let endings: FxHashSet<_> = good.map(ending).collect();
    move |file| is_list || endings.contains(&ending(file))
}

/// Whether a name is that of a folder or list.
pub(super) fn is_multi_file(path: &Path) -> bool {
    path.is_dir() || list::named(path).is_some()
}

/// A remark on damaged files that were left out: the first by their names, and what is wrong with the first of them.
pub(super) fn damaged<E: Display>(bad: &[(PathBuf, E)]) -> Option<String> {
    const MOST_NAMED: usize = 5;
    let (_, reason) = bad.first()?;
    let name = |(file, _): &(PathBuf, E)| {
        foreign::sanitized(&file.file_name().unwrap_or(file.as_os_str()).to_string_lossy()).to_string()
    };
    let mut names: Vec<String> = bad.iter().take(MOST_NAMED).map(name).collect();
    let last = match bad.len() - names.len() {
        0 => names.pop().unwrap_or_default(),
        more => format!("{more} more"),
    };
    let (files, names) = match &names[..] {
        [] => ("file in it is", last),
        some => ("files in it are", format!("{} and {last}", some.join(", "))),
    };
    Some(format!("{} damaged {files} left out, {names}: {reason}", bad.len()))
}

/// All files in a folder, but for hidden ones, or in a list, in an order that is always the same.
pub(super) fn files_of(path: &Path) -> Result<Vec<PathBuf>, HeightError> {
    let unreadable = |file: &Path, e: std::io::Error| HeightError::Read { file: file.into(), reason: e.to_string() };
    if let Some(list) = list::named(path) {
        if !list.exists() {
            return Err(HeightError::Missing { file: path.into() });
        }
        return list::read(list).map_err(|e| unreadable(list, e));
    }
    let mut all = Vec::new();
    let mut folders = vec![path.to_path_buf()];
    // A link may lead back to a folder that holds it.
    let mut visited = FxHashSet::default();
    while let Some(folder) = folders.pop() {
        let metadata = std::fs::metadata(&folder).map_err(|e| unreadable(&folder, e))?;
        if !visited.insert(identity(&folder, &metadata)) {
            continue;
        }
        for entry in std::fs::read_dir(&folder).map_err(|e| unreadable(&folder, e))? {
            let entry = entry.map_err(|e| unreadable(&folder, e))?.path();
            // macOS leaves "._a.tif" beside a.tif.
            if entry.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")) {
                continue;
            }
            match std::fs::metadata(&entry) {
                Ok(metadata) if metadata.is_dir() => folders.push(entry),
                // A pipe would be waited for, a device read without end.
                Ok(metadata) if !metadata.is_file() => {}
                // Of a link that leads nowhere too: if others of its ending are rasters, it should be one.
                _ => all.push(entry),
            }
        }
    }
    // The order of a folder is nobody's intention.
    all.sort();
    Ok(all)
}

/// What is the same for two names of one folder.
#[cfg(unix)]
fn identity(_folder: &Path, metadata: &std::fs::Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt as _;
    (metadata.dev(), metadata.ino())
}

/// What is the same for two names of one folder.
#[cfg(not(unix))]
fn identity(folder: &Path, _metadata: &std::fs::Metadata) -> PathBuf {
    std::fs::canonicalize(folder).unwrap_or_else(|_| folder.into())
}
