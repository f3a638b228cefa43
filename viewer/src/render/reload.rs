//! Was a shader edited while the program runs? Builds with debug assertions look at the files of `shaders/viewer/` once a second, if the
//! checkout that they were built from is there.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime},
};

use shaders::Composer;

/// Texts that stand for embedded modules of the program, by module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Edited(BTreeMap<&'static str, String>);

impl Edited {
    /// Makes the texts stand for their modules.
    pub fn bind(&self, composer: &mut Composer) {
        for (module, text) in &self.0 {
            composer.bind(module, &format!("shaders/{module}.wgsl"), text);
        }
    }

    /// The files of a crate that differ from what is embedded.
    fn read(root: &Path) -> io::Result<Edited> {
        let mut edited = BTreeMap::new();
        for module in crate::WGSL.modules() {
            let text = fs::read_to_string(root.join(module.file))?;
            if text != module.text {
                edited.insert(module.name, text);
            }
        }
        Ok(Edited(edited))
    }
}

/// How often files are looked at.
const INTERVAL: Duration = Duration::from_secs(1);

/// Files that are looked at now and then.
#[derive(Debug)]
pub(super) struct Watch {
    root: PathBuf,
    /// When the file that was written last was written.
    newest: Option<SystemTime>,
    looked: Instant,
}

impl Watch {
    /// Over the crate that this build is of; none without debug assertions.
    pub fn new() -> Option<Watch> {
        cfg!(debug_assertions).then(|| Watch::over(Path::new(env!("CARGO_MANIFEST_DIR"))))
    }

    fn over(root: &Path) -> Watch {
        let watch = Watch { root: root.to_owned(), newest: None, looked: Instant::now() };
        Watch { newest: watch.newest().ok(), ..watch }
    }

    fn newest(&self) -> io::Result<SystemTime> {
        let written = |file: &str| fs::metadata(self.root.join(file))?.modified();
        crate::WGSL.modules().iter().try_fold(SystemTime::UNIX_EPOCH, |newest, m| Ok(newest.max(written(m.file)?)))
    }

    /// What stands for embedded modules now, if a file was written since it was looked at. At most once a second.
    pub fn poll(&mut self) -> Option<Edited> {
        if self.looked.elapsed() < INTERVAL {
            return None;
        }
        self.looked = Instant::now();
        self.look()
    }

    fn look(&mut self) -> Option<Edited> {
        // A file that is just being replaced is there the next time.
        let newest = self.newest().ok()?;
        if self.newest == Some(newest) {
            return None;
        }
        let edited = Edited::read(&self.root).ok()?;
        self.newest = Some(newest);
        Some(edited)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overlays::Overlays;
    use crate::render::passes::composer;

    /// The shaders of the program in a folder of their own.
    fn checkout() -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for module in crate::WGSL.modules() {
            let file = root.path().join(module.file);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(file, module.text).expect("a file");
        }
        root
    }

    /// Writes a file anew, a minute later than the others.
    fn write(root: &Path, file: &str, text: &str, minutes: u64) {
        fs::write(root.join(file), text).expect("a file");
        let later = SystemTime::now() + Duration::from_secs(60 * minutes);
        fs::File::options()
            .write(true)
            .open(root.join(file))
            .and_then(|file| file.set_modified(later))
            .expect("a time");
    }

    /// Law: what was edited is seen once, stands for its module, and is named with its line if it is wrong; what is as it was stands
    /// for nothing.
    #[test]
    fn edits_are_seen_once_and_errors_name_their_line() {
        let root = checkout();
        let mut watch = Watch::over(root.path());
        assert_eq!(watch.look(), None);

        let (file, text) = ("shaders/viewer/sky.wgsl", crate::WGSL.module("viewer/sky").expect("a module").text);
        write(root.path(), file, &format!("{text}// the same\nfn more() -> u32 {{ return 7; }}\n"), 1);
        let edited = watch.look().expect("an edit");
        assert_eq!(watch.look(), None);
        assert_eq!(edited.0.keys().copied().collect::<Vec<_>>(), ["viewer/sky"]);
        let composed = composer(Overlays::default(), &edited).compose("viewer/sky").expect("it composes");
        assert!(composed.source().contains("fn more()"));

        write(root.path(), file, &format!("{text}fn more() -> u32 {{ return 7 }}\n"), 2);
        let wrong = watch.look().expect("an edit");
        let error = composer(Overlays::default(), &wrong).compose("viewer/sky").expect_err("no semicolon").to_string();
        assert!(error.starts_with(&format!("{file}:{}:", text.lines().count() + 1)), "{error}");

        write(root.path(), file, text, 3);
        assert_eq!(watch.look(), Some(Edited::default()));
        fs::remove_file(root.path().join(file)).expect("a file");
        assert_eq!(watch.look(), None);
    }

    #[test]
    fn files_are_looked_at_once_a_second() {
        let root = checkout();
        let mut watch = Watch::over(root.path());
        write(root.path(), "shaders/viewer/sky.wgsl", "", 1);
        assert_eq!(watch.poll(), None);
        watch.looked -= INTERVAL;
        assert!(watch.poll().is_some());
    }

    impl Edited {
        /// One text for one module.
        pub fn of(module: &'static str, text: String) -> Edited {
            Edited([(module, text)].into())
        }
    }
}
