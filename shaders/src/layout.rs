//! Do a Rust `#[repr(C)]` struct and a WGSL struct mean the same bytes?

/// Memory layout of a WGSL struct, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructLayout {
    /// Struct name.
    pub name: String,
    /// Fields in declaration order.
    pub fields: Vec<StructField>,
    /// Size of the struct with its tail padding.
    pub span: u32,
}

/// A field of a WGSL struct, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructField {
    /// Field name.
    pub name: String,
    /// Offset from the start of the struct.
    pub offset: u32,
    /// Size without padding; one element when the field is a run-time sized array.
    pub size: u32,
}

/// A field of a Rust struct, as [`check_layout!`](crate::check_layout) sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RustField {
    /// Field name.
    pub name: &'static str,
    /// `offset_of!`
    pub offset: usize,
    /// `size_of` of the field's type.
    pub size: usize,
}

/// How a Rust struct differs from its WGSL twin.
///
/// ```
/// use shaders::LayoutMismatch;
///
/// #[repr(C)]
/// struct View { eye: [f32; 3], sun: [f32; 3] }
///
/// let mut composer = shaders::Composer::new();
/// composer.bind("view", "view.wgsl", "struct View { eye: vec3f, sun: vec3f }");
/// let composed = composer.compose("view")?;
/// // WGSL aligns `sun` to 16 bytes, Rust to 4.
/// let mismatch = shaders::check_layout!(composed, View { eye, sun }).unwrap_err();
/// assert!(matches!(mismatch, LayoutMismatch::Field { rust_offset: 12, wgsl_offset: 16, .. }), "{mismatch}");
/// # Ok::<(), shaders::ShaderError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LayoutMismatch {
    /// The shader has no struct of this name.
    #[error("shader `{shader}` has no struct `{name}`")]
    NoStruct {
        /// Composed module.
        shader: String,
        /// Struct name.
        name: String,
    },
    /// The WGSL struct has no field of this name.
    #[error("WGSL struct `{name}` has no field `{field}`")]
    NoField {
        /// Struct name.
        name: String,
        /// Field of the Rust list.
        field: String,
    },
    /// A WGSL field is missing in the Rust list.
    #[error("field `{field}` of WGSL struct `{name}` is not in the Rust list")]
    Unlisted {
        /// Struct name.
        name: String,
        /// Field of the WGSL struct.
        field: String,
    },
    /// A field lies elsewhere or has another size.
    #[error(
        "`{name}.{field}` is {rust_size} bytes at {rust_offset} in Rust, {wgsl_size} bytes at {wgsl_offset} in WGSL"
    )]
    Field {
        /// Struct name.
        name: String,
        /// Field name.
        field: String,
        /// Rust offset, bytes.
        rust_offset: usize,
        /// WGSL offset, bytes.
        wgsl_offset: usize,
        /// Rust size, bytes.
        rust_size: usize,
        /// WGSL size, bytes.
        wgsl_size: usize,
    },
    /// The structs have different sizes.
    #[error("`{name}` is {rust} bytes in Rust, {wgsl} bytes in WGSL")]
    Span {
        /// Struct name.
        name: String,
        /// Rust size, bytes.
        rust: usize,
        /// WGSL size, bytes.
        wgsl: usize,
    },
}

pub(crate) fn reflect(module: &naga::Module, name: &str) -> Option<StructLayout> {
    module.types.iter().find_map(|(_, ty)| match &ty.inner {
        naga::TypeInner::Struct { members, span } if ty.name.as_deref() == Some(name) => Some(StructLayout {
            name: name.to_owned(),
            fields: members
                .iter()
                .map(|member| StructField {
                    name: member.name.clone().unwrap_or_default(),
                    offset: member.offset,
                    size: module.types[member.ty].inner.size(module.to_ctx()),
                })
                .collect(),
            span: *span,
        }),
        _ => None,
    })
}

