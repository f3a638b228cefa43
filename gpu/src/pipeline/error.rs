//! What can be wrong between a shader and its pipeline?

/// Why a pipeline or bind group could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PipelineError {
    /// The shader has no such entry point.
    #[error("shader `{shader}` has no entry point `{entry}`, it has [{}]", known.join(", "))]
    NoEntryPoint {
        /// Composed module.
        shader: String,
        /// Asked for.
        entry: String,
        /// What there is.
        known: Vec<String>,
    },
    /// The entry points use no resource of this group.
    #[error("`{shader}` uses no bind group {group}")]
    NoGroup {
        /// Composed module.
        shader: String,
        /// Group asked for.
        group: u32,
    },
    /// A resource that the shader uses was not given.
    #[error("bind group {group} of `{shader}` misses `{name}`, it wants [{}]", wanted.join(", "))]
    Missing {
        /// Composed module.
        shader: String,
        /// Group.
        group: u32,
        /// The missing variable.
        name: String,
        /// All variables of the group.
        wanted: Vec<String>,
    },
    /// A resource was given that the shader does not use.
    #[error("bind group {group} of `{shader}` has no `{name}`, it wants [{}]", wanted.join(", "))]
    Superfluous {
        /// Composed module.
        shader: String,
        /// Group.
        group: u32,
        /// The name given.
        name: String,
        /// All variables of the group.
        wanted: Vec<String>,
    },
    /// A resource was given twice.
    #[error("bind group {group} of `{shader}` was given `{name}` twice")]
    Twice {
        /// Composed module.
        shader: String,
        /// Group.
        group: u32,
        /// The name given.
        name: String,
    },
    /// A variable is of a kind that cannot be bound here.
    #[error("`{name}` of `{shader}` is of a kind that is not supported")]
    Unsupported {
        /// Composed module.
        shader: String,
        /// The variable.
        name: String,
    },
    /// The shader requires what the device was not asked for or does not have.
    #[error("`{shader}` requires {extension}, which this device does not have")]
    MissingExtension {
        /// Composed module.
        shader: String,
        /// Name of the extension.
        extension: &'static str,
    },
    /// The device refused.
    #[error("the device refused `{label}`: {reason}")]
    Rejected {
        /// Pipeline, layout or bind group.
        label: String,
        /// wgpu's reason.
        reason: String,
    },
}
