//! What can be wrong with a composition, and where?

use crate::{Extension, SourceLocation};

/// Why modules could not be joined into a valid shader.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShaderError {
    /// A module is neither embedded nor bound.
    #[error("no shader module `{module}`{}", import_chain(chain))]
    UnknownModule {
        /// The missing module.
        module: String,
        /// Modules that led to it, from the composed one to the importing one; empty when it was asked for directly.
        chain: Vec<String>,
    },
    /// Modules import each other.
    #[error("import cycle: {}", chain.join(" -> "))]
    ImportCycle {
        /// The cycle; first and last module are the same.
        chain: Vec<String>,
    },
    /// A comment directive is malformed.
    #[error("{place}: {why}\n{}", place.excerpt())]
    Directive {
        /// The directive's line.
        place: SourceLocation,
        /// What is wrong with it.
        why: String,
    },
    /// A module does not declare the variant asked for.
    #[error("shader module `{module}` has no variant `{variant}`, it has [{}]", known.join(", "))]
    UnknownVariant {
        /// The module.
        module: String,
        /// The variant asked for.
        variant: String,
        /// The variants it declares.
        known: Vec<String>,
    },
    /// A module requires an extension that this composer may not use.
    #[error("shader module `{module}` requires {}, which is not allowed here", extension.name())]
    ExtensionNotAllowed {
        /// The module with the `//!requires` line.
        module: String,
        /// The extension.
        extension: Extension,
    },
    /// A composition requires an extension that only native devices have.
    #[error("shader module `{module}` requires {}, which the WGSL of WebGPU does not have", extension.name())]
    NotInStandard {
        /// The composed module.
        module: String,
        /// The extension.
        extension: Extension,
    },
    /// A composition could not be written to the folder of [`dump_into`](crate::dump_into).
    #[error("cannot write {}: {why}", path.display())]
    Dump {
        /// The file.
        path: std::path::PathBuf,
        /// What the system says.
        why: String,
    },
    /// The text is not WGSL.
    #[error("{}{message}\n{}", at(place), excerpt(place))]
    Parse {
        /// Where; `None` when naga gives no position.
        place: Option<SourceLocation>,
        /// naga's message.
        message: String,
    },
    /// The text is WGSL but not a valid shader.
    #[error("{}{message}\n{}", at(place), excerpt(place))]
    Validation {
        /// Where; `None` when naga gives no position.
        place: Option<SourceLocation>,
        /// naga's message with its causes.
        message: String,
    },
}

fn import_chain(chain: &[String]) -> String {
    if chain.is_empty() { String::new() } else { format!(", imported by {}", chain.join(" -> ")) }
}

fn at(place: &Option<SourceLocation>) -> String {
    place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default()
}

fn excerpt(place: &Option<SourceLocation>) -> String {
    place.as_ref().map(SourceLocation::excerpt).unwrap_or_default()
}
