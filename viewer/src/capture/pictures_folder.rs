//! Into which folder does the window save pictures? The one of the settings, else the user's folder of pictures, else the current one.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use bevy_ecs::resource::Resource;

/// The folder; empty for the current one.
#[derive(Resource, Debug, Clone, Default, PartialEq, Eq)]
pub struct PicturesFolder(pub PathBuf);

impl PicturesFolder {
    /// That of the settings, where `~` is the user's own folder, whether or not it is there. Without one `XDG_PICTURES_DIR` of
    /// `user-dirs.dirs`, else `Pictures` in the user's own folder, else the current folder: the first of them that is there.
    pub fn of_user(chosen: Option<&str>) -> PicturesFolder {
        let (home, var) = (std::env::home_dir(), |name: &str| std::env::var_os(name));
        let home = home.as_deref().filter(|home| home.is_absolute());
        PicturesFolder(chosen.map_or_else(|| default_folder(home, &var), |chosen| expanded(chosen, home)))
    }
}

/// A path whose `~` is the user's own folder.
fn expanded(path: &str, home: Option<&Path>) -> PathBuf {
    let below = path.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with(std::path::is_separator));
    match (below, home) {
        (Some(below), Some(home)) => home.join(below.trim_start_matches(std::path::is_separator)),
        _ => PathBuf::from(path),
    }
}

/// The first folder that is there.
fn default_folder(home: Option<&Path>, var: &dyn Fn(&str) -> Option<OsString>) -> PathBuf {
    let Some(home) = home else { return PathBuf::new() };
    let config = var("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let dirs = config.unwrap_or_else(|| home.join(".config")).join("user-dirs.dirs");
    let named =
        foreign::read_small(&dirs, MOST_BYTES).ok().and_then(|text| of_xdg(&String::from_utf8_lossy(&text), home));
    let folders = named.into_iter().chain([home.join("Pictures")]);
    folders.into_iter().find(|folder| folder.is_dir()).unwrap_or_default()
}

/// A file of more bytes is none of the XDG user directories.
const MOST_BYTES: u64 = 1 << 16;

/// What `user-dirs.dirs` says of pictures: lines of a shell, of paths that are absolute or begin with `$HOME`, in quotes with
/// backslashes before signs that a shell would read. A user who wants no such folder has `$HOME` itself there.
fn of_xdg(text: &str, home: &Path) -> Option<PathBuf> {
    let value = text.lines().filter_map(|line| line.trim_start().strip_prefix("XDG_PICTURES_DIR=")).next_back()?;
    let mut signs = value.trim_start().strip_prefix('"')?.chars();
    let mut path = String::new();
    loop {
        match signs.next()? {
            '"' => break,
            '\\' => path.push(signs.next()?),
            sign => path.push(sign),
        }
    }
    let below = path.strip_prefix("$HOME").filter(|rest| rest.is_empty() || rest.starts_with('/'));
    let folder = below.map_or_else(|| PathBuf::from(&path), |below| home.join(below.trim_start_matches('/')));
    (folder.is_absolute() && folder != home).then_some(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: the folder that the file names is the user's if it is there, else `Pictures`, else the current one; what is no line of such
    /// a file names none.
    #[test]
    fn pictures_go_where_the_user_has_them() {
        let home = tempfile::tempdir().expect("temporary folder");
        let (home, config) = (home.path(), home.path().join("config"));
        let folder =
            || default_folder(Some(home), &|name| (name == "XDG_CONFIG_HOME").then(|| config.clone().into_os_string()));
        assert_eq!((folder(), default_folder(None, &|_| None)), (PathBuf::new(), PathBuf::new()));
        for name in ["config", "Pictures", "Bilder \"neu\" $1"] {
            std::fs::create_dir(home.join(name)).expect("a folder");
        }
        assert_eq!(folder(), home.join("Pictures"));
        let absolute = format!("XDG_PICTURES_DIR=\"{}/config\"\n", home.display());
        for (text, expected) in [
            ("# XDG_PICTURES_DIR=\"$HOME/config\"\nXDG_MUSIC_DIR=\"$HOME/config\"\n", "Pictures"),
            ("XDG_PICTURES_DIR=\"$HOME/Bilder \\\"neu\\\" \\$1\"\n", "Bilder \"neu\" $1"),
            ("XDG_PICTURES_DIR=\"$HOME/none\"\n  XDG_PICTURES_DIR= \"$HOME/config\"  # the last one\r\n", "config"),
            (&absolute, "config"),
            ("XDG_PICTURES_DIR=\"$HOME/\"\n", "Pictures"),
            ("XDG_PICTURES_DIR=\"$HOME/gone\"\n", "Pictures"),
            ("XDG_PICTURES_DIR=\"relative\"\n", "Pictures"),
            ("XDG_PICTURES_DIR=\"$HOME/config\n", "Pictures"),
            ("XDG_PICTURES_DIR=\"$HOME/config\\", "Pictures"),
            ("XDG_PICTURES_DIR=$HOME/config", "Pictures"),
        ] {
            std::fs::write(config.join("user-dirs.dirs"), text).expect("written");
            assert_eq!(folder(), home.join(expected), "{text}");
        }
    }

    /// Law: the folder of the settings is taken as it is, but for the user's own folder at its beginning.
    #[test]
    fn a_chosen_folder_is_taken() {
        let home = Path::new("/users/me");
        for (chosen, expected) in [
            ("~", "/users/me"),
            ("~/a/b", "/users/me/a/b"),
            ("~you/a", "~you/a"),
            ("/x", "/x"),
            (".", "."),
            ("a/~", "a/~"),
        ] {
            assert_eq!(expanded(chosen, Some(home)), Path::new(expected));
        }
        assert_eq!(expanded("~/a", None), Path::new("~/a"));
    }
}
