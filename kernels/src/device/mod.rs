//! Write once: a Rust function that runs on the CPU as it is, and beside it the same in WGSL.
//!
//! [`#[device]`](macro@crate::device) stands before a function, a struct, a constant, or an implementation of
//! [`Operator`](crate::Operator), [`Source`](crate::Source), [`Predicate`](crate::Predicate), [`Binning`](crate::Binning) or [`RadixKey`](crate::RadixKey).
//! It leaves the Rust untouched. Beside `fn mix` it puts a type `mix`, imported and exported under the same name, whose
//! constant `mix::WGSL` is the function in WGSL with all that it calls, readable and in order. An implementation gets its `WGSL`.
//!
//! ```
//! use kernels::{Operator, Plain, device, reduce};
//!
//! /// The range of some heights.
//! #[device]
//! #[repr(C)]
//! #[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
//! struct Range { low: f32, high: f32 }
//!
//! /// The smallest range that holds both.
//! #[device]
//! fn join(a: Range, b: Range) -> Range {
//!     Range { low: a.low.min(b.low), high: a.high.max(b.high) }
//! }
//!
//! struct Join;
//!
//! #[device]
//! impl Operator for Join {
//!     type Item = Range;
//!     const NAME: &'static str = "join of ranges";
//!     const COMMUTATIVE: bool = true;
//!     fn identity() -> Range { Range { low: f32::MAX, high: f32::MIN } }
//!     fn combine(left: Range, right: Range) -> Range { join(left, right) }
//! }
//!
//! let heights = [3.0, -1.0, 8.0].map(|h| Range { low: h, high: h });
//! assert_eq!(reduce::<Join, Plain<Range>>(&heights), Range { low: -1.0, high: 8.0 });
//! assert!(join::WGSL.contains("
//! fn join(a: Range, b: Range) -> Range {
//!     return Range(min(a.low, b.low), max(a.high, b.high));
//! }"));
//! ```
//!
//! What the macros write names this crate `::kernels`. A crate that has it under another name says so once, at its root:
//! `extern crate primitives as kernels;`.
//!
//! # What may be written
//!
//! | | |
//! |---|---|
//! | types | `u32`, `i32`, `f32`, `bool`, `u64` as a `vec2u` of low and high word. Of glam: `Vec2` to `Vec4`, `IVec2` to `IVec4`, `UVec2` to `UVec4`, the masks `BVec2` to `BVec4`, `Mat4`. `#[repr(C)]` device structs, and arrays of fixed length |
//! | statements | `let`, `let mut`, `=`, `+=` and its like, `if`, `match` on integers, `for i in a..b`, `for i in (a..b).rev()`, `while`, `break`, `continue`, `return`; `debug_assert!` and its like, which only the CPU runs |
//! | expressions | operators, `as u32`, `as i32`, `as f32`, fields, swizzles, `[i as usize]`, struct expressions, calls of device functions, `[value; n]`, `if` as a value. `match` and blocks as the value of a `let`, an assignment or a `return` |
//! | integers | `wrapping_add`, `_sub`, `_mul`, `_neg`, `_shl`, `_shr`, `count_ones`, `leading_zeros`, `trailing_zeros`, `reverse_bits`, `rotate_left`, `rotate_right`, `is_multiple_of`, `min`, `max`, `clamp`, `abs`, `MAX`, `MIN` |
//! | 64 bits | all operators but division; `wrapping_add`, `_sub`, `_mul`, `rotate_left`, `rotate_right`, `count_ones`, `leading_zeros`, `trailing_zeros`, `min`, `max`; `as u64` of a `u32`, `as u32` |
//! | floats | `min`, `max`, `clamp`, `abs`, `floor`, `ceil`, `trunc`, `round_ties_even`, `sqrt`, `recip`, `mul_add`, `powf`, `exp`, `exp2`, `ln`, `log2`, trigonometric and hyperbolic ones, `to_radians`, `to_degrees`, `to_bits`, `from_bits` |
//! | choices | `std::hint::select_unpredictable(condition, a, b)`, `Vec3::select(mask, a, b)`: WGSL's `select`, without a branch |
//! | masks | `cmpeq`, `cmpne`, `cmplt`, `cmple`, `cmpgt`, `cmpge` of vectors; `&`, `\|`, `!`, `all`, `any`, `new`, `splat`, `TRUE`, `FALSE` |
//! | `Mat4` | `*`, `from_cols`, `m.x_axis` and its like, `transpose`, `determinant` |
//! | vectors | `new`, `splat`, `from_array`, `dot`, `cross`, `length`, `length_squared`, `distance`, `normalize`, `reflect`, `lerp`, `extend`, `truncate`, `as_vec3` and its like, `ZERO`, `ONE`, `X` to `W` |
//!
//! Everything else is a compile-time error at its place that says what to write instead:
//!
//! ```compile_fail
//! #[kernels::device]
//! fn factorial(n: u32) -> u32 {
//!     if n == 0 { 1 } else { n * factorial(n - 1) } // error: WGSL has no recursion: write a loop
//! }
//! ```
//!
//! An operand whose type the macro does not see must not be a `u64`, which needs other WGSL:
//!
//! ```compile_fail
//! #[kernels::device]
//! fn wide(x: u32) -> u64 { x as u64 * 3 }
//! #[kernels::device]
//! fn twice(x: u32) -> u64 { wide(x) << 1 } // error: bind it first: `let name: u64 = …`
//! ```
//!
//! The layout of structs is compared at compile time too:
//!
//! ```compile_fail
//! #[kernels::device]
//! #[repr(C)]
//! #[derive(Clone, Copy)]
//! struct Light { intensity: f32, direction: glam::Vec3 } // error: a field lies elsewhere in WGSL
//! ```
//!
//! A struct whose Rust name would clash in other people's WGSL has another one there, which device functions call it by too; and
//! arrays that are fields may be vectors there:
//!
//! ```
//! use kernels::device;
//!
//! #[device(name = "OrbitPoint")]
//! #[repr(C)]
//! #[derive(Clone, Copy)]
//! pub struct Point {
//!     #[vector]
//!     position: [f32; 3],
//!     weight: f32,
//! }
//! use Point as OrbitPoint;
//!
//! #[device]
//! fn moment(point: OrbitPoint) -> glam::Vec3 {
//!     glam::Vec3::from_array(point.position) * point.weight
//! }
//! assert!(moment::WGSL.contains("return vec3f(point.position) * point.weight;"));
//! assert!(moment::WGSL.contains("position: vec3f,"));
//! ```
//!
//! # What it means
//!
//! Rust's meaning holds on both sides, bit for bit for integers, as long as the Rust neither panics nor would in a debug build. So there may be
//! no overflow but in the `wrapping_` functions, no division by zero, no shift by 32 or more, and no index beyond the end. Otherwise the CPU
//! stops, or wraps in a release build, and the device gives some number. Casts of floats saturate; a cast of NaN is 0 on the CPU and some number
//! on the device. Nothing may depend on NaN, on infinities, on the sign of zero or on subnormal numbers: `min` and `max` of NaN differ.
//! Functions with rounding differ by what WGSL allows (`sin` by 2^-11 absolute, `log2` by 2^-21 absolute or 3 units in the last place, a
//! division by 2.5). A device may contract `a * b + c`. `powf` takes a positive base. What is made of constants alone is computed when the
//! shader is made, where WGSL refuses overflow, of shifts too. A loop ends (a `while` whose condition nothing changes is refused); llvmpipe
//! leaves it after 65 535 iterations. Both sides of an `if` inside an expression are evaluated.
//!
//! A macro sees one item at a time. Where WGSL needs a type that only a struct or another function knows (`!flag`, an operator on a
//! `u64` that a function gives), the error asks for a `let` with the type. Some errors are rustc's: `expected type, found function f` where `f` lacks its
//! `#[device]`, `no variant or associated item named DEVICE_FIELDS` where a struct does, a cycle where functions call each other.
//!
//! # White box
//!
//! `WGSL` can be printed, and imported into a shader: [`Composer::bind`](shaders::Composer::bind) makes a module of it. Items are marked, so that two
//! texts may bring the same function along. [`Kernels::with_replacement`](crate::Kernels::with_replacement) puts hand-written WGSL
//! in an item's place for one device; [`check_function`](crate::testing::check_function) says whether it agrees with the Rust.
//! `cargo run -p orogen-kernels --example write_once` shows all of it. Kernels made from loops are in [`kernel`](mod@crate::kernel).

