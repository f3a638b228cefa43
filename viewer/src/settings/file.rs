//! Where are settings kept? In one small file of the user's; a bad one is set aside, one of others is left alone, and without one
//! the program works too.
//!
//! The file is `$OROGEN_SETTINGS`, or `orogen/settings.json` in `$XDG_CONFIG_HOME`, else in `~/.config` (on Windows in
//! `%APPDATA%`). An empty `OROGEN_SETTINGS` keeps nothing.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use foreign::settings::Settings;

use crate::bookmarks::MOST_BOOKMARKS;
use crate::capture::{AtomicFile, lock_folder};
use crate::overlays::Overlays;

/// A file of more bytes is none of this program's.
const MOST_BYTES: u64 = 1 << 20;

/// What went wrong with the file. The flight goes on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// It is no settings file of this version.
    #[error("settings {path}: {}; set aside as {aside}, flying with the usual ones", foreign::sanitized(.why))]
    Bad {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
        /// Where it is now.
        aside: PathBuf,
    },
    /// It is somebody else's file, which `OROGEN_SETTINGS` names.
    #[error("settings {path}: {}; it is left as it is, and nothing is kept of this flight: OROGEN_SETTINGS has to name another", foreign::sanitized(.why))]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// It cannot be read, or a bad one cannot be moved.
    #[error("settings {path} cannot be read: {why}; nothing is kept of this flight")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: String,
    },
    /// Other windows have kept as many bookmarks as there may be.
    #[error(
        "settings {path}: other windows have kept {MOST_BOOKMARKS} bookmarks, {lost} of this one are not kept: forget some in the search, then start again"
    )]
    Full {
        /// The file.
        path: PathBuf,
        /// Bookmarks that had no room.
        lost: usize,
    },
    /// It cannot be written.
    #[error("settings {path} cannot be written: {why}; nothing is kept of this flight")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: String,
    },
}

/// The file, which may not exist yet.
#[derive(Debug, Clone, PartialEq)]
pub struct SettingsFile {
    path: PathBuf,
    /// Whether the place itself says that it is this program's.
    is_usual: bool,
}

/// The settings that were read.
#[derive(Debug)]
pub struct OpenedSettings {
    /// What was kept.
    pub settings: Settings,
    /// Where to keep them; none if nothing is to be kept.
    pub file: Option<SettingsFile>,
    /// What to tell the user.
    pub warning: Option<SettingsError>,
}

impl OpenedSettings {
    /// Nothing was kept, and nothing is to be.
    pub fn empty() -> OpenedSettings {
        OpenedSettings { settings: Settings::default(), file: None, warning: None }
    }
}

/// The settings as they were written.
#[derive(Debug)]
pub struct WrittenSettings {
    /// What is kept.
    pub kept: Settings,
    /// What to tell the user.
    pub warning: Option<SettingsError>,
}

