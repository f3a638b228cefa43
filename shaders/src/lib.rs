//! The WGSL modules of Orogen's crates, and the composer that joins and validates them.
//!
//! All WGSL lives in `shaders/<crate>/**/*.wgsl` and is embedded in this crate at build time; a module's name is its
//! path below `shaders/` without `.wgsl`. Directives, each a comment line of its own, tie modules together:
//!
//! | directive | meaning |
//! |---|---|
//! | `//!import terrain/planet` | the text of that module comes first; each module is joined once, depth first |
//! | `//!requires subgroups` | validation must allow these extensions: see [`Extension`] |
//! | `//!variant fast kernels/op=kernels/ops/sum` | a named set of bindings of virtual modules, composed by name and by the tests |
//! | `//!unroll` | the loop on the next line is written out, if the caller names its bound: [`Composer::unroll`] |
//! | `//!standard @diagnostic(off, subgroup_uniformity)` | text for other compilers than naga: [`Composed::standard`] |
//! | `//!once terrain::mix32` to `//!end` | an item that several modules bring along is joined once, and [`Composer::replace`] can put another in its place |
//!
//! A *virtual* module is a name that modules import and the caller chooses: another embedded module
//! ([`Composer::bind_module`]) or a text of the caller's own ([`Composer::bind`]): a user's operator, a table of constants.
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
//! Every composition is parsed and validated by naga before anyone sees it; an error names the file, line and column of
//! the module that is wrong, not of the joined text. naga is more lenient than the standard; [`Composed::standard`] is the text for
//! others, and `./x test` has Tint, the compiler of Chrome and Edge, judge it. [`dump_into`] writes every composition to a folder.

mod bindings;
mod composed;
mod composer;
mod directives;
mod dump;
mod error;
mod layout;
mod library;
mod segments;
mod unroll;

pub use bindings::{Binding, BindingKind, SampleType, StorageTextureAccess, TextureDimension};
pub use composed::{Composed, EntryPoint, Stage};
pub use composer::Composer;
pub use directives::{Extension, Variant};
pub use dump::dump_into;
pub use error::ShaderError;
pub use layout::{LayoutMismatch, RustField, StructField, StructLayout, field_size};
pub use library::{EmbeddedModule, embedded};
pub use segments::{Place, Segment};

pub use naga;
