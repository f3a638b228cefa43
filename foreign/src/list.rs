//! Which files does a list name? One a line, relative to the folder of the list; `#` begins a comment.

use std::{
    io::Result,
    path::{Path, PathBuf},
};

use crate::read_small_text;

/// Most bytes of a list: some hundred thousand files.
const MOST_BYTES: u64 = 64 << 20;

/// The list that a name like `@files.txt` stands for; none of another name.
///
/// ```
/// use std::path::Path;
/// assert_eq!(foreign::list::named("@dem/files.txt".as_ref()), Some(Path::new("dem/files.txt")));
/// assert_eq!(foreign::list::named("dem/files.txt".as_ref()), None);
/// ```
pub fn named(name: &Path) -> Option<&Path> {
    name.to_str().and_then(|name| name.strip_prefix('@')).map(Path::new)
}

/// The files of a list, as [`files`] has them.
///
/// ```
/// let list = std::env::temp_dir().join(format!("list-{}.txt", std::process::id()));
/// std::fs::write(&list, "a.tif\n")?;
/// assert_eq!(foreign::list::read(&list)?, [std::env::temp_dir().join("a.tif")]);
/// # std::fs::remove_file(&list)?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// As [`read_small_text`]: what is no text, or has more than 64 MiB.
pub fn read(list: &Path) -> Result<Vec<PathBuf>> {
    let text = read_small_text(list, MOST_BYTES)?;
    Ok(files(&text, list.parent().unwrap_or(Path::new(""))).collect())
}

/// What a name in a file that lies in `folder` stands for.
///
/// ```
/// use std::path::Path;
/// assert_eq!(foreign::list::relative_to("a.tif", "dem".as_ref()), Path::new("dem/a.tif"));
/// assert_eq!(foreign::list::relative_to("/vsizip/b.zip/b.tif", "dem".as_ref()), Path::new("/vsizip/b.zip/b.tif"));
/// ```
pub fn relative_to(name: &str, folder: &Path) -> PathBuf {
    if name.starts_with("/vsi") || name.contains("://") { name.into() } else { folder.join(name) }
}

/// The files of a list that lies in `folder`. Names that only GDAL understands stand as they are. A byte order mark is passed over.
///
/// ```
/// let files = foreign::list::files("\u{feff}# alps\na.tif\n/vsizip/b.zip/b.tif\n", "dem".as_ref());
/// assert!(files.eq(["dem/a.tif", "/vsizip/b.zip/b.tif"].map(std::path::PathBuf::from)));
/// ```
pub fn files(text: &str, folder: &Path) -> impl Iterator<Item = PathBuf> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| relative_to(line, folder))
}
