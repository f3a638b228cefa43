//! What did a composition give? Text, naga module, and questions about it.

use crate::{
    Binding, Extension, LayoutMismatch, RustField, Segment, ShaderError, SourceLocation, StructLayout, bindings,
    layout, segments,
};
use naga::valid::ModuleInfo;

/// The stage of an entry point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// `@vertex`
    Vertex,
    /// `@fragment`
    Fragment,
    /// `@compute`
    Compute,
}

/// An entry point of a composed shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPoint {
    /// Function name.
    pub name: String,
    /// Its stage.
    pub stage: Stage,
    /// Invocations a workgroup by dimension, before overrides; `[0; 3]` unless the stage is compute.
    pub workgroup_size: [u32; 3],
    /// Names of the bindings it uses, directly or through functions, in (group, binding) order.
    pub uses: Vec<String>,
}

/// A joined, parsed and validated shader.
///
/// ```
/// use shaders::{Composer, Stage, naga::valid::GlobalUse};
///
/// let mut composer = Composer::new();
/// composer.bind("demo/one", "one.wgsl", "const ONE: u32 = 1u;");
/// composer.bind("demo/main", "main.wgsl", "\
/// //!import demo/one
/// @group(0) @binding(0) var<storage, read_write> out: array<u32>;
/// @compute @workgroup_size(64) fn main() { out[0] = ONE; }");
/// let composed = composer.compose("demo/main")?;
/// assert_eq!(composed.label(), "demo/main");
///
/// let main = composed.entry_point("main").expect("declared above");
/// assert_eq!((main.stage, main.workgroup_size), (Stage::Compute, [64, 1, 1]));
/// assert_eq!(main.uses, ["out"]);
///
/// // The fourth line of the joined text is the third of its module.
/// let place = composed.locate(4, 10).expect("there is a fourth line");
/// assert_eq!(place.to_string(), "main.wgsl:3:10");
/// assert_eq!(composed.source().lines().nth(3), Some(place.text.as_str()));
///
/// // What else naga knows: `main` writes `out`, and does not read it.
/// let (out, _) = composed.module().global_variables.iter().next().expect("declared above");
/// assert_eq!(composed.info().get_entry_point(0)[out], GlobalUse::WRITE);
/// # Ok::<(), shaders::ShaderError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Composed {
    label: String,
    source: String,
    segments: Vec<Segment>,
    requires: Vec<Extension>,
    module: naga::Module,
    info: ModuleInfo,
    bindings: Vec<Binding>,
    entry_points: Vec<EntryPoint>,
}

impl Composed {
    pub(crate) fn new(
        label: &str,
        source: String,
        segments: Vec<Segment>,
        requires: Vec<Extension>,
        module: naga::Module,
        info: ModuleInfo,
    ) -> Self {
        let bindings = bindings::reflect(&module);
        let entry_points = entry_points(&module, &info);
        Self { label: label.to_owned(), source, segments, requires, module, info, bindings, entry_points }
    }

    /// The composed module's name.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The joined WGSL.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The joined text as WGSL's standard wants it, and so every compiler of a browser: extensions are enabled, which
    /// [`source`](Self::source) leaves out because naga takes them without or not at all, and lines `//!standard TEXT` are their
    /// text. Lines have the same numbers.
    ///
    /// Fails with the extension that WebGPU does not have.
    ///
    /// ```
    /// let mut composer = shaders::Composer::new();
    /// composer.bind("a", "a.wgsl", "//!requires subgroups\nfn f(a: u32) -> u32 { return subgroupAdd(a); }");
    /// assert!(composer.compose("a")?.standard()?.starts_with("enable subgroups; "));
    ///
    /// composer.bind("b", "b.wgsl", "//!requires float64\nfn f(a: f64) -> f64 { return a * a; }");
    /// assert!(composer.compose("b")?.standard().is_err());
    /// # Ok::<(), shaders::ShaderError>(())
    /// ```
    pub fn standard(&self) -> Result<String, ShaderError> {
        let mut text = String::new();
        for extension in &self.requires {
            let directive = extension
                .standard()
                .ok_or_else(|| ShaderError::NotInStandard { module: self.label.clone(), extension: *extension })?;
            text.push_str(directive);
            text.push(' ');
        }
        for line in self.source.lines() {
            text.push_str(line.trim_start().strip_prefix("//!standard ").unwrap_or(line));
            text.push('\n');
        }
        Ok(text)
    }

    /// Which lines of [`source`](Self::source) come from which module, in order.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Extensions that the joined modules require, sorted.
    pub fn requires(&self) -> &[Extension] {
        &self.requires
    }

    /// naga's view of the shader.
    pub fn module(&self) -> &naga::Module {
        &self.module
    }

    /// naga's analysis of the shader.
    pub fn info(&self) -> &ModuleInfo {
        &self.info
    }

    /// Resource bindings by (group, binding).
    pub fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    /// The binding of the variable `name`.
    pub fn binding(&self, name: &str) -> Option<&Binding> {
        self.bindings.iter().find(|binding| binding.name == name)
    }

