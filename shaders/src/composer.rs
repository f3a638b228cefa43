//! How are modules joined? Depth first along imports, each once, virtual modules replaced by what they are bound to.

use crate::{
    Composed, EmbeddedModule, Extension, ModuleVariant, Segment, ShaderError,
    directives::Directives,
    dump,
    library::Library,
    segments::{self, SourceLocation},
    unroll::unroll,
};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use std::{borrow::Cow, collections::BTreeMap, fmt::Display, ops::Range};

/// What a name stands for besides an embedded module.
#[derive(Clone, Debug)]
enum Bound {
    Text { file: String, text: String },
    Module(String),
}

/// Joins embedded modules, and modules bound by the caller, into one validated shader.
///
/// ```
/// let mut composer = shaders::Composer::new();
/// composer.bind("demo/op", "user_op.wgsl", "fn combine(a: u32, b: u32) -> u32 { return a * b }");
/// composer.bind("demo/main", "main.wgsl", "//!import demo/op\n@compute @workgroup_size(1) fn main() { _ = combine(2u, 3u); }");
///
/// // The user's operator misses a semicolon: the error points into the user's file.
/// let error = composer.compose("demo/main").unwrap_err().to_string();
/// assert!(error.starts_with("user_op.wgsl:1:"), "{error}");
/// ```
#[derive(Clone, Debug)]
pub struct Composer {
    libraries: Vec<Library>,
    bound: BTreeMap<String, Bound>,
    /// Turns of loops marked `//!unroll`, by the constant that bounds them.
    unrolled: BTreeMap<String, u32>,
    /// Items that stand in for those between `//!once NAME` and `//!end`: file and text.
    replaced: BTreeMap<String, (String, String)>,
    allowed: Vec<Extension>,
}

impl Default for Composer {
    fn default() -> Self {
        Self::with_extensions(&Extension::ALL)
    }
}

impl Composer {
    /// A composer without modules that allows every extension a module asks for.
    pub fn new() -> Self {
        Self::default()
    }

    /// A composer of the modules of some crates: those that [`Library`] shows how to embed, and those of the crates that they import.
    pub fn of(libraries: &[Library]) -> Self {
        Self { libraries: libraries.to_vec(), ..Self::default() }
    }

    /// The same with the modules of one more crate.
    pub fn with(mut self, library: Library) -> Self {
        self.libraries.push(library);
        self
    }

    /// A composer that refuses modules which require anything but `allowed`: `&[]` is the WebGPU base.
    ///
    /// ```
    /// let mut composer = shaders::Composer::with_extensions(&[]);
    /// composer.bind("demo/wide", "wide.wgsl", "//!requires subgroups\nfn f(a: u32) -> u32 { return subgroupAdd(a); }");
    /// assert!(composer.compose("demo/wide").is_err());
    /// ```
    pub fn with_extensions(allowed: &[Extension]) -> Self {
        let (bound, unrolled, replaced) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { libraries: Vec::new(), bound, unrolled, replaced, allowed: allowed.to_vec() }
    }

    /// Makes `name` stand for `text`; `file` is what errors call it. It replaces an embedded module of that name.
    pub fn bind(&mut self, name: &str, file: &str, text: &str) -> &mut Self {
        self.bound.insert(name.to_owned(), Bound::Text { file: file.to_owned(), text: text.to_owned() });
        self
    }

    /// Makes the virtual module `name` stand for `module`.
    ///
    /// ```
    /// let mut composer = shaders::Composer::new();
    /// composer.bind("ops/sum", "sum.wgsl", "fn combine(a: u32, b: u32) -> u32 { return a + b; }");
    /// composer.bind("main", "main.wgsl", "//!import op\nfn twice(a: u32) -> u32 { return combine(a, a); }");
    /// assert!(composer.compose("main").is_err(), "nothing stands for `op` yet");
    /// let composed = composer.bind_module("op", "ops/sum").compose("main")?;
    /// assert_eq!(composed.segments()[0].module, "ops/sum");
    /// # Ok::<(), shaders::ShaderError>(())
    /// ```
    pub fn bind_module(&mut self, name: &str, module: &str) -> &mut Self {
        self.bound.insert(name.to_owned(), Bound::Module(module.to_owned()));
        self
    }

