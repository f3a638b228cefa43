//! Which resources does a shader want bound, where, and of what kind?

use naga::{AddressSpace, ImageClass, ImageDimension, ScalarKind, StorageAccess, TypeInner};

/// A resource variable: `@group(g) @binding(b) var name: T`.
///
/// ```
/// use shaders::{BindingKind, Composer, SampleType, StorageTextureAccess, TextureDimension, naga};
///
/// let mut composer = Composer::new();
/// composer.bind("mine", "mine.wgsl", "\
/// @group(0) @binding(0) var<uniform> scale: vec4f;
/// @group(0) @binding(1) var<storage, read> heights: array<vec2f>;
/// @group(0) @binding(2) var ground: texture_2d<f32>;
/// @group(0) @binding(3) var picture: texture_storage_2d<rgba8unorm, write>;");
/// let composed = composer.compose("mine")?;
/// let heights = composed.binding("heights").expect("declared above");
/// assert_eq!((heights.group, heights.binding, heights.size), (0, 1, 8));
/// let dimension = TextureDimension::D2;
/// let format = naga::StorageFormat::Rgba8Unorm;
/// let kinds: Vec<_> = composed.bindings().iter().map(|binding| binding.kind).collect();
/// assert_eq!(kinds, [
///     BindingKind::Uniform,
///     BindingKind::StorageRead,
///     BindingKind::Texture { dimension, sample: SampleType::Float, multisampled: false },
///     BindingKind::StorageTexture { dimension, format, access: StorageTextureAccess::Write },
/// ]);
/// # Ok::<(), shaders::ShaderError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// `@group`
    pub group: u32,
    /// `@binding`
    pub binding: u32,
    /// Variable name, by which Rust refers to the binding.
    pub name: String,
    /// What has to be bound.
    pub kind: BindingKind,
    /// Bytes that a buffer must have at least: one element of a run-time sized array is counted. 0 for textures and samplers.
    pub size: u64,
}

/// The kind of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BindingKind {
    /// `var<uniform>`
    Uniform,
    /// `var<storage, read>`
    StorageRead,
    /// `var<storage, read_write>`
    StorageReadWrite,
    /// `texture_*`, sampled or loaded from.
    Texture {
        /// Its dimension.
        dimension: TextureDimension,
        /// What a sample is.
        sample: SampleType,
        /// Whether it is multisampled.
        multisampled: bool,
    },
    /// `texture_storage_*`
    StorageTexture {
        /// Its dimension.
        dimension: TextureDimension,
        /// Texel format.
        format: naga::StorageFormat,
        /// Allowed accesses.
        access: StorageTextureAccess,
    },
    /// `sampler` or `sampler_comparison`
    Sampler {
        /// Whether it compares.
        comparison: bool,
    },
    /// `acceleration_structure`
    AccelerationStructure,
    /// A kind that no pipeline of this project binds (binding arrays, external textures).
    Unsupported,
}

/// View dimension of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextureDimension {
    /// `_1d`
    D1,
    /// `_2d`
    D2,
    /// `_2d_array`
    D2Array,
    /// `_3d`
    D3,
    /// `_cube`
    Cube,
    /// `_cube_array`
    CubeArray,
}

/// Sample type of a texture. WGSL does not say whether `f32` samples are filtered; the layout's maker decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleType {
    /// `f32`
    Float,
    /// `i32`
    Sint,
    /// `u32`
    Uint,
    /// `texture_depth_*`
    Depth,
}

/// Accesses of a storage texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageTextureAccess {
    /// `read`
    Read,
    /// `write`
    Write,
    /// `read_write`
    ReadWrite,
}

pub(crate) fn reflect(module: &naga::Module) -> Vec<Binding> {
    let mut bindings: Vec<Binding> = module
        .global_variables
        .iter()
        .filter_map(|(_, variable)| {
            let at = variable.binding.as_ref()?;
            let inner = &module.types[variable.ty].inner;
            let kind = kind(variable.space, inner);
            let is_buffer =
                matches!(kind, BindingKind::Uniform | BindingKind::StorageRead | BindingKind::StorageReadWrite);
            let size = if is_buffer { inner.size(module.to_ctx()).into() } else { 0 };
            let name = variable.name.clone().unwrap_or_default();
            Some(Binding { group: at.group, binding: at.binding, name, kind, size })
        })
        .collect();
    bindings.sort_by_key(|binding| (binding.group, binding.binding));
    bindings
}

fn kind(space: AddressSpace, inner: &TypeInner) -> BindingKind {
    match (space, inner) {
        (_, TypeInner::BindingArray { .. }) => BindingKind::Unsupported,
        (AddressSpace::Uniform, _) => BindingKind::Uniform,
        (AddressSpace::Storage { access }, _) if access.contains(StorageAccess::STORE) => BindingKind::StorageReadWrite,
        (AddressSpace::Storage { .. }, _) => BindingKind::StorageRead,
        (_, TypeInner::Sampler { comparison }) => BindingKind::Sampler { comparison: *comparison },
        (_, TypeInner::AccelerationStructure { vertex_return: false }) => BindingKind::AccelerationStructure,
        (_, TypeInner::Image { dim, arrayed, class }) => image(*dim, *arrayed, class),
        _ => BindingKind::Unsupported,
    }
}

fn image(dim: ImageDimension, arrayed: bool, class: &ImageClass) -> BindingKind {
    let dimension = match (dim, arrayed) {
        (ImageDimension::D1, _) => TextureDimension::D1,
        (ImageDimension::D2, false) => TextureDimension::D2,
        (ImageDimension::D2, true) => TextureDimension::D2Array,
        (ImageDimension::D3, _) => TextureDimension::D3,
        (ImageDimension::Cube, false) => TextureDimension::Cube,
        (ImageDimension::Cube, true) => TextureDimension::CubeArray,
    };
    let texture = |sample, multisampled| BindingKind::Texture { dimension, sample, multisampled };
    match *class {
        ImageClass::Sampled { kind: ScalarKind::Sint, multi } => texture(SampleType::Sint, multi),
        ImageClass::Sampled { kind: ScalarKind::Uint, multi } => texture(SampleType::Uint, multi),
        ImageClass::Sampled { multi, .. } => texture(SampleType::Float, multi),
        ImageClass::Depth { multi } => texture(SampleType::Depth, multi),
        ImageClass::External => BindingKind::Unsupported,
        ImageClass::Storage { format, access } => {
            let access = match (access.contains(StorageAccess::LOAD), access.contains(StorageAccess::STORE)) {
                (true, true) => StorageTextureAccess::ReadWrite,
                (true, false) => StorageTextureAccess::Read,
                _ => StorageTextureAccess::Write,
            };
            BindingKind::StorageTexture { dimension, format, access }
        }
    }
}
