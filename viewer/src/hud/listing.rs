//! What lies in a folder, and what of it does a typed path mean? Read beside the flight, since a folder may be on a slow disk.

use std::fs::DirEntry;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

/// Most entries of a folder that are listed.
pub(super) const MOST_ENTRIES: usize = 20_000;

/// A file or folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListedFile {
    /// Its name, as far as it is text.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// Whether it holds others.
    pub is_folder: bool,
}

/// What lies in a folder: folders first, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListedFolder {
    /// Of more than [`MOST_ENTRIES`] some.
    pub files: Vec<ListedFile>,
    /// Whether there are more.
    pub is_cut: bool,
}

/// What lies in a folder, else why nothing is known of it.
pub(super) type Listing = Result<ListedFolder, String>;

/// Reads a folder.
pub(super) fn list(folder: &Path) -> Listing {
    list_most(folder, MOST_ENTRIES)
}

/// Reads so many entries of a folder.
fn list_most(folder: &Path, most: usize) -> Listing {
    let unreadable = |error: std::io::Error| format!("{}: {error}", foreign::sanitized(&folder.to_string_lossy()));
    let entries = std::fs::read_dir(folder).map_err(unreadable)?;
    let of = |entry: DirEntry| {
        let path = entry.path();
        // A link is what it leads to.
        ListedFile { name: entry.file_name().to_string_lossy().into_owned(), is_folder: path.is_dir(), path }
    };
    let mut entries = entries.flatten();
    let mut files: Vec<ListedFile> = entries.by_ref().take(most).map(of).collect();
    let is_cut = entries.next().is_some();
    files.sort_by_cached_key(|file| (!file.is_folder, file.name.to_lowercase(), file.name.clone()));
    Ok(ListedFolder { files, is_cut })
}

/// A typed path as the folder it lies in and the beginning of a name there. `~` is the user's own folder.
pub(super) fn typed(text: &str) -> (PathBuf, &str) {
    let end = text.rfind(std::path::is_separator).map_or(0, |at| at + 1);
    let (folder, name) = text.split_at(end);
    let of_user = folder.strip_prefix('~').filter(|rest| rest.starts_with(std::path::is_separator));
    let folder = match (of_user, std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest.trim_start_matches(std::path::is_separator)),
        _ if folder.is_empty() => PathBuf::from("."),
        _ => PathBuf::from(folder),
    };
    (folder, name)
}

/// A whole path that was typed or pasted behind the text of a folder, in place of which it is meant: it begins with a separator, or with `~`
/// and one.
pub(super) fn begun_anew<'a>(before: &str, now: &'a str) -> Option<&'a str> {
    let begins = |text: &str| text.starts_with(std::path::is_separator);
    let folder = before.strip_suffix('~').unwrap_or(before);
    let added = now.strip_prefix(folder).filter(|_| folder.ends_with(std::path::is_separator))?;
    (begins(added) || added.strip_prefix('~').is_some_and(begins)).then_some(added)
}

/// A folder as the beginning of a path that is typed on.
pub(super) fn text_of(folder: &Path) -> String {
    let mut text = folder.to_string_lossy().into_owned();
    if !text.is_empty() && !text.ends_with(std::path::is_separator) {
        text.push(MAIN_SEPARATOR);
    }
    text
}

/// Files whose names begin as what is typed, else those that have it inside, in any case of letters. Hidden ones are meant by a dot alone.
pub(super) fn fitting<'a>(files: &'a [ListedFile], name: &str) -> Vec<&'a ListedFile> {
    let typed = name.to_lowercase();
    let shown = |file: &&ListedFile| typed.starts_with('.') || !file.name.starts_with('.');
    let with = |fits: &dyn Fn(&str) -> bool| {
        files.iter().filter(shown).filter(|file| fits(&file.name.to_lowercase())).collect::<Vec<_>>()
    };
    let beginning = with(&|name| name.starts_with(&typed));
    if beginning.is_empty() { with(&|name| name.contains(&typed)) } else { beginning }
}