/// Compares a WGSL struct `name` with a Rust struct of `size` bytes.
pub(crate) fn compare(
    layout: &StructLayout,
    name: &str,
    size: usize,
    rust: &[RustField],
) -> Result<(), LayoutMismatch> {
    let name_owned = || name.to_owned();
    for field in rust {
        let wgsl = layout
            .fields
            .iter()
            .find(|wgsl| wgsl.name == field.name)
            .ok_or_else(|| LayoutMismatch::NoField { name: name_owned(), field: field.name.to_owned() })?;
        let (wgsl_offset, wgsl_size) = (wgsl.offset as usize, wgsl.size as usize);
        if (field.offset, field.size) != (wgsl_offset, wgsl_size) {
            return Err(LayoutMismatch::Field {
                name: name_owned(),
                field: field.name.to_owned(),
                rust_offset: field.offset,
                wgsl_offset,
                rust_size: field.size,
                wgsl_size,
            });
        }
    }
    for field in &layout.fields {
        let padding = field.name.starts_with('_') || field.name.starts_with("pad");
        if !padding && !rust.iter().any(|r| r.name == field.name) {
            return Err(LayoutMismatch::Unlisted { name: name_owned(), field: field.name.clone() });
        }
    }
    if layout.span as usize != size {
        return Err(LayoutMismatch::Span { name: name_owned(), rust: size, wgsl: layout.span as usize });
    }
    Ok(())
}

/// Size of the field that a projection reaches: lets [`check_layout!`](crate::check_layout) measure a field without a value.
#[doc(hidden)]
pub const fn field_size<T, F>(_projection: fn(&T) -> &F) -> usize {
    size_of::<F>()
}

/// Compares a Rust struct with the WGSL struct of the same name (or of the name given first), field by field:
/// `Result<(), LayoutMismatch>`.
///
/// ```
/// #[repr(C)]
/// struct View { eye: [f32; 3], scale: f32 }
///
/// let mut composer = shaders::Composer::new();
/// composer.bind("view", "view.wgsl", "struct View { eye: vec3f, scale: f32 }");
/// let composed = composer.compose("view")?;
/// shaders::check_layout!(composed, View { eye, scale }).unwrap();
/// shaders::check_layout!(composed, "View" => View { eye, scale }).unwrap();
///
/// // One field forgotten is an error, so that the list cannot rot.
/// assert!(shaders::check_layout!(composed, View { eye }).is_err());
/// # Ok::<(), shaders::ShaderError>(())
/// ```
#[macro_export]
macro_rules! check_layout {
    ($composed:expr, $name:literal => $rust:ty { $($field:ident),* $(,)? }) => {
        $composed.check_layout($name, ::core::mem::size_of::<$rust>(), &[$($crate::RustField {
            name: stringify!($field),
            offset: ::core::mem::offset_of!($rust, $field),
            size: $crate::field_size(|value: &$rust| &value.$field),
        }),*])
    };
    ($composed:expr, $rust:ident { $($field:ident),* $(,)? }) => {
        $composed.check_layout(stringify!($rust), ::core::mem::size_of::<$rust>(), &[$($crate::RustField {
            name: stringify!($field),
            offset: ::core::mem::offset_of!($rust, $field),
            size: $crate::field_size(|value: &$rust| &value.$field),
        }),*])
    };
}

/// [`check_layout!`](crate::check_layout) that panics with the difference, for tests.
///
/// ```should_panic
/// #[repr(C)]
/// struct View { eye: [f32; 3], sun: [f32; 3] }
///
/// let mut composer = shaders::Composer::new();
/// composer.bind("view", "view.wgsl", "struct View { eye: vec3f, sun: vec3f }");
/// // WGSL aligns `sun` to 16 bytes, Rust to 4.
/// shaders::assert_layout!(composer.compose("view").unwrap(), View { eye, sun });
/// ```
#[macro_export]
macro_rules! assert_layout {
    ($($arguments:tt)*) => {
        if let Err(mismatch) = $crate::check_layout!($($arguments)*) {
            panic!("{mismatch}");
        }
    };
}