    /// Writes out loops up to the constant `bound`, of `turns` turns, that modules mark with `//!unroll`.
    ///
    /// ```
    /// let mut composer = shaders::Composer::new();
    /// composer.unroll("TURNS", 3).bind("demo/sum", "sum.wgsl", "\
    /// const TURNS: u32 = 3u;
    /// var<workgroup> sum: u32;
    /// @compute @workgroup_size(1) fn main() {
    ///     //!unroll
    ///     for (var k = 0u; k < TURNS; k += 1u) {
    ///         sum += k;
    ///     }
    /// }");
    /// assert!(composer.compose("demo/sum")?.loops().is_empty());
    /// # Ok::<(), shaders::ShaderError>(())
    /// ```
    pub fn unroll(&mut self, bound: &str, turns: u32) -> &mut Self {
        self.unrolled.insert(bound.to_owned(), turns);
        self
    }

    /// Makes `text` stand for the item `name`, which modules bring along between `//!once NAME` and `//!end`: a function
    /// written by hand for one device, say.
    ///
    /// ```
    /// let mut composer = shaders::Composer::new();
    /// composer.bind("a", "a.wgsl", "//!once demo::twice\nfn twice(x: u32) -> u32 { return x * 2u; }\n//!end");
    /// composer.bind("b", "b.wgsl", "//!import a\n//!once demo::twice\nfn twice(x: u32) -> u32 { return x * 2u; }\n//!end");
    /// assert_eq!(composer.compose("b")?.source().matches("fn twice").count(), 1);
    ///
    /// composer.replace("demo::twice", "twice.wgsl", "fn twice(x: u32) -> u32 { return x << 1u; }");
    /// assert!(composer.compose("b")?.source().contains("x << 1u"));
    /// # Ok::<(), shaders::ShaderError>(())
    /// ```
    pub fn replace(&mut self, name: &str, file: &str, text: &str) -> &mut Self {
        self.replaced.insert(name.to_owned(), (file.to_owned(), text.to_owned()));
        self
    }

    /// The same for a constant: `name` ends with its own, `file` says in errors what it is of, and type and value are WGSL.
    ///
    /// ```
    /// let mut composer = shaders::Composer::new();
    /// composer.bind("a", "a.wgsl", "//!once demo::SIDE_M\nconst SIDE_M: f32 = 2.0;\n//!end");
    /// composer.replace_constant("demo::SIDE_M", "a longer side", "f32", 2.5);
    /// assert!(composer.compose("a")?.source().contains("const SIDE_M: f32 = 2.5;"));
    /// # Ok::<(), shaders::ShaderError>(())
    /// ```
    pub fn replace_constant(&mut self, name: &str, file: &str, kind: &str, value: impl Display) -> &mut Self {
        let own = name.rsplit("::").next().unwrap_or(name);
        self.replace(name, file, &format!("const {own}: {kind} = {value};"))
    }

    /// Variants that a module declares with `//!variant`.
    ///
    /// ```
    /// let mut composer = shaders::Composer::new();
    /// composer.bind("main", "main.wgsl", "//!variant fast op=ops/sum\n//!variant careful op=ops/checked");
    /// let variants = composer.variants("main")?;
    /// assert_eq!([&*variants[0].name, &*variants[1].name], ["fast", "careful"]);
    /// assert_eq!(variants[0].bindings, [("op".to_owned(), "ops/sum".to_owned())]);
    /// # Ok::<(), shaders::ShaderError>(())
    /// ```
    pub fn variants(&self, module: &str) -> Result<Vec<ModuleVariant>, ShaderError> {
        let source = self.resolve(module, &[])?;
        Ok(Directives::parse(&source.file, &source.text)?.variants)
    }

    /// Joins `module` and what it imports, and validates the result.
    pub fn compose(&self, module: &str) -> Result<Composed, ShaderError> {
        let mut join = Join {
            composer: self,
            text: String::new(),
            next_line: 1,
            segments: Vec::new(),
            requires: Vec::new(),
            done: Vec::new(),
            items: Vec::new(),
        };
        join.visit(module, &mut Vec::new())?;
        let Join { mut text, mut segments, mut requires, .. } = join;
        requires.sort();
        requires.dedup();
        for enable in requires.iter().filter_map(|extension| extension.enable()) {
            text = format!("{enable}\n{text}");
            segments.iter_mut().for_each(|segment| segment.first_line += 1);
        }
        let composed = validate(module, text, segments, requires)?;
        dump::write(&composed)?;
        Ok(composed)
    }

