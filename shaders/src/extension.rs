//! What of WGSL does a module need beyond the WebGPU base?

use naga::valid::Capabilities;

/// An extension of WGSL beyond the WebGPU base, asked for with `//!requires NAME`.
///
/// ```
/// use shaders::{Composer, Extension};
///
/// let mut composer = Composer::new();
/// composer.bind("wide", "wide.wgsl", "//!requires subgroups\nfn f(a: u32) -> u32 { return subgroupAdd(a); }");
/// assert_eq!(composer.compose("wide")?.requires(), [Extension::Subgroups]);
/// assert_eq!(Extension::Subgroups.name(), "subgroups");
/// # Ok::<(), shaders::ShaderError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Extension {
    /// `subgroups`: subgroup built-ins and operations in compute and fragment shaders (`wgpu::Features::SUBGROUP`).
    Subgroups,
    /// `subgroup_barrier`: `subgroupBarrier()` (`wgpu::Features::SUBGROUP_BARRIER`).
    SubgroupBarrier,
    /// `immediates`: `var<immediate>` (`wgpu::Features::IMMEDIATES`).
    Immediates,
    /// `int64`: `i64` and `u64` (`wgpu::Features::SHADER_INT64`).
    Int64,
    /// `float64`: `f64` (`wgpu::Features::SHADER_F64`).
    Float64,
    /// `barycentrics`: `@builtin(barycentric)` (`wgpu::Features::SHADER_BARYCENTRICS`).
    Barycentrics,
    /// `primitive_index`: `@builtin(primitive_index)` (`wgpu::Features::PRIMITIVE_INDEX`).
    PrimitiveIndex,
    /// `ray_query`: `acceleration_structure` and `ray_query` (`wgpu::Features::EXPERIMENTAL_RAY_QUERY`).
    RayQuery,
}

impl Extension {
    /// All extensions the composer knows.
    pub const ALL: [Self; 8] = [
        Self::Subgroups,
        Self::SubgroupBarrier,
        Self::Immediates,
        Self::Int64,
        Self::Float64,
        Self::Barycentrics,
        Self::PrimitiveIndex,
        Self::RayQuery,
    ];

    /// The word after `//!requires`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Subgroups => "subgroups",
            Self::SubgroupBarrier => "subgroup_barrier",
            Self::Immediates => "immediates",
            Self::Int64 => "int64",
            Self::Float64 => "float64",
            Self::Barycentrics => "barycentrics",
            Self::PrimitiveIndex => "primitive_index",
            Self::RayQuery => "ray_query",
        }
    }

    pub(crate) fn capability(self) -> Capabilities {
        match self {
            Self::Subgroups => Capabilities::SUBGROUP,
            Self::SubgroupBarrier => Capabilities::SUBGROUP_BARRIER,
            Self::Immediates => Capabilities::IMMEDIATES,
            Self::Int64 => Capabilities::SHADER_INT64,
            Self::Float64 => Capabilities::FLOAT64,
            Self::Barycentrics => Capabilities::SHADER_BARYCENTRICS,
            Self::PrimitiveIndex => Capabilities::PRIMITIVE_INDEX,
            Self::RayQuery => Capabilities::RAY_QUERY,
        }
    }

    /// The directive of WGSL that naga wants at the top of the joined text; the others it takes without.
    pub(crate) fn enable(self) -> Option<&'static str> {
        match self {
            Self::RayQuery => Some("enable wgpu_ray_query;"),
            _ => None,
        }
    }

    /// The directives that WGSL as the standard has it wants at the top of the joined text; `None` for what WebGPU lacks.
    pub(crate) fn standard(self) -> Option<&'static str> {
        match self {
            Self::Subgroups => Some("enable subgroups;"),
            Self::Immediates => Some("requires immediate_address_space;"),
            Self::PrimitiveIndex => Some("enable primitive_index;"),
            Self::SubgroupBarrier | Self::Int64 | Self::Float64 | Self::Barycentrics | Self::RayQuery => None,
        }
    }
}