/// The longest beginning that all names have: no shorter than what is typed, if that is the beginning of all of them.
pub(super) fn completed(files: &[&ListedFile]) -> Option<String> {
    let (first, rest) = files.split_first()?;
    let common = |a: &str, b: &str| {
        let same = |(x, y): &(char, char)| x.to_lowercase().eq(y.to_lowercase());
        a.chars().zip(b.chars()).take_while(same).map(|(x, _)| x).collect::<String>()
    };
    Some(rest.iter().fold(first.name.clone(), |all, file| common(&all, &file.name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(files: &[&ListedFile]) -> Vec<String> {
        files.iter().map(|file| file.name.clone()).collect()
    }

    /// Law: folders come first, then files, by name in any case of letters; a folder that is none says why in one line.
    #[test]
    fn a_folder_is_listed_in_order() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["b.tif", "A.tif", ".hidden", "ä.gpkg"] {
            std::fs::write(folder.path().join(name), "").expect("written");
        }
        ["z", "Y"].into_iter().for_each(|name| std::fs::create_dir(folder.path().join(name)).expect("made"));
        let ListedFolder { files, is_cut } = list(folder.path()).expect("listed");
        let all: Vec<&ListedFile> = files.iter().collect();
        assert_eq!(names(&all), ["Y", "z", ".hidden", "A.tif", "b.tif", "ä.gpkg"]);
        assert_eq!((files.iter().filter(|file| file.is_folder).count(), is_cut), (2, false));
        let cut = [5, 6].map(|most| list_most(folder.path(), most).map(|listed| (listed.files.len(), listed.is_cut)));
        assert_eq!(cut, [Ok((5, true)), Ok((6, false))]);
        for none in ["nowhere", "b.tif"] {
            let why = list(&folder.path().join(none)).expect_err("no folder");
            assert!(why.contains(none) && !why.contains('\n'), "{why}");
        }
    }

    /// Law: what is typed behind a folder begins anew with a separator, or with `~` and one; what is typed elsewhere does not.
    #[test]
    fn a_path_begins_anew_behind_a_folder() {
        for (before, now, anew) in [
            ("/data/", "/data//srv/a.tif", Some("/srv/a.tif")),
            ("/data/", "/data//", Some("/")),
            ("/data/", "/data//mnt//x/a.tif", Some("/mnt//x/a.tif")),
            ("/data/~", "/data/~/", Some("~/")),
            ("/data/", "/data/~/a.tif", Some("~/a.tif")),
            ("/data/", "/data/~a.tif", None),
            ("/data/dem/a.tif", "/data//dem/a.tif", None),
            ("/data", "/data/", None),
            ("", "/", None),
            ("/data/é/", "/data/é/a.tif", None),
        ] {
            assert_eq!(begun_anew(before, now), anew, "{before} {now}");
        }
    }

    /// Law: a path is the folder before its last separator and what is typed behind it, whatever is typed; together they are the path.
    #[test]
    fn a_path_is_a_folder_and_the_beginning_of_a_name() {
        assert_eq!(typed("jack"), (PathBuf::from("."), "jack"));
        assert_eq!(typed("/data/jack"), (PathBuf::from("/data/"), "jack"));
        assert_eq!(typed("/"), (PathBuf::from("/"), ""));
        assert_eq!(typed(""), (PathBuf::from("."), ""));
        if let Some(home) = std::env::home_dir() {
            assert_eq!(typed("~/dem/a"), (home.join("dem/"), "a"));
        }
        assert_eq!(typed("~b/a").0, PathBuf::from("~b/"));
        assert_eq!(text_of(Path::new("/data")), format!("/data{MAIN_SEPARATOR}"));
        assert_eq!((text_of(Path::new("/")), text_of(Path::new(""))), (String::from("/"), String::new()));
    }

    /// Law: names that begin as typed fit, else those that have it inside; hidden ones only by their dot; completing types what all have.
    #[test]
    fn what_is_typed_finds_names() {
        let files = ["jackson.gpx", "Jacksboro.tif", "jacksboro.json", ".jack", "black.tif"].map(|name| ListedFile {
            name: name.to_owned(),
            path: PathBuf::from(name),
            is_folder: false,
        });
        let found = |name: &str| names(&fitting(&files, name));
        assert_eq!(found("JACK"), ["jackson.gpx", "Jacksboro.tif", "jacksboro.json"]);
        assert_eq!(found("lack"), ["black.tif"]);
        assert_eq!(found(".j"), [".jack"]);
        assert_eq!((found("").len(), found("q").len()), (4, 0));
        let completed = |name: &str| completed(&fitting(&files, name));
        assert_eq!(completed("jack").as_deref(), Some("jacks"));
        assert_eq!(completed("jacksb").as_deref(), Some("Jacksboro."));
        assert_eq!((completed("lack").as_deref(), completed("q")), (Some("black.tif"), None));
    }
}