impl SettingsFile {
    /// The file of the user whose environment this is; none where there is no place for one.
    pub fn of_user() -> Option<SettingsFile> {
        let var = |name: &str| std::env::var_os(name);
        path_of(&var)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file at a path of the user's choice.
    pub fn at(path: impl Into<PathBuf>) -> SettingsFile {
        SettingsFile { path: path.into(), is_usual: false }
    }

    /// Reads what was kept. A missing file has kept nothing; a bad one is moved aside, if it lies in the usual place or says that
    /// it is settings; any other, and one that cannot be read or moved, is left alone, and nothing is kept.
    pub fn open(self) -> OpenedSettings {
        let path = self.path.clone();
        let unreadable = |why: io::Error| OpenedSettings {
            settings: Settings::default(),
            file: None,
            warning: Some(SettingsError::Read { path: path.clone(), why: why.to_string() }),
        };
        let bytes = match foreign::read_small(&self.path, MOST_BYTES) {
            Ok(bytes) => Ok(bytes),
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => Err(error.to_string()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return OpenedSettings { settings: Settings::default(), file: Some(self), warning: None };
            }
            Err(error) => return unreadable(error),
        };
        let is_ours = self.is_usual || bytes.as_ref().is_ok_and(|bytes| Settings::is_named_in(bytes));
        match bytes.and_then(|bytes| parse(&bytes)) {
            Ok(settings) => OpenedSettings { settings, file: Some(self), warning: None },
            Err(why) if !is_ours => OpenedSettings {
                settings: Settings::default(),
                file: None,
                warning: Some(SettingsError::Foreign { path: self.path, why }),
            },
            Err(why) => {
                let aside = match set_aside(&self.path) {
                    Ok(aside) => aside,
                    Err(error) => return unreadable(error),
                };
                let warning = SettingsError::Bad { path: self.path.clone(), why, aside };
                OpenedSettings { settings: Settings::default(), file: Some(self), warning: Some(warning) }
            }
        }
    }

    /// What was kept, if that can be read; the file stays as it is, however bad.
    pub fn peek(&self) -> Option<Settings> {
        foreign::read_small(&self.path, MOST_BYTES).ok().and_then(|bytes| parse(&bytes).ok())
    }

    /// Changes what the file holds now by what changed from `start` to `now`; where there is a bad file, what is `known` of it.
    ///
    /// # Errors
    /// Of a file that is none of this program's, or cannot be read or written.
    pub fn change(&self, known: &Settings, start: &Settings, now: &Settings) -> Result<WrittenSettings, SettingsError> {
        let _only = lock_folder(&self.path);
        let OpenedSettings { settings, file, warning } = self.clone().open();
        let (base, mut warning) = match (file, warning) {
            (None, Some(warning)) => return Err(warning),
            (_, Some(warning)) => (known, Some(warning)),
            (_, None) => (&settings, None),
        };
        let mut kept = base.with_changes(start, now);
        if let Some(lost) = kept.bookmarks.as_mut().map(|all| all.drain(MOST_BOOKMARKS.min(all.len())..).count())
            && lost > 0
        {
            warning = warning.or(Some(SettingsError::Full { path: self.path.clone(), lost }));
        }
        self.save(&kept)?;
        Ok(WrittenSettings { kept, warning })
    }

    /// Keeps settings, whole or not at all.
    ///
    /// # Errors
    /// [`SettingsError::Write`] with what the system says.
    pub fn save(&self, settings: &Settings) -> Result<(), SettingsError> {
        let write = || -> io::Result<()> {
            if let Some(folder) = self.path.parent().filter(|folder| *folder != Path::new("")) {
                std::fs::create_dir_all(folder)?;
            }
            let mut out = AtomicFile::create(&self.path)?;
            out.write_all(settings.to_json()?.as_bytes())?;
            out.commit()
        };
        write().map_err(|error| SettingsError::Write { path: self.path.clone(), why: error.to_string() })
    }
}

/// Moves a file beside itself, to a name that no other has: what was set aside before stays.
fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let name = |number: u32| match number {
        1 => path.with_extension("json.bad"),
        _ => path.with_extension(format!("json.bad{number}")),
    };
    let free = (1..=u32::MAX).map(name).find(|aside| aside.symlink_metadata().is_err());
    let aside = free.ok_or_else(|| io::Error::other("all names to set it aside are taken"))?;
    std::fs::rename(path, &aside)?;
    Ok(aside)
}

fn parse(bytes: &[u8]) -> Result<Settings, String> {
    Settings::from_json(bytes, |names| Overlays::of_names(names).map(|_| ()))
}

