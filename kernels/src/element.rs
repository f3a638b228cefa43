//! What can the items of a primitive be? Plain old data with a WGSL type of the same bytes.

use crate::device::DeviceType;

/// A type that means the same bytes in Rust and in WGSL storage buffers.
///
/// Scalars, the vectors of glam, and structs with `#[device]` before them are elements. The Rust size must be the WGSL array stride; it is compared by reflection when a primitive is made.
///
/// ```
/// #[kernels::device]
/// #[repr(C)]
/// #[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
/// struct Bounds { low: f32, high: f32 }
///
/// fn is_element<T: kernels::Element>() {}
/// is_element::<Bounds>();
/// ```
///
/// By hand:
///
/// ```
/// use kernels::Element;
///
/// #[repr(C)]
/// #[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
/// struct Bounds { low: f32, high: f32 }
///
/// impl Element for Bounds {
///     const TYPE: &'static str = "Bounds";
///     const DECLARATION: &'static str = "struct Bounds { low: f32, high: f32 }";
/// }
/// ```
pub trait Element: bytemuck::Pod + Send + Sync + std::fmt::Debug + 'static {
    /// The WGSL type.
    const TYPE: &'static str;
    /// WGSL declarations that the type needs; empty for predeclared types.
    const DECLARATION: &'static str = "";
}

impl<T: DeviceType + bytemuck::Pod + Send + Sync + std::fmt::Debug> Element for T {
    const TYPE: &'static str = T::NAME;
    const DECLARATION: &'static str = T::DECLARATION;
}

macro_rules! elements {
    ($($rust:ty => $wgsl:literal),* $(,)?) => { $(impl Element for $rust { const TYPE: &'static str = $wgsl; })* };
}

elements! {
    [u32; 2] => "vec2u", [i32; 2] => "vec2i", [f32; 2] => "vec2f",
    [u32; 4] => "vec4u", [i32; 4] => "vec4i", [f32; 4] => "vec4f",
}
