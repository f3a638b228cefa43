//! How do WGSL modules become one shader? A composer that joins and validates them.
//!
//! The WGSL of Orogen lies in `shaders/<crate>/**/*.wgsl`. Each crate embeds its own at build time as a [`Library`], so that a change
//! of one file compiles its crate and those above it alone. A module's name is its path
//! below `shaders/` without `.wgsl`. Directives connect modules; each is a comment line of its own:
//!
//! | directive | meaning |
//! |---|---|
//! | `//!import terrain/planet` | the text of that module comes first; each module is joined once, depth first |
//! | `//!requires subgroups` | validation must allow these extensions: see [`Extension`] |
//! | `//!variant fast kernels/op=kernels/ops/sum` | a named set of bindings of virtual modules, composed by name and by the tests |
//! | `//!unroll` | the loop on the next line is written out, if the caller names its bound: [`Composer::unroll`] |
//! | `//!standard @diagnostic(off, subgroup_uniformity)` | text for other compilers than naga: [`Composed::standard`] |
//! | `//!once terrain::mix32` to `//!end` | an item that several modules contain is joined once; [`Composer::replace`] replaces it |
//!
//! A *virtual* module is a name that modules import and the caller binds. It is bound to another embedded module
//! ([`Composer::bind_module`]) or to the caller's own text ([`Composer::bind`]), such as an operator or a table of constants.
//!
//! ```
//! let mut composer = shaders::Composer::new();
//! composer.bind("my/answer", "answer.wgsl", "fn answer() -> u32 { return 42u; }");
//! composer.bind("my/kernel", "kernel.wgsl", "\
//! //!import my/answer
//! @group(0) @binding(0) var<storage, read_write> out: array<u32>;
//! @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { out[id.x] = answer(); }");
//!
//! let kernel = composer.compose("my/kernel")?;
//! assert_eq!(kernel.bindings()[0].name, "out");
//! assert_eq!(kernel.entry_points()[0].workgroup_size, [64, 1, 1]);
//! # Ok::<(), shaders::ShaderError>(())
//! ```
//!
//! naga parses and validates every composition before it is returned. Errors name file, line and column in the faulty module, not in
//! the joined text. The validator naga is more lenient than the standard. [`Composed::standard`] is the text for other compilers. In
//! `./x test` Tint, the compiler of Chrome and Edge, compiles it. [`dump_into`] writes every composition to a folder; [`SourceWatch`]
//! finds modules that are edited while a program runs.

mod bindings;
mod composed;
mod composer;
mod directives;
mod dump;
mod edited;
mod error;
mod extension;
mod layout;
mod library;
mod segments;
mod unroll;

pub use bindings::{Binding, BindingKind, SampleType, StorageTextureAccess, TextureDimension};
pub use composed::{Composed, EntryPoint, Stage};
pub use composer::Composer;
pub use directives::ModuleVariant;
pub use dump::dump_into;
pub use edited::{EditedModules, SourceWatch};
pub use error::ShaderError;
pub use extension::Extension;
pub use layout::{LayoutMismatch, RustField, StructField, StructLayout, field_size};
pub use library::{EmbeddedModule, Library};
pub use segments::{Segment, SourceLocation};

pub use naga;

// The example of the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
