//! Which Rust types have a WGSL type of the same bytes? Scalars, glam's vectors and `Mat4`, device structs and arrays in them.

use glam::{BVec2, BVec3, BVec4, IVec2, IVec3, IVec4, Mat4, UVec2, UVec3, UVec4, Vec2, Vec3, Vec4};

/// A type of device functions. `#[device]` implements it for structs.
///
/// ```
/// use glam::Vec3;
/// use kernels::{device, device::{DeviceType, Layout}};
///
/// #[device]
/// #[repr(C)]
/// #[derive(Clone, Copy)]
/// struct Light { direction: Vec3, intensity: f32 }
///
/// assert_eq!((<Vec3 as DeviceType>::NAME, <Light as DeviceType>::NAME), ("vec3f", "Light"));
/// assert_eq!(<Light as DeviceType>::LAYOUT, Layout { size: 16, align: 16, in_buffers: true });
/// assert!(<Light as DeviceType>::DECLARATION.contains("direction: vec3f,"));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no type of WGSL",
    label = "not known on a device",
    note = "use `u32`, `i32`, `f32`, `bool`, `u64`, a vector of glam's, `Mat4`, or put `#[kernels::device]` before the definition of the struct"
)]
pub trait DeviceType: Copy + 'static {
    /// The WGSL name.
    const NAME: &'static str;
    /// WGSL declarations that it needs; empty for predeclared types.
    const DECLARATION: &'static str;
    /// Size and alignment in WGSL.
    const LAYOUT: Layout;
}

/// Size and alignment of a WGSL type, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Bytes, with the padding at the end of a struct.
    pub size: usize,
    /// Offsets are multiples of it.
    pub align: usize,
    /// Whether buffers can hold it: `bool` has no layout in WGSL, and no struct with one.
    pub in_buffers: bool,
}

/// The layout of a struct of `rust_size` bytes from the offsets and layouts of its fields; panics, at compile time, where
/// Rust and WGSL place them differently.
#[doc(hidden)]
pub const fn layout(rust_size: usize, fields: &[(usize, Layout)]) -> Layout {
    let (mut end, mut align, mut i) = (0usize, 1, 0);
    while i < fields.len() {
        if !fields[i].1.in_buffers {
            return Layout { size: rust_size, align: 4, in_buffers: false };
        }
        i += 1;
    }
    i = 0;
    while i < fields.len() {
        let (rust_offset, field) = fields[i];
        if end.next_multiple_of(field.align) != rust_offset {
            panic!(
                "a field lies elsewhere in WGSL, where 2-vectors are aligned to 8 bytes, 3- and 4-vectors to 16: \
                 put the largest vectors first, follow a Vec3 by a scalar, or add fields that pad"
            );
        }
        end = rust_offset + field.size;
        if field.align > align {
            align = field.align;
        }
        i += 1;
    }
    if end.next_multiple_of(align) != rust_size {
        panic!(
            "the struct is longer in WGSL, where its size is a multiple of its largest alignment: add fields that pad"
        );
    }
    Layout { size: rust_size, align, in_buffers: true }
}

/// The layout of an array of `n`; panics, at compile time, where elements lie further apart in WGSL.
#[doc(hidden)]
pub const fn array_layout(element: Layout, n: usize) -> Layout {
    if element.in_buffers && !element.size.is_multiple_of(element.align) {
        panic!("elements of an array are a multiple of their alignment apart in WGSL: use `Vec4` for `Vec3`");
    }
    Layout { size: element.size * n, align: element.align, in_buffers: element.in_buffers }
}

/// The layout of an array that is a vector of `n` 32-bit numbers in WGSL.
#[doc(hidden)]
pub const fn vector_layout(n: usize) -> Layout {
    Layout { size: 4 * n, align: if n == 2 { 8 } else { 16 }, in_buffers: true }
}

macro_rules! device_types {
    ($($rust:ty => $wgsl:literal, $size:literal, $align:literal);* $(;)?) => { $(
        impl DeviceType for $rust {
            const NAME: &'static str = $wgsl;
            const DECLARATION: &'static str = "";
            const LAYOUT: Layout = Layout { size: $size, align: $align, in_buffers: true };
        }
    )* };
}

device_types! {
    u32 => "u32", 4, 4;
    i32 => "i32", 4, 4;
    f32 => "f32", 4, 4;
    UVec2 => "vec2u", 8, 8;
    IVec2 => "vec2i", 8, 8;
    Vec2 => "vec2f", 8, 8;
    UVec3 => "vec3u", 12, 16;
    IVec3 => "vec3i", 12, 16;
    Vec3 => "vec3f", 12, 16;
    UVec4 => "vec4u", 16, 16;
    IVec4 => "vec4i", 16, 16;
    Vec4 => "vec4f", 16, 16;
    Mat4 => "mat4x4f", 64, 16;
    // Low and high word, as a little-endian host stores it.
    u64 => "vec2u", 8, 8;
}

macro_rules! host_unshareable {
    ($($rust:ty => $wgsl:literal, $size:literal);* $(;)?) => { $(
        impl DeviceType for $rust {
            const NAME: &'static str = $wgsl;
            const DECLARATION: &'static str = "";
            const LAYOUT: Layout = Layout { size: $size, align: 1, in_buffers: false };
        }
    )* };
}

host_unshareable! {
    bool => "bool", 1;
    BVec2 => "vec2<bool>", 2;
    BVec3 => "vec3<bool>", 3;
    BVec4 => "vec4<bool>", 4;
}
