//! Which WGSL modules does a crate bring along? A table that its build script makes from its folder `shaders/`.

/// A WGSL file, embedded at build time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmbeddedModule {
    /// What other modules import it as: the path below `shaders/` without `.wgsl`, such as `terrain/planet`.
    pub name: &'static str,
    /// Path in the repository and in the crate, as errors show it: `shaders/terrain/planet.wgsl`.
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

/// The modules of a crate, which a [`Composer`](crate::Composer) is made from.
///
/// ```
/// use shaders::{Composer, EmbeddedModule, Library};
///
/// static WGSL: Library = Library::new(&[EmbeddedModule {
///     name: "demo/answer",
///     file: "shaders/demo/answer.wgsl",
///     text: "fn answer() -> u32 { return 42u; }",
/// }]);
/// let composed = Composer::of(&[WGSL]).compose("demo/answer")?;
/// assert_eq!(composed.segments()[0].file, "shaders/demo/answer.wgsl");
/// # Ok::<(), shaders::ShaderError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Library {
    modules: &'static [EmbeddedModule],
    loops_end: bool,
}

impl Library {
    /// Of a table, sorted by name, such as a build script makes.
    pub const fn new(modules: &'static [EmbeddedModule]) -> Self {
        Self { modules, loops_end: false }
    }

    /// The same, of which pipelines may leave out the counter that wgpu puts into every loop.
    ///
    /// # Safety
    /// Every loop of every module ends, whatever is bound to it.
    ///
    /// ```
    /// use shaders::{Composer, EmbeddedModule, Library};
    ///
    /// const MODULES: &[EmbeddedModule] = &[EmbeddedModule {
    ///     name: "demo/sum",
    ///     file: "shaders/demo/sum.wgsl",
    ///     text: "fn sum() -> u32 { var s = 0u; for (var i = 0u; i < 9u; i += 1u) { s += i; } return s; }",
    /// }];
    /// // SAFETY: the one loop has nine turns.
    /// let promised = unsafe { Library::new(MODULES).with_loops_that_end() };
    /// for (library, ends) in [(Library::new(MODULES), false), (promised, true)] {
    ///     let composed = Composer::of(&[library]).compose("demo/sum")?;
    ///     assert_eq!(composed.loops()[0].loops_end, ends);
    /// }
    /// # Ok::<(), shaders::ShaderError>(())
    /// ```
    pub const unsafe fn with_loops_that_end(self) -> Self {
        Self { loops_end: true, ..self }
    }

    /// Its modules, sorted by name.
    pub const fn modules(&self) -> &'static [EmbeddedModule] {
        self.modules
    }

    /// A module by its name.
    pub fn module(&self, name: &str) -> Option<&'static EmbeddedModule> {
        self.modules.iter().find(|module| module.name == name)
    }

    pub(crate) fn loops_end(&self) -> bool {
        self.loops_end
    }
}
