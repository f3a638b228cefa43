//! Which files does a list name? One a line, relative to the folder of the list; `#` begins a comment.

use std::path::{Path, PathBuf};

/// Most bytes of a list: some hundred thousand files.
pub const MOST_BYTES: u64 = 64 << 20;

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