    /// [`compose`](Self::compose) with the bindings of a variant that `module` declares.
    ///
    /// ```
    /// let mut composer = shaders::Composer::new();
    /// composer.bind("one", "one.wgsl", "const N = 1u;").bind("two", "two.wgsl", "const N = 2u;");
    /// composer.bind("main", "main.wgsl", "\
    /// //!import n
    /// //!variant small n=one
    /// //!variant large n=two
    /// @compute @workgroup_size(N) fn main() {}");
    /// let large = composer.compose_variant("main", "large")?;
    /// assert_eq!(large.entry_points()[0].workgroup_size, [2, 1, 1]);
    /// let error = composer.compose_variant("main", "huge").unwrap_err().to_string();
    /// assert_eq!(error, "shader module `main` has no variant `huge`, it has [small, large]");
    /// # Ok::<(), shaders::ShaderError>(())
    /// ```
    pub fn compose_variant(&self, module: &str, variant: &str) -> Result<Composed, ShaderError> {
        let variants = self.variants(module)?;
        let Some(chosen) = variants.iter().find(|v| v.name == variant) else {
            return Err(ShaderError::UnknownVariant {
                module: module.to_owned(),
                variant: variant.to_owned(),
                known: variants.into_iter().map(|v| v.name).collect(),
            });
        };
        let mut composer = self.clone();
        for (slot, target) in &chosen.bindings {
            composer.bind_module(slot, target);
        }
        composer.compose(module)
    }

    /// The embedded modules, those of each crate sorted by name.
    pub fn modules(&self) -> impl Iterator<Item = &'static EmbeddedModule> {
        self.libraries.iter().flat_map(Library::modules)
    }

    /// Every composition of the embedded modules that has entry points, alone and in each variant that it declares: its name,
    /// such as `kernels/scan portable`, and what came of it.
    ///
    /// ```
    /// use shaders::{Composer, EmbeddedModule, Library};
    ///
    /// static WGSL: Library = Library::new(&[
    ///     EmbeddedModule { name: "demo/one", file: "shaders/demo/one.wgsl", text: "const N = 1u;" },
    ///     EmbeddedModule { name: "demo/run", file: "shaders/demo/run.wgsl", text: "\
    /// //!import demo/n
    /// //!variant small demo/n=demo/one
    /// //!variant large demo/n=demo/two
    /// @compute @workgroup_size(N) fn run() {}" },
    ///     EmbeddedModule { name: "demo/two", file: "shaders/demo/two.wgsl", text: "const N = 2u;" },
    /// ]);
    /// let composer = Composer::of(&[WGSL]);
    /// let all = composer.every_composition();
    /// assert!(all.iter().all(|(_, composed)| composed.is_ok()));
    /// let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    /// assert_eq!(names, ["demo/run small", "demo/run large"]);
    /// // The other modules are parts of it.
    /// let parts: Vec<_> = composer.modules().filter(|module| !module.has_entry_point()).map(|module| module.name).collect();
    /// assert_eq!(parts, ["demo/one", "demo/two"]);
    /// ```
    pub fn every_composition(&self) -> Vec<(String, Result<Composed, ShaderError>)> {
        let mut all = Vec::new();
        for name in self.modules().filter(|module| module.has_entry_point()).map(|module| module.name) {
            match self.variants(name) {
                Ok(variants) if variants.is_empty() => all.push((name.to_owned(), self.compose(name))),
                Ok(variants) => all.extend(
                    variants
                        .iter()
                        .map(|variant| (format!("{name} {}", variant.name), self.compose_variant(name, &variant.name))),
                ),
                Err(error) => all.push((name.to_owned(), Err(error))),
            }
        }
        all
    }

    fn resolve(&self, name: &str, chain: &[String]) -> Result<Source<'_>, ShaderError> {
        let mut target = name;
        let mut aliases = vec![name.to_owned()];
        loop {
            match self.bound.get(target) {
                Some(Bound::Text { file, text }) => {
                    return Ok(Source {
                        module: target.to_owned(),
                        file: file.into(),
                        text: text.into(),
                        loops_end: false,
                    });
                }
                // A module bound to its own name is the embedded one.
                Some(Bound::Module(next)) if next != target => {
                    let seen = aliases.contains(next);
                    aliases.push(next.clone());
                    if seen {
                        return Err(ShaderError::ImportCycle { chain: aliases });
                    }
                    target = next;
                }
                _ => break,
            }
        }
        let found = |library: &Library| library.module(target).map(|module| (module, library.loops_end()));
        match self.libraries.iter().find_map(found) {
            Some((module, loops_end)) => {
                Ok(Source { module: target.to_owned(), file: module.file.into(), text: module.text.into(), loops_end })
            }
            None => Err(ShaderError::UnknownModule { module: target.to_owned(), chain: chain.to_vec() }),
        }
    }
}