/// By the XDG Base Directory Specification, where a relative path counts as none.
fn path_of(var: &dyn Fn(&str) -> Option<OsString>) -> Option<SettingsFile> {
    if let Some(named) = var("OROGEN_SETTINGS") {
        return (!named.is_empty()).then(|| SettingsFile::at(named));
    }
    let absolute = |name: &str| var(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = absolute("XDG_CONFIG_HOME")
        .or_else(|| absolute("APPDATA").filter(|_| cfg!(windows)))
        .or_else(|| absolute("HOME").map(|home| home.join(".config")))?;
    Some(SettingsFile { path: folder.join("orogen").join("settings.json"), is_usual: true })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_file_is_where_xdg_says() {
        let path = |vars: &[(&str, &str)]| {
            let var = |name: &str| vars.iter().find(|(n, _)| *n == name).map(|(_, value)| OsString::from(value));
            path_of(&var).map(|file| {
                assert_eq!(file.is_usual, var("OROGEN_SETTINGS").is_none());
                file.path
            })
        };
        assert_eq!(path(&[("HOME", "/h")]), Some(PathBuf::from("/h/.config/orogen/settings.json")));
        assert_eq!(path(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "/c")]), Some(PathBuf::from("/c/orogen/settings.json")));
        assert_eq!(
            path(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "relative")]),
            Some(PathBuf::from("/h/.config/orogen/settings.json"))
        );
        assert_eq!(path(&[("HOME", "/h"), ("OROGEN_SETTINGS", "x.json")]), Some(PathBuf::from("x.json")));
        assert_eq!((path(&[("HOME", "/h"), ("OROGEN_SETTINGS", "")]), path(&[])), (None, None));
    }

    #[test]
    fn what_is_kept_is_found_again() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let file = SettingsFile::at(folder.path().join("new/folder/settings.json"));
        let opened = file.clone().open();
        assert!(opened.settings == Settings::default() && opened.warning.is_none());
        let settings = Settings::default().with_pixel_error(Some(0.7)).with_figures(Some(String::from("times")));
        opened.file.expect("a place").save(&settings).expect("kept");
        let again = file.open();
        assert!(again.settings == settings && again.warning.is_none());
    }

    /// The file in the usual place.
    fn usual(path: &Path) -> SettingsFile {
        SettingsFile { path: path.into(), is_usual: true }
    }

    /// Law: a file that is named by mistake and never said that it is settings is left as it is, and nothing is written there.
    #[test]
    fn files_of_others_stay() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("important.json");
        for theirs in
            ["{\"my\":\"important data\"}", "", "\u{0}\u{1b}[2J", "{\"format\":\"orogen-path\"}", &" ".repeat(3 << 20)]
        {
            std::fs::write(&path, theirs).expect("written");
            let opened = SettingsFile::at(&path).open();
            let warning = opened.warning.expect("trouble");
            assert!(matches!(warning, SettingsError::Foreign { .. }) && opened.file.is_none(), "{warning}");
            assert!(warning.to_string().contains("left as it is") && !warning.to_string().contains(char::is_control));
            assert_eq!(std::fs::read_to_string(&path).expect("there"), theirs);
        }
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    /// Law: a file that is no settings is told, moved aside whole, and replaced by the next one that is kept.
    #[test]
    fn a_bad_file_is_set_aside() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("settings.json");
        let contents = |version: u32, inside: &str| {
            format!("{{\"format\":\"orogen-settings\",\"version\":{version},\"settings\":{{{inside}}}}}")
        };
        for (bad, says) in [
            (String::from("{ not json"), "line 1"),
            (String::from("\u{0}\u{1}"), "line 1"),
            (contents(99, ""), "version 99"),
            (contents(1, "\"colour\":3"), "colour"),
            (contents(1, "\"fov_deg\":1000"), "fov_deg 1000"),
            (contents(1, "").replace("-settings", "-path"), "orogen-path"),
        ] {
            std::fs::write(&path, &bad).expect("written");
            let opened = usual(&path).open();
            let warning = opened.warning.expect("trouble").to_string();
            assert!(warning.contains(says) && warning.contains("json.bad"), "{warning}");
            assert!(opened.settings == Settings::default() && !path.exists());
            let aside = folder.path().join("settings.json.bad");
            assert_eq!(std::fs::read_to_string(&aside).expect("aside"), bad);
            std::fs::remove_file(aside).expect("removed");
            opened.file.expect("a place").save(&Settings::default()).expect("kept");
            assert!(SettingsFile::at(&path).open().warning.is_none());
        }
    }

    /// Settings as bytes, a few of them changed, taken out or put in, and cut at some place.
    fn damaged() -> impl Strategy<Value = Vec<u8>> {
        let whole = br#"{"format":"orogen-settings","version":1,"settings":{"pixel_error":0.7,"triangles":4096,"fov_deg":45.5,
"overlays":["slope","contours"],"sun":{"azimuth_deg":1.0,"elevation_deg":2.0},"speed":3e0,"frame_ms":16,"figures":"times"}}"#;
        let change = (0..whole.len(), any::<u8>(), 0..4u32);
        (prop::collection::vec(change, 0..6), 0..=2 * whole.len()).prop_map(|(changes, end)| {
            let mut bytes = whole.to_vec();
            for (at, byte, how) in changes {
                let at = at.min(bytes.len() - 1);
                match how {
                    0 => bytes[at] = byte,
                    1 => drop(bytes.remove(at)),
                    // A digit makes a number of another size.
                    2 => bytes.insert(at, b'0' + byte % 10),
                    _ => bytes.insert(at, byte),
                }
            }
            bytes.truncate(end);
            bytes
        })
    }

    /// JSON that is no settings file, of names and values of any characters.
    fn foreign_json() -> impl Strategy<Value = Vec<u8>> {
        (any::<String>(), any::<String>(), any::<f64>(), any::<i64>(), 0..6u32).prop_map(
            |(name, text, number, whole, how)| {
                let inside = match how {
                    0 => serde_json::json!({ name: number }),
                    1 => serde_json::json!({ "figures": text }),
                    2 => serde_json::json!({ "overlays": [text] }),
                    3 => serde_json::json!({ "speed": number, "fov_deg": whole, "pixel_error": number }),
                    4 => serde_json::json!({ "triangles": whole, "frame_ms": number }),
                    _ => serde_json::json!({ "sun": { "azimuth_deg": number, name: text } }),
                };
                let format = if how == 0 { text } else { String::from("orogen-settings") };
                serde_json::json!({ "format": format, "version": 1, "settings": inside }).to_string().into_bytes()
            },
        )
    }

    fn foreign() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![prop::collection::vec(any::<u8>(), 0..300), damaged(), foreign_json()]
    }

    proptest! {
        /// Law: whatever bytes the file has, it gives settings that are in their ranges, or it is told in one line and set
        /// aside with every byte that it had, beside those set aside before. What is kept then is found again.
        #[test]
        fn foreign_bytes_are_told_and_not_lost(files in prop::collection::vec(foreign(), 1..4)) {
            let folder = tempfile::tempdir().expect("temporary folder");
            let path = folder.path().join("settings.json");
            let mut aside: Vec<(PathBuf, &Vec<u8>)> = Vec::new();
            for bytes in &files {
                std::fs::write(&path, bytes).expect("written");
                let opened = usual(&path).open();
                prop_assert_eq!(opened.settings.out_of_range(), None);
                match &opened.warning {
                    None => prop_assert_eq!(&std::fs::read(&path).expect("left alone"), bytes),
                    Some(warning) => {
                        let line = warning.to_string();
                        prop_assert!(!line.chars().any(char::is_control) && line.chars().count() < 1_000, "{line:?}");
                        let SettingsError::Bad { aside: place, .. } = warning else { panic!("{line}") };
                        prop_assert!(!path.exists() && opened.settings == Settings::default());
                        aside.push((place.clone(), bytes));
                    }
                }
                for (place, bytes) in &aside {
                    prop_assert_eq!(&std::fs::read(place).expect("set aside"), *bytes);
                }
                let kept = opened.settings.with_speed(Some(2.0));
                opened.file.expect("a place").save(&kept).expect("kept");
                let again = SettingsFile::at(&path).open();
                prop_assert!(again.warning.is_none() && again.settings == kept, "{:?}", again.warning);
            }
        }
    }

    /// Law: a file without end is not read, one that is too large is set aside.
    #[test]
    fn large_files_are_not_taken_in() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("settings.json");
        std::fs::write(&path, vec![b' '; 3 << 20]).expect("written");
        let warning = usual(&path).open().warning.expect("trouble").to_string();
        assert!(warning.contains("more than 1048576 bytes") && !path.exists(), "{warning}");
        #[cfg(unix)]
        {
            let opened = SettingsFile::at("/dev/zero").open();
            assert!(opened.file.is_none() && matches!(opened.warning, Some(SettingsError::Read { .. })));
        }
    }

    /// Law: a place that cannot be read or written is told, and is no reason to stop. A file where a folder would have to
    /// be stops anybody, root included.
    #[test]
    fn a_place_that_cannot_be_used_is_survived() {
        let folder = tempfile::tempdir().expect("temporary folder");
        std::fs::write(folder.path().join("file"), "").expect("written");
        let below = SettingsFile::at(folder.path().join("file/settings.json"));
        let error = below.save(&Settings::default()).expect_err("refused");
        assert!(
            matches!(error, SettingsError::Write { .. }) && error.to_string().contains("nothing is kept"),
            "{error}"
        );
        let opened = below.open();
        assert!(opened.file.is_none() && matches!(opened.warning, Some(SettingsError::Read { .. })));
        let opened = SettingsFile::at(folder.path()).open();
        assert!(opened.file.is_none() && opened.warning.is_some(), "a folder is no file");
    }
}
