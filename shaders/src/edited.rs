//! Was a shader edited while the program runs? Texts of files that replace embedded modules, and a watch over the files.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime},
};

use crate::{Composer, EmbeddedModule};

/// How often files are looked at.
const INTERVAL: Duration = Duration::from_secs(1);

/// Texts that replace embedded modules, by module.
///
/// ```
/// use shaders::{Composer, EditedModules};
///
/// let mut composer = Composer::new();
/// EditedModules::of("demo/answer", "fn answer() -> u32 { return 42u }".to_owned()).bind(&mut composer);
/// let error = composer.compose("demo/answer").unwrap_err().to_string();
/// assert!(error.starts_with("shaders/demo/answer.wgsl:1:"), "{error}"); // a semicolon is missing
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditedModules(BTreeMap<&'static str, String>);

impl EditedModules {
    /// One text for one module.
    pub fn of(module: &'static str, text: String) -> Self {
        Self::default().with(module, text)
    }

    /// These, and a text for one module more.
    #[must_use]
    pub fn with(mut self, module: &'static str, text: String) -> Self {
        self.0.insert(module, text);
        self
    }

    /// Makes the texts stand for their modules.
    pub fn bind(&self, composer: &mut Composer) {
        for (module, text) in &self.0 {
            composer.bind(module, &format!("shaders/{module}.wgsl"), text);
        }
    }
}

/// The files of embedded modules, looked at now and then: for builds with debug assertions, where the sources are.
///
/// ```no_run
/// # let composer = shaders::Composer::new();
/// let mut watch = shaders::SourceWatch::over("path/to/checkout".as_ref(), composer.modules());
/// // every frame
/// if let Some(edited) = watch.poll() {
///     // compile what the composers give that `edited.bind` was called with; keep the pipelines there are if that fails
/// }
/// ```
#[derive(Clone, Debug)]
pub struct SourceWatch {
    root: PathBuf,
    modules: Vec<&'static EmbeddedModule>,
    /// When each file was written, and its bytes.
    written: Option<Vec<(SystemTime, u64)>>,
    looked: Instant,
}

impl SourceWatch {
    /// Over modules whose [files](EmbeddedModule::file) are below `root`: [`Composer::modules`].
    pub fn over(root: &Path, modules: impl IntoIterator<Item = &'static EmbeddedModule>) -> Self {
        let modules = modules.into_iter().collect();
        let watch = Self { root: root.to_owned(), modules, written: None, looked: Instant::now() };
        Self { written: watch.written().ok(), ..watch }
    }

    /// All files that differ from what is embedded, if one was written since the last call. Looks at most once a second; finds nothing
    /// where files are missing.
    pub fn poll(&mut self) -> Option<EditedModules> {
        if self.looked.elapsed() < INTERVAL {
            return None;
        }
        self.looked = Instant::now();
        self.check_files()
    }

    fn check_files(&mut self) -> Option<EditedModules> {
        // A file that is just being replaced is there the next time.
        let written = self.written().ok()?;
        if self.written.as_ref() == Some(&written) {
            return None;
        }
        let edited = self.read().ok()?;
        self.written = Some(written);
        Some(edited)
    }

    fn written(&self) -> io::Result<Vec<(SystemTime, u64)>> {
        let written = |module: &&EmbeddedModule| {
            let of = fs::metadata(self.root.join(module.file))?;
            Ok((of.modified()?, of.len()))
        };
        self.modules.iter().map(written).collect()
    }

    fn read(&self) -> io::Result<EditedModules> {
        let mut edited = BTreeMap::new();
        for module in &self.modules {
            let text = fs::read_to_string(self.root.join(module.file))?;
            if text != module.text {
                edited.insert(module.name, text);
            }
        }
        Ok(EditedModules(edited))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Library;

    const FILE: &str = "shaders/demo/main.wgsl";
    const TEXT: &str = "//!import demo/answer\n@compute @workgroup_size(1) fn main() { _ = answer(); }\n";
    static MODULES: [EmbeddedModule; 2] = [
        EmbeddedModule {
            name: "demo/answer",
            file: "shaders/demo/answer.wgsl",
            text: "fn answer() -> u32 { return 42u; }\n",
        },
        EmbeddedModule { name: "demo/main", file: FILE, text: TEXT },
    ];

    /// Of two crates in one folder.
    fn composer() -> Composer {
        Composer::of(&[Library::new(&MODULES[..1]), Library::new(&MODULES[1..])])
    }

    /// The files of the modules in a folder of their own.
    fn checkout() -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for module in &MODULES {
            let file = root.path().join(module.file);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(file, module.text).expect("a file");
        }
        root
    }

    /// Writes a file anew, some minutes later than the others.
    fn write(root: &Path, file: &str, text: &str, minutes: u64) {
        fs::write(root.join(file), text).expect("a file");
        let later = SystemTime::now() + Duration::from_secs(60 * minutes);
        let file = fs::File::options().write(true).open(root.join(file));
        file.and_then(|file| file.set_modified(later)).expect("a time");
    }

    fn compose(edited: &EditedModules) -> Result<crate::Composed, crate::ShaderError> {
        let mut composer = composer();
        edited.bind(&mut composer);
        composer.compose("demo/main")
    }

    /// Law: what was edited is seen once, replaces its module, and is named with its line if it is wrong; what is as it was replaces
    /// nothing.
    #[test]
    fn edits_are_seen_once_and_errors_name_their_line() {
        let root = checkout();
        let mut watch = SourceWatch::over(root.path(), composer().modules());
        assert_eq!(watch.check_files(), None);

        write(root.path(), FILE, &format!("{TEXT}// the same\nfn more() -> u32 {{ return 7; }}\n"), 1);
        let edited = watch.check_files().expect("an edit");
        assert_eq!(watch.check_files(), None);
        assert_eq!(edited.0.keys().copied().collect::<Vec<_>>(), ["demo/main"]);
        assert!(compose(&edited).expect("it composes").source().contains("fn more()"));

        write(root.path(), FILE, &format!("{TEXT}fn more() -> u32 {{ return 7 }}\n"), 2);
        let wrong = watch.check_files().expect("an edit");
        let error = compose(&wrong).expect_err("no semicolon").to_string();
        assert!(error.starts_with(&format!("{FILE}:3:")), "{error}");

        write(root.path(), FILE, TEXT, 3);
        assert_eq!(watch.check_files(), Some(EditedModules::default()));
        fs::remove_file(root.path().join(FILE)).expect("a file");
        assert_eq!(watch.check_files(), None);
    }

    #[test]
    fn files_are_looked_at_once_a_second() {
        let root = checkout();
        let mut watch = SourceWatch::over(root.path(), composer().modules());
        write(root.path(), FILE, "", 1);
        assert_eq!(watch.poll(), None);
        watch.looked -= INTERVAL;
        assert!(watch.poll().is_some());
    }
}