    /// Entry points in source order.
    pub fn entry_points(&self) -> &[EntryPoint] {
        &self.entry_points
    }

    /// The entry point `name`.
    pub fn entry_point(&self, name: &str) -> Option<&EntryPoint> {
        self.entry_points.iter().find(|entry| entry.name == name)
    }

    /// Compares the WGSL struct `name` with a Rust struct of `size` bytes; [`check_layout!`](crate::check_layout) makes the list.
    /// WGSL fields whose names begin with `_` or `pad` are padding and need not be listed.
    pub fn check_layout(&self, name: &str, size: usize, rust: &[RustField]) -> Result<(), LayoutMismatch> {
        let none = || LayoutMismatch::NoStruct { shader: self.label().to_owned(), name: name.to_owned() };
        layout::compare(&self.struct_layout(name).ok_or_else(none)?, name, size, rust)
    }

    /// Memory layout of the struct `name`; `None` when there is no such struct.
    ///
    /// ```
    /// let mut composer = shaders::Composer::new();
    /// composer.bind("a", "a.wgsl", "struct View { eye: vec3f, scale: f32, sun: vec3f }");
    /// let layout = composer.compose("a")?.struct_layout("View").expect("declared above");
    /// assert_eq!((layout.span, layout.fields[1].offset, layout.fields[2].offset), (32, 12, 16));
    /// # Ok::<(), shaders::ShaderError>(())
    /// ```
    pub fn struct_layout(&self, name: &str) -> Option<StructLayout> {
        layout::reflect(&self.module, name)
    }

    /// The segments that contain a loop statement, in order.
    ///
    /// ```
    /// let mut composer = shaders::Composer::new();
    /// composer.bind("a", "a.wgsl", "fn f(n: u32) -> u32 { var s = 0u; for (var i = 0u; i < n; i += 1u) { s += i; } return s; }");
    /// composer.bind("b", "b.wgsl", "//!import a\nfn g() -> u32 { if true { return f(3u); } return 0u; }");
    /// let composed = composer.compose("b")?;
    /// let looping: Vec<_> = composed.loops().iter().map(|segment| segment.module.as_str()).collect();
    /// assert_eq!(looping, ["a"]);
    /// # Ok::<(), shaders::ShaderError>(())
    /// ```
    pub fn loops(&self) -> Vec<&Segment> {
        let functions = self.module.functions.iter().map(|(_, function)| function);
        let entries = self.module.entry_points.iter().map(|entry| &entry.function);
        let mut lines = Vec::new();
        for function in functions.chain(entries) {
            loop_lines(&function.body, &self.source, &mut lines);
        }
        let contains = |segment: &&Segment| {
            lines.iter().any(|line| (segment.first_line..segment.first_line + segment.lines).contains(line))
        };
        self.segments.iter().filter(contains).collect()
    }

    /// The module file, line and column of a 1-based position in [`source`](Self::source), as drivers and wgpu report it.
    pub fn locate(&self, line: u32, column: u32) -> Option<SourceLocation> {
        segments::locate(&self.segments, &self.source, line, column)
    }
}

/// The lines of the joined text on which loops of a block begin.
fn loop_lines(block: &naga::Block, source: &str, lines: &mut Vec<u32>) {
    for (statement, span) in block.span_iter() {
        match statement {
            naga::Statement::Loop { body, continuing, .. } => {
                lines.push(span.location(source).line_number);
                loop_lines(body, source, lines);
                loop_lines(continuing, source, lines);
            }
            naga::Statement::Block(inner) => loop_lines(inner, source, lines),
            naga::Statement::If { accept, reject, .. } => {
                loop_lines(accept, source, lines);
                loop_lines(reject, source, lines);
            }
            naga::Statement::Switch { cases, .. } => {
                cases.iter().for_each(|case| loop_lines(&case.body, source, lines));
            }
            _ => {}
        }
    }
}

fn entry_points(module: &naga::Module, info: &ModuleInfo) -> Vec<EntryPoint> {
    let stage = |stage| match stage {
        naga::ShaderStage::Vertex => Some(Stage::Vertex),
        naga::ShaderStage::Fragment => Some(Stage::Fragment),
        naga::ShaderStage::Compute => Some(Stage::Compute),
        // Mesh and ray tracing stages need capabilities that no extension of ours grants.
        _ => None,
    };
    let entries = module.entry_points.iter().enumerate();
    entries
        .filter_map(|(index, entry)| {
            let uses = info.get_entry_point(index);
            let mut used: Vec<_> = module
                .global_variables
                .iter()
                .filter(|(handle, _)| !uses[*handle].is_empty())
                .filter_map(|(_, variable)| {
                    let binding = variable.binding.as_ref()?;
                    Some((binding.group, binding.binding, variable.name.clone().unwrap_or_default()))
                })
                .collect();
            used.sort();
            Some(EntryPoint {
                name: entry.name.clone(),
                stage: stage(entry.stage)?,
                workgroup_size: entry.workgroup_size,
                uses: used.into_iter().map(|(_, _, name)| name).collect(),
            })
        })
        .collect()
}