struct Source<'a> {
    /// Name after virtual modules are resolved: two names of one module are joined once.
    module: String,
    file: Cow<'a, str>,
    text: Cow<'a, str>,
    loops_end: bool,
}

struct Join<'a> {
    composer: &'a Composer,
    text: String,
    next_line: u32,
    segments: Vec<Segment>,
    requires: Vec<Extension>,
    done: Vec<String>,
    /// Names of `//!once` items that are joined.
    items: Vec<String>,
}

impl Join<'_> {
    fn visit(&mut self, name: &str, chain: &mut Vec<String>) -> Result<(), ShaderError> {
        let source = self.composer.resolve(name, chain)?;
        if let Some(start) = chain.iter().position(|module| *module == source.module) {
            let mut cycle = chain.split_off(start);
            cycle.push(source.module);
            return Err(ShaderError::ImportCycle { chain: cycle });
        }
        if self.done.contains(&source.module) {
            return Ok(());
        }
        let directives = Directives::parse(&source.file, &source.text)?;
        for extension in &directives.requires {
            if !self.composer.allowed.contains(extension) {
                return Err(ShaderError::ExtensionNotAllowed { module: source.module, extension: *extension });
            }
        }
        self.requires.extend(&directives.requires);

        chain.push(source.module.clone());
        for (import, _) in &directives.imports {
            self.visit(import, chain)?;
        }
        chain.pop();

        let mut left_out = Vec::new();
        for item in directives.items {
            let replaced = self.composer.replaced.get(&item.name);
            let is_new = !self.items.contains(&item.name);
            if let (true, Some((file, text))) = (is_new, replaced) {
                // Declarations have no order in WGSL, so it may stand before the module.
                self.append(&item.name, file, text, false, &[]);
            }
            if !is_new || replaced.is_some() {
                left_out.push(item.lines);
            }
            self.items.push(item.name);
        }
        // As many lines as before.
        let text = unroll(&source.file, &source.text, &self.composer.unrolled)?;
        self.append(&source.module, &source.file, &text, source.loops_end, &left_out);
        self.done.push(source.module);
        Ok(())
    }

    /// Joins a text; the lines of items that are left out stay as empty ones, so that lines keep their numbers.
    fn append(&mut self, module: &str, file: &str, text: &str, loops_end: bool, left_out: &[Range<usize>]) {
        let first_line = self.next_line;
        for (index, line) in text.lines().enumerate() {
            if !left_out.iter().any(|lines| lines.contains(&index)) {
                self.text.push_str(line);
            }
            self.text.push('\n');
            self.next_line += 1;
        }
        let lines = self.next_line - first_line;
        let (module, file) = (module.to_owned(), file.to_owned());
        self.segments.push(Segment { module, file, first_line, lines, loops_end });
    }
}

fn validate(
    label: &str,
    source: String,
    segments: Vec<Segment>,
    requires: Vec<Extension>,
) -> Result<Composed, ShaderError> {
    let place = |location: Option<naga::SourceLocation>| -> Option<SourceLocation> {
        let location = location?;
        segments::locate(&segments, &source, location.line_number, location.line_position)
    };
    let module = naga::front::wgsl::parse_str(&source).map_err(|error| ShaderError::Parse {
        place: place(error.location(&source)),
        message: with_labels(error.message(), error.labels().map(|(_, label)| label)),
    })?;
    let capabilities = requires.iter().fold(Capabilities::default(), |all, e| all | e.capability());
    let info = Validator::new(ValidationFlags::all(), capabilities).validate(&module).map_err(|error| {
        // naga lists the spans from the function inwards: the shortest one is the offender itself.
        let spans = error.spans().map(|(span, _)| span);
        let innermost =
            spans.filter(|span| span.is_defined()).min_by_key(|span| span.to_range().map_or(0, |range| range.len()));
        ShaderError::Validation {
            place: place(innermost.map(|span| span.location(&source))),
            message: causes(error.as_inner()),
        }
    })?;
    Ok(Composed::new(label, source, segments, requires, module, info))
}

/// An error and its sources on one line.
fn causes(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        message = format!("{message}: {cause}");
        source = cause.source();
    }
    message
}

fn with_labels<'a>(message: &str, labels: impl Iterator<Item = &'a str>) -> String {
    let labels: Vec<&str> = labels.filter(|label| !label.is_empty()).collect();
    if labels.is_empty() { message.to_owned() } else { format!("{message} ({})", labels.join("; ")) }
}
