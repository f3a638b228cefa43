//! Which files are in a folder or a list? Those that are rasters in a place; the others are counted.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::error::HeightError;

/// Most bytes of a list: some hundred thousand files.
const MOST_LIST_BYTES: u64 = 64 << 20;

/// Rasters in a folder and the folders in it, or in a list (a text file of one path a line, given as `@FILE`); with the
/// number of files that were left out because they are no rasters in a place.
pub(crate) fn files_of(
    path: &Path,
    usable: &(dyn Fn(&Path) -> Result<(), HeightError> + Sync),
) -> Result<Found, HeightError> {
    let unreadable = |file: &Path, e: std::io::Error| HeightError::Read { file: file.into(), reason: e.to_string() };
    if let Some(list) = path.to_str().and_then(|name| name.strip_prefix('@')) {
        let list = Path::new(list);
        let text = foreign::read_small_text(list, MOST_LIST_BYTES).map_err(|e| unreadable(list, e))?;
        let folder = list.parent().unwrap_or(Path::new(""));
        return Ok(Found { files: foreign::list::files(&text, folder).collect(), left_out: 0 });
    }
    let mut all = Vec::new();
    let mut folders = vec![path.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).map_err(|e| unreadable(&folder, e))? {
            let entry = entry.map_err(|e| unreadable(&folder, e))?.path();
            if entry.is_dir() { folders.push(entry) } else { all.push(entry) }
        }
    }
    // The order of a folder is nobody's intention.
    all.sort();
    let (files, refused): (Vec<_>, Vec<_>) =
        all.into_par_iter().map(|file| (usable(&file), file)).partition_map(|(result, file)| match result {
            Ok(()) => rayon::iter::Either::Left(file),
            Err(error) => rayon::iter::Either::Right((file, error)),
        });
    // A file that should be like the others and is not must not be passed over in silence.
    let is_used = |file: &Path| files.iter().any(|used: &PathBuf| used.extension() == file.extension());
    if let Some((_, error)) = refused.iter().find(|(file, _)| is_used(file)) {
        return Err(error.clone());
    }
    Ok(Found { files, left_out: refused.len() })
}

/// Files of a folder or list.
pub(crate) struct Found {
    pub files: Vec<PathBuf>,
    pub left_out: usize,
}