mod generated;
mod helper;
mod saturate;
mod text;
mod types;
mod wide;

pub use crate::device_module as module;
pub use generated::{GeneratedError, check_generated, check_generated_importing};
#[doc(hidden)]
pub use saturate::{i32_from_f32, u32_from_f32};
pub use text::Item;
#[doc(hidden)]
pub use text::{same_name, same_order, text, text_len};
pub use types::{DeviceType, Layout};
#[doc(hidden)]
pub use types::{array_layout, layout, vector_layout};
#[doc(hidden)]
pub use wide::{
    Narrow, narrow, u64_add, u64_count_ones, u64_leading_zeros, u64_less, u64_max, u64_min, u64_mul, u64_rotate_left,
    u64_shl, u64_shr, u64_sub, u64_trailing_zeros,
};

/// A function, struct or constant that has a WGSL form. `#[device]` implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no WGSL",
    label = "not known on a device",
    note = "put `#[kernels::device]` before its definition"
)]
pub trait DeviceItem {
    /// Its WGSL, and what that needs.
    const ITEM: &'static Item;
}

/// A function that has a WGSL form, as a type. `#[device]` implements it for a type of the function's name.
///
/// ```
/// use kernels::{device, device::DeviceFunction};
///
/// #[device]
/// fn twice(x: u32) -> u32 {
///     2 * x
/// }
///
/// /// The WGSL of a function, and what it gives for an argument.
/// fn shown<F: DeviceFunction<Arguments = (u32,), Output = u32>>(x: u32) -> String {
///     format!("{}({x}) = {}\n{}", F::NAME, F::call((x,)), F::WGSL)
/// }
/// let text = shown::<twice>(4);
/// assert!(text.starts_with("twice(4) = 8\n") && text.contains("fn twice(x: u32) -> u32 {"), "{text}");
/// ```
pub trait DeviceFunction: DeviceItem {
    /// What it takes, as a tuple.
    type Arguments;
    /// What it gives.
    type Output;
    /// The WGSL name.
    const NAME: &'static str;
    /// The WGSL, with all that it needs.
    const WGSL: &'static str;
    /// The Rust meaning.
    fn call(arguments: Self::Arguments) -> Self::Output;
}
