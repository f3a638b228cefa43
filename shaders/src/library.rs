//! Which WGSL modules ship inside the program? The table `build.rs` makes from the folders of this crate.

/// A WGSL file of `shaders/`, embedded at build time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmbeddedModule {
    /// What other modules import it as: the path below `shaders/` without `.wgsl`, such as `terrain/planet`.
    pub name: &'static str,
    /// Path in the repository, as errors show it: `shaders/terrain/planet.wgsl`.
    pub file: &'static str,
    /// The whole file.
    pub text: &'static str,
}

impl EmbeddedModule {
    /// Whether it has an entry point of its own. A module without is validated through its importers; alone it may want a
    /// virtual module.
    pub fn has_entry_point(&self) -> bool {
        let begins = |line: &str| ["@compute", "@vertex", "@fragment"].iter().any(|stage| line.starts_with(stage));
        self.text.lines().any(|line| begins(line.trim_start()))
    }
}

static EMBEDDED: &[EmbeddedModule] = include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// Every embedded module, sorted by name.
///
/// ```
/// for module in shaders::embedded() {
///     assert!(module.file.starts_with("shaders/"));
/// }
/// ```
pub fn embedded() -> &'static [EmbeddedModule] {
    EMBEDDED
}

pub(crate) fn find(name: &str) -> Option<&'static EmbeddedModule> {
    EMBEDDED.iter().find(|module| module.name == name)
}
